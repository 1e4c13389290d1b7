"""The class Ewald, and the function ewald. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import math
import os
from ctypes import byref, c_int64, sizeof
from typing import Any, Callable, Iterable, Mapping

import numpy as np

from . import _arrays, _ewald_tuning, _report
from ._ewald_objects import Objects
from ._ewald_tuning import EwaldTuning
from ._handle import Handle, threads_here
from ._library import check, lib
from ._options import fill
from ._report import Candidate, MeasuredError, Report
from ._result import Request, Result, names_of
from ._slopes import Slopes, differentiate
from ._streams import wait_for
from ._structs import EwaldCandidate, EwaldError, EwaldOptions, EwaldReport, Log
from .errors import BadArgument, NoPointsSet


class Ewald:
    """Coulomb energy, forces and virial of charges in a periodic cell.

        E = 1/2 sum_i q_i phi_i,   times `coulomb`

    The object chooses its parameters by the accuracy at the first evaluation and keeps them. It serves one
    thread at a time; threads that share it wait for each other.

    cell        [3, 3] rows a, b, c, any orientation and tilt; [3] edges; or the edge of a cube. Length
    charges     [n]; of any type, the object keeps them in double
    accuracy    A = RMS error of the force vector / F_ref, 1e-2 ... 1e-13 [1e-6];
                F_ref = coulomb (sum q^2/n) (n/V)^(2/3)
    force_error, lammps_accuracy
                instead: RMS error of the force vector in units of force; or as LAMMPS counts it
    coulomb     C of E = C q q / r: 14.399645 for eV, Angstrom and e [1]
    exclusions  [m, 2] pairs of atoms whose interaction is left out
    exclusion_weights  [m] weight of each pair: 0 leaves it out, 1 keeps it [0]
    split       'auto', 'gaussian', 'prolate'
    arithmetic  'auto', 'double', 'mixed', 'by_accuracy'
    backend     'auto': the CPU for arrays on the host, the GPU for arrays on it; 'cpu'; 'cuda': the GPU for
                arrays on the host too
    stream      of CuPy or PyTorch, or the number of a cudaStream_t [the caller's current one]
    threads     [those of OpenMP; one in the child of a fork]
    surroundings  dielectric constant around the sphere of cells: 0 tinfoil, 1 vacuum [0]
    slab        EW3DC: factor >= 1 that extends the cell along z [none]
    evaluations number of evaluations to come; choosing and evaluating then take the least time together
                [many]
    calibration_file  of `enuf tune --calibrate FILE`: this machine's costs. With backend='auto' they count where the
                file was made, on the CPU or the GPU, and the library's own on the other; 'cpu' and 'cuda' refuse a
                file of the other
    log         function that receives lines of text about long work

    cutoff, alpha, c, kmax, grid, window, width, shape are kept where given; the accuracy chooses the others.
    enuf/ewald.h describes all options, docs/conventions.md signs and units.

    Raises BadArgument, NoBackend, OutOfMemory; ArrayError for arrays that would have to be copied.
    """

    def __init__(self, cell: Any, charges: Any, *, accuracy: float | None = None,
                 force_error: float | None = None, lammps_accuracy: float | None = None,
                 coulomb: float | None = None, exclusions: Any = None, exclusion_weights: Any = None,
                 split: str | None = None, cutoff: float | None = None, alpha: float | None = None,
                 c: float | None = None, kmax: float | None = None, grid: Iterable[int] | None = None,
                 window: str | None = None, width: int | None = None, shape: float | None = None,
                 surroundings: float | None = None, slab: float | None = None,
                 keep_net_force: bool | None = None, truncated: bool | None = None,
                 arithmetic: str | None = None, backend: str = 'auto', device: int | None = None,
                 stream: Any = None, isa: str | None = None, fft: str | None = None,
                 threads: int | None = None, deterministic: bool | None = None,
                 memory_limit: int | None = None, calibration_file: str | None = None,
                 evaluations: int | None = None, log: Callable[[str], None] | None = None):
        if accuracy is None and (force_error or lammps_accuracy):
            accuracy = 0
        given = dict(locals())
        for name in ('self', 'cell', 'charges', 'exclusions', 'exclusion_weights', 'log'):
            del given[name]
        given['threads'] = threads_here(threads)
        filled = fill(EwaldOptions, 'enuf_ewald_options_init', given)
        if log is not None:
            filled.log = self._log = Log(lambda _, text: log(text.decode(errors='replace')))
        self._objects = Objects(filled, cell, charges, exclusions, exclusion_weights)
        self._pending: tuple[Request, _arrays.View, Handle] | None = None
        self._tuning: EwaldTuning | None = None
        self._holds = False
        self._held_on: int | None = None  # the GPU of the positions held; None: the host

    @property
    def cell(self) -> np.ndarray:
        """[3, 3] rows a, b, c, a copy."""
        return self._objects.cell.copy()

    @property
    def charges(self) -> np.ndarray:
        """[n], a copy."""
        return self._objects.charges.copy()

    def set_cell(self, cell: Any) -> None:
        """Sets another cell. Parameters stay while they reach the accuracy."""
        self._objects.set_cell(cell)

    def set_charges(self, charges: Any, exclusions: Any = None, exclusion_weights: Any = None) -> None:
        """Sets charges [n] and exclusions anew. They may be another number."""
        self._objects.set_charges(charges, exclusions, exclusion_weights)

    # ---- evaluations ----

    def compute(self, positions: Any, wanted: str | Iterable[str] = ('energy', 'forces'), *,
                out: Mapping[str, Any] | None = None) -> Result:
        """Computes all terms.

        positions  [n, 3] float64 or float32, Cartesian, anywhere in space. Rows may be apart: x[:, :3] of an
                   array [n, 4] serves as it is. Arrays of results are of their kind and type, on their device;
                   energy and virial are always in double
        wanted     'energy', 'forces', 'virial', 'atom_energy', 'atom_virial', 'potential', 'field'
        out        arrays for some of the results, of the type of the positions: {'forces': array [n, 3]}

        Raises NotFinite, BadArgument for two charges at one place, ArrayError.
        """
        return self._evaluate('compute', positions, wanted, out)

    def real(self, positions: Any, wanted: str | Iterable[str] = ('energy', 'forces'), *,
             out: Mapping[str, Any] | None = None) -> Result:
        """Computes only the pairs inside the cutoff, and the exclusions. Arguments as of compute()."""
        return self._evaluate('real', positions, wanted, out)

    def reciprocal(self, positions: Any, wanted: str | Iterable[str] = ('energy', 'forces'), *,
                   out: Mapping[str, Any] | None = None) -> Result:
        """Computes only the modes, and the terms self, background and surface. Arguments as of compute()."""
        return self._evaluate('reciprocal', positions, wanted, out)

    def _evaluate(self, name: str, positions: Any, wanted: Any, out: Any) -> Result:
        return self._call(name, positions, wanted, out)[0].result()

    def _call(self, name: str, positions: Any, wanted: Any, out: Any) -> tuple[Request, _arrays.View, Handle]:
        found, stride, handle = self._positions(positions, 'float32')
        request = Request(names_of(wanted), len(self._objects.charges), found, out)
        function = getattr(lib, f'enuf_ewald_{name}_f32' if found.dtype == 'float32' else f'enuf_ewald_{name}')
        with handle as address:
            check(function(address, found.pointer, stride, request.mask, byref(request.record)))
        return request, found, handle

    def _positions(self, positions: Any, other: str = 'float64') -> tuple[_arrays.View, int, Handle]:
        """`other` is a type that serves too."""
        found = _arrays.view(positions, 'positions')
        dtype = other if found.dtype == other else 'float64'
        _arrays.expect(found, 'positions', dtype, (len(self._objects.charges), 3))
        stride = _arrays.row_stride(found, 'positions', 3)
        return found, stride, self._objects.get(found.device, found.stream)

    def differentiate(self, positions: Any, displacements: Any = None, charges: Any = None, cell: Any = None,
                      wanted: str | Iterable[str] = ('forces', 'potential', 'cell')) -> Slopes:
        """Derivatives of the results at positions + t displacements, charges + t charges, cell + t cell, at t = 0.

        These are products with the Hessian of the energy: minus the slopes of forces, those of potentials and of
        dE/dcell. They are linear in the direction, and symmetric. On a CPU it takes three to four times as long as
        energy and forces.

        positions      [n, 3] float64
        displacements  [n, 3] of the positions; None: they stay; charges [n], cell [3, 3] likewise. For positions on a
                       GPU displacements and charges are float64 there
        wanted         'energy', 'forces', 'potential', 'virial', 'cell'

        Raises NotFinite, ArrayError.
        """
        found, stride, handle = self._positions(positions)
        return differentiate(handle, found, stride, (displacements, charges, cell), wanted)

    def hold(self, positions: Any) -> Ewald:
        """Holds positions [n, 3] float64, on the host or a GPU, for apply(). On a CPU it takes two evaluations. Returns
        the object.

        The positions are copied. Those held before on another device are no longer used.
        """
        found, stride, handle = self._positions(positions)
        with handle as address:
            check(lib.enuf_ewald_hold(address, found.pointer, stride))
        self._holds, self._held_on = True, found.device
        return self

    def apply(self, charges: Any, out: Any = None) -> Any:
        """Potentials A q of any charges at the positions held: for charge equilibration and electrodes.

        charges  [n] or [vectors, n] float64, where the positions are held: on the host or a GPU. On a CPU a set takes
                 about half of the time of energy and forces, each of eight about a third
        out      an array of this shape there for the potentials; None: a new one of the kind of the charges

        The call is linear: the background of a net charge, the surface term and the exclusions are contained. Raises
        NoPointsSet without hold(), ArrayError.
        """
        found = _arrays.view(charges, 'charges')
        n = len(self._objects.charges)
        shape = (n,) if len(found.shape) == 1 else (None, n)
        _arrays.expect(found, 'charges', 'float64', shape)
        _arrays.expect_order(found, 'charges')
        if self._holds:
            _arrays.expect_device(found, 'charges', self._held_on, 'positions are held')
        if out is None:
            result = _arrays.made(found, found.shape, 'float64')
        else:
            result = _arrays.view(out, 'out')
            _arrays.expect(result, 'out', 'float64', found.shape)
            _arrays.expect_order(result, 'out')
            _arrays.expect_writable(result, 'out')
            _arrays.expect_device(result, 'out', found.device, 'charges live')
            if result.stream != found.stream:
                wait_for(result.stream)
        vectors = 1 if len(found.shape) == 1 else found.shape[0]
        with self._objects.get(found.device, found.stream) as address:
            check(lib.enuf_ewald_apply(address, vectors, found.pointer, result.pointer))
        return _arrays.deliver(result.array, found) if out is None else out

    def begin(self, positions: Any, wanted: str | Iterable[str] = ('energy', 'forces'), *,
              out: Mapping[str, Any] | None = None) -> None:
        """Begins compute(). On a GPU the work runs until finish() waits for it. Leave positions unchanged."""
        self._pending = self._call('begin', positions, wanted, out)

    def finish(self) -> Result:
        """The results of begin()."""
        if self._pending is None:
            raise NoPointsSet('finish() without begin()')
        request, _, handle = self._pending
        with handle as address:
            status = lib.enuf_ewald_finish(address)
            self._pending = None
            check(status)
        return request.result()

    def energy(self, positions: Any) -> float:
        """The energy, C q^2/length, at positions [n, 3]."""
        return self.compute(positions, ('energy',)).energy

    def forces(self, positions: Any) -> Any:
        """Forces [n, 3] = -dE/dposition, of the kind and type of the positions [n, 3]."""
        return self.compute(positions, ('forces',)).forces

    def virial(self, positions: Any) -> np.ndarray:
        """Virial [6] = -dE/dstrain: xx, yy, zz, xy, xz, yz, at positions [n, 3]."""
        return self.compute(positions, ('virial',)).virial

    def potential(self, positions: Any) -> Any:
        """Potentials [n] = dE/dq: the energy of a unit charge at each atom."""
        return self.compute(positions, ('potential',)).potential

    def field(self, positions: Any) -> Any:
        """Fields [n, 3] = -gradient of the potential at each atom."""
        return self.compute(positions, ('field',)).field

    def per_atom(self, positions: Any) -> tuple[Any, Any]:
        """Shares of the atoms: energies [n] and virials [n, 6], which sum to energy and virial."""
        result = self.compute(positions, ('atom_energy', 'atom_virial'))
        return result.atom_energy, result.atom_virial

    # ---- the choice of parameters, and errors ----

    def _with_positions(self, function: Any, positions: Any) -> None:
        if positions is None:
            with self._objects.last as address:
                check(function(address, None, 0))
            return
        found, stride, handle = self._positions(positions)
        with handle as address:
            check(function(address, found.pointer, stride))

    def tune(self, positions: Any = None, effort: str = 'estimate', *, wisdom: str | os.PathLike | None = None,
             keep: Iterable[str] = (), virial: bool = False, uncorrelated: bool = False, trials: int | None = None,
             time_limit: float | None = None, memory_limit: int | None = None, dearest: float | None = None) -> Report:
        """Chooses the parameters: by the accuracy alone, or so that the error measured at positions [n, 3]
        meets it, which is often faster. Takes some evaluations. `tuning` then has the candidates of the other efforts.

        effort        'estimate': error model and cost model; nothing is timed. 'measure' times candidates near the
                      best at the positions, on this machine, and sets the fastest that meets the accuracy;
                      'exhaustive' times all; 'wisdom_only' takes what wisdom has
        wisdom        a file: read first if it is there, and written if something was timed
        keep          some of 'split', 'cutoff', 'grid', 'width': stay as the object has them
        virial        True: evaluations with the virial are timed
        uncorrelated  True: errors are predicted for uncorrelated charges, not calibrated at the positions
        trials        timings of a candidate that may be the best [8]
        time_limit    seconds of timing
        memory_limit  bytes that the object may hold
        dearest       candidates may cost so many times the cheapest, by the cost model [2]

        Raises UnreachableAccuracy; BadArgument, OutOfMemory with the least need, BadFile with line and column;
        Unsupported for timings with `deterministic`, and if wisdom has nothing. The object then stays as it was.
        """
        given = {'trials': trials, 'time_limit': time_limit, 'memory_limit': memory_limit, 'dearest': dearest}
        plain = not (wisdom or keep or virial or uncorrelated) and all(value is None for value in given.values())
        if effort == 'estimate' and plain:
            self._with_positions(lib.enuf_ewald_tune, positions)
            self._tuning = None
            return self.report()
        request = _ewald_tuning.request_of(effort, keep, virial, uncorrelated, given)
        if positions is None:
            raise BadArgument(f'effort={effort!r} without positions: give some, [n, 3]')
        found, stride, handle = self._positions(positions)
        with handle as address:
            self._tuning = _ewald_tuning.tune(address, request, found.pointer, stride, wisdom)
        return self.report()

    @property
    def tuning(self) -> EwaldTuning | None:
        """The candidates of the last tune() that looked at some; None before, and after an estimate alone."""
        return self._tuning

    def verify(self, positions: Any) -> Report:
        """Compares the choice with a finer reference at positions [n, 3], and chooses anew if it errs by more
        than the accuracy. compute() does this at its first positions."""
        self._with_positions(lib.enuf_ewald_verify, positions)
        return self.report()

    def measure_tail(self, positions: Any) -> Report:
        """Adds the modes beyond kmax to energy and virial, by the structure factor of positions [n, 3]."""
        self._with_positions(lib.enuf_ewald_measure_tail, positions)
        return self.report()

    def measure_error(self, positions: Any, sample: int = 0, seed: int = 1) -> MeasuredError:
        """Compares compute() at positions [n, 3] with exact sums on `sample` charged atoms (0: all). Slow."""
        found, stride, handle = self._positions(positions)
        error = EwaldError(struct_size=sizeof(EwaldError))
        with handle as address:
            check(lib.enuf_ewald_measure_error(address, found.pointer, stride, sample, seed, byref(error)))
        return _report.read(MeasuredError, error)

    def report(self) -> Report:
        """The parameters in use, and the errors predicted. Before tune() or compute() there are none yet."""
        report = EwaldReport(struct_size=sizeof(EwaldReport))
        with self._objects.last as address:
            check(lib.enuf_ewald_get_report(address, byref(report)))
        return _report.read(Report, report)

    def candidates(self, dearest: float = 2.0, most: int = 100) -> list[Candidate]:
        """Parameters that serve the accuracy: those in use, then others by ascending cost.

        dearest  cost of the last one over the cheapest, >= 1
        """
        if not math.isfinite(dearest) or most < 1:
            raise BadArgument(f'dearest={dearest}, most={most}: a finite number and at least 1 are needed')
        records, n = (EwaldCandidate * most)(), c_int64()
        records[0].struct_size = sizeof(EwaldCandidate)
        with self._objects.last as address:
            check(lib.enuf_ewald_list_candidates(address, dearest, most, byref(records), byref(n)))
        return [_report.read(Candidate, record) for record in records[:n.value]]

    def __repr__(self) -> str:
        return f'<enuf.Ewald of {len(self._objects.charges)} charges>'


def ewald(positions: Any, charges: Any, cell: Any, wanted: str | Iterable[str] = ('energy', 'forces'),
          **options: Any) -> Result:
    """Computes all terms once: Ewald(cell, charges, **options).compute(positions, wanted).

    positions  [n, 3] float64 or float32, Cartesian
    charges    [n]
    cell       [3, 3] rows a, b, c; [3]; or the edge of a cube
    wanted     as in :meth:`Ewald.compute`
    options    of :class:`Ewald`; parameters are chosen so that one evaluation takes the least time
    """
    options.setdefault('evaluations', 1)
    return Ewald(cell, charges, **options).compute(positions, wanted)
