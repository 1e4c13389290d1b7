"""enuf: Ewald electrostatics and non-uniform fast Fourier transforms, on CPUs and NVIDIA GPUs.

    import enuf
    result = enuf.ewald(positions, charges, cell, accuracy=1e-8)   # result.energy, result.forces
    ewald = enuf.Ewald(cell, charges, accuracy=1e-6)               # for many evaluations
    modes = enuf.nufft2d1(x, y, strengths, (128, 96), eps=1e-9)

docs/python.md is the guide. SPDX-License-Identifier: BSD-3-Clause
"""
from ._ewald import Ewald, ewald
from ._exact import exact_ewald
from ._library import __version__, usable
from ._report import Candidate, MeasuredError, Report
from ._result import Result
from .errors import (ArrayError, BadArgument, BadFile, BadMemory, Error, FileError, ForkError, Internal,
                     LibraryNotFound, NoBackend, NoPointsSet, NotFinite, OutOfMemory, OutsideBrick, Overflowed,
                     UnreachableAccuracy, Unsupported)

__all__ = [
    'ArrayError', 'BadArgument', 'BadFile', 'BadMemory', 'Candidate', 'Error', 'Ewald', 'FileError', 'ForkError',
    'Internal', 'LibraryNotFound', 'MeasuredError', 'NoBackend', 'NoPointsSet', 'NotFinite', 'OutOfMemory',
    'OutsideBrick', 'Overflowed', 'Report', 'Result', 'UnreachableAccuracy', 'Unsupported', '__version__', 'ewald',
    'exact_ewald', 'usable']
