"""enuf: Ewald electrostatics and non-uniform fast Fourier transforms, on CPUs and NVIDIA GPUs.

    import enuf
    result = enuf.ewald(positions, charges, cell, accuracy=1e-8)   # result.energy, result.forces
    ewald = enuf.Ewald(cell, charges, accuracy=1e-6)               # for many evaluations
    modes = enuf.nufft2d1(x, y, strengths, (128, 96), tolerance=1e-9)

docs/python.md is the guide. SPDX-License-Identifier: BSD-3-Clause
"""
from ._batch import EwaldBatch
from ._direct import Direct
from ._encoding import Encoding
from ._ewald import Ewald, ewald
from ._exact import exact_ewald
from ._gram import Gram
from ._library import __version__, usable
from ._plan import Plan
from ._report import Candidate, EncodingReport, GramReport, MeasuredError, PlanReport, Report, Solution
from ._result import Result
from ._slopes import Slopes
from ._transforms import (direct_sum, direct_type1, direct_type2, nufft1d1, nufft1d2, nufft1d3, nufft2d1, nufft2d2,
                          nufft2d3, nufft3d1, nufft3d2, nufft3d3)
from ._trajectory import trajectory
from ._ewald_tuning import EwaldTuning, TimedCandidate
from ._tuning import Aliasing, PlanCandidate, PlanTuning, aliasing, tune_plan
from .errors import (ArrayError, BadArgument, BadFile, BadMemory, Error, FileError, ForkError, Internal,
                     LibraryNotFound, NoBackend, NoPointsSet, NotFinite, OutOfMemory, OutsideBrick, Overflowed,
                     UnreachableAccuracy, Unsupported)

__all__ = [
    'Aliasing', 'ArrayError', 'BadArgument', 'BadFile', 'BadMemory', 'Candidate', 'Direct', 'Encoding',
    'EncodingReport', 'Error', 'Ewald', 'EwaldBatch', 'EwaldTuning', 'FileError', 'ForkError', 'Gram', 'GramReport',
    'Internal', 'LibraryNotFound', 'MeasuredError', 'NoBackend', 'NoPointsSet', 'NotFinite', 'OutOfMemory',
    'OutsideBrick', 'Overflowed', 'Plan', 'PlanCandidate', 'PlanReport', 'PlanTuning', 'Report', 'Result', 'Slopes',
    'Solution', 'TimedCandidate', 'UnreachableAccuracy', 'Unsupported', '__version__', 'aliasing', 'direct_sum',
    'direct_type1', 'direct_type2', 'ewald', 'exact_ewald', 'nufft1d1', 'nufft1d2', 'nufft1d3', 'nufft2d1',
    'nufft2d2', 'nufft2d3', 'nufft3d1', 'nufft3d2', 'nufft3d3', 'trajectory', 'tune_plan', 'usable']
