"""Energies, potentials and their derivatives: what enuf.torch and enuf.jax are made of.

With E(x, q, h) of positions x [n, 3], charges q [n] and cell h (rows), and W the virial:

    dE/dx = -forces,   dE/dq = potentials,   dE/dh = (A h^-1)^T,   A = forces^T x - W

since a strain of cell and positions together changes the energy by -W. Derivatives of a sum over dE/dx, dE/dq and dE/dh
are products of its factors with the Hessian. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import ast
import collections
import functools
import threading
from ctypes import byref, sizeof
from typing import Any, Callable

import numpy as np

from . import _arrays, _handle
from ._batch import EwaldBatch
from ._ewald import Ewald
from ._library import check, lib
from ._result import WANTED
from ._structs import EwaldDirection, EwaldResult, EwaldSlopes
from .errors import BadArgument

POSITIONS, CHARGES, CELL = 1, 2, 4  #: with respect to which an energy is differentiated
_MOST_OBJECTS = 32  # the last ones used stay
_batches: collections.OrderedDict[tuple, tuple[EwaldBatch, threading.Lock]] = collections.OrderedDict()
_objects: collections.OrderedDict[tuple, tuple[Ewald, threading.Lock]] = collections.OrderedDict()
_lock = threading.Lock()
_ENERGY, _FORCES, _VIRIAL, _POTENTIAL = (WANTED[name][0] for name in ('energy', 'forces', 'virial', 'potential'))


def key_of(options: dict[str, Any]) -> str:
    """Options as a text, for operators that take no objects. Plain code, which torch.compile follows."""
    return '\n'.join([f'{name}={options[name]!r}' for name in sorted(options) if options[name] is not None])


@functools.lru_cache(maxsize=1024)
def options_of(key: str) -> dict[str, Any]:
    try:
        return {name: ast.literal_eval(text) for name, _, text in (line.partition('=') for line in key.splitlines())}
    except (ValueError, SyntaxError) as error:
        raise BadArgument(f'options have to be numbers, texts and lists of them here: {key!r}') from error


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    """Half the time of numpy.array_equal, which small systems notice."""
    return a.shape == b.shape and bool((a == b).all())


def _with_object(key: str, purpose: str, charges: Any, cell: np.ndarray, function: Callable[[Ewald], Any],
                 saved: bool = False) -> Any:
    """function(object), of an object that is kept for its options, number of atoms, GPU and purpose.

    charges  [n] of NumPy, or on the GPU of the positions, where they stay
    cell     [3, 3] of NumPy
    saved    charges are those of an evaluation before, as Objects.take_from_device() says
    """
    options = options_of(key)
    there = None if isinstance(charges, np.ndarray) else _arrays.view(charges, 'charges')
    if there and (there.device is None or 'exclusions' in options):  # these are set on the host
        there, charges = None, _in_numpy(charges)
    entry = (key, purpose, len(charges), there and there.device, _handle._forks)
    with _lock:
        found = _objects.pop(entry, None)
        if found is None:
            found = Ewald(cell, _in_numpy(charges), **options), threading.Lock()
        _objects[entry] = found
        while len(_objects) > _MOST_OBJECTS:
            _objects.popitem(last=False)
    ewald, mine = found
    with mine:
        if ewald._objects.cell.tobytes() != cell.tobytes():
            ewald.set_cell(cell)
        if there:
            return _on_device(ewald, there, function, saved)
        if not _same(ewald._objects.charges, charges):
            ewald.set_charges(charges, options.get('exclusions'), options.get('exclusion_weights'))
        return function(ewald)


def _on_device(ewald: Ewald, charges: _arrays.View, function: Callable[[Ewald], Any], saved: bool = False) -> Any:
    """function(ewald) with charges on a GPU. An evaluation waits for the GPU; an exception may come before it, and the
    caller may then free charges that the GPU still reads."""
    try:
        ewald._objects.take_from_device(charges, saved)
        return function(ewald)
    except BaseException:
        ewald._objects.wait_on(charges.device)
        raise


def _taken(array: Any, name: str, shape: tuple[int, ...]) -> _arrays.View:
    """The view of a contiguous array float64. A tensor may ask for gradients."""
    found = _arrays.of_tensor(array, name) if hasattr(array, 'is_cuda') else _arrays.view(array, name)
    if not _arrays.is_plain(found, 'float64', shape):
        _arrays.expect(found, name, 'float64', shape)
        _arrays.expect_order(found, name)
    return found


def _made(x: _arrays.View, shape: tuple[int, ...], is_wanted: int, record: Any, name: str) -> Any:
    """A new array for a result of the record; None where it is not wanted."""
    if not is_wanted:
        return None
    if x.kind == 'torch':
        tensor = x.array.new_empty(shape)
        setattr(record, name, tensor.data_ptr())
        return tensor
    found = _arrays.made(x, shape, 'float64')
    setattr(record, name, found.pointer)
    return found.array


# Ewald.compute() and Ewald.differentiate() take more of Python, which small systems notice.

def compute(key: str, purpose: str, positions: Any, charges: Any, cell: np.ndarray, mask: int) -> tuple:
    """The record of the results of the mask at positions [n, 3], forces, and potentials, of their kind."""
    n, record = len(charges), EwaldResult(sizeof(EwaldResult))
    x = _taken(positions, 'positions', (n, 3))
    forces = _made(x, (n, 3), mask & _FORCES, record, 'forces')
    potentials = _made(x, (n,), mask & _POTENTIAL, record, 'potential')

    def evaluate(ewald: Ewald) -> None:
        with ewald._objects.get(x.device, x.stream) as address:
            check(lib.enuf_ewald_compute(address, x.pointer, 3, mask, byref(record)))
    _with_object(key, purpose, charges, cell, evaluate)
    return record, forces, potentials


def energy(key: str, positions: Any, charges: Any, cell: np.ndarray, wanted: int = POSITIONS | CHARGES | CELL) -> tuple:
    """E, -dE/dx of the kind of the positions, dE/dq likewise, dE/dh [3, 3] of NumPy; None where it is not wanted."""
    mask = _ENERGY | (_FORCES if wanted & POSITIONS else 0) | (_POTENTIAL if wanted & CHARGES else 0)
    if wanted & CELL:
        mask |= _FORCES | _VIRIAL
    record, forces, potentials = compute(key, 'energy', positions, charges, cell, mask)
    slope = _cell_slope(_in_numpy(forces.T @ positions), record.virial, cell) if wanted & CELL else None
    return record.energy, forces if wanted & POSITIONS else None, potentials, slope


def potential(key: str, positions: Any, charges: Any, cell: np.ndarray) -> Any:
    """Potentials [n] of the kind of the positions."""
    return compute(key, 'potential', positions, charges, cell, _POTENTIAL)[2]


def product(key: str, positions: Any, charges: Any, cell: np.ndarray, along_positions: Any,
            along_charges: Any, along_cell: np.ndarray | None, wanted: int = POSITIONS | CHARGES | CELL) -> tuple:
    """The product of a direction with the Hessian of E: [n, 3] and [n] of the kind of the positions, [3, 3] of NumPy;
    None where it is not wanted.

    charges          those of the energy before, unchanged since
    along_positions  [n, 3] and along_charges [n], where the positions are; None each: 0
    """
    if along_positions is None and along_charges is None and along_cell is None:
        raise BadArgument('no direction: positions, charges and cell all stay')
    n, record = len(charges), EwaldSlopes(sizeof(EwaldSlopes))
    x = _taken(positions, 'positions', (n, 3))
    direction = EwaldDirection(sizeof(EwaldDirection))
    if along_positions is not None:
        along_positions = _taken(along_positions, 'displacements', (n, 3))
        direction.positions = along_positions.pointer
    if along_charges is not None:
        along_charges = _taken(along_charges, 'charges', (n,))
        direction.charges = along_charges.pointer
    if along_cell is not None:
        direction.cell = _taken(along_cell, 'cell', (3, 3)).pointer
    forces = _made(x, (n, 3), wanted & POSITIONS, record, 'forces')
    potentials = _made(x, (n,), wanted & CHARGES, record, 'potential')
    mask = (_FORCES if wanted & POSITIONS else 0) | (_POTENTIAL if wanted & CHARGES else 0)
    if wanted & CELL:
        mask |= _VIRIAL

    def differentiate(ewald: Ewald) -> None:
        with ewald._objects.get(x.device, x.stream) as address:
            check(lib.enuf_ewald_differentiate(address, x.pointer, 3, byref(direction), mask, byref(record)))
    _with_object(key, 'energy', charges, cell, differentiate, saved=True)
    slope = np.array(record.cell).reshape(3, 3) if wanted & CELL else None
    return None if forces is None else -forces, potentials, slope


def products(key: str, positions: Any, charges: np.ndarray, cells: np.ndarray, offsets: np.ndarray,
             along_positions: Any, along_charges: Any, along_cells: np.ndarray | None) -> list[tuple]:
    """product() of each structure of a batch, one after the other, by options of an EwaldBatch."""
    batch = options_of(key)
    options = {name: batch[name] for name in ('coulomb', 'surroundings', 'isa', 'threads') if name in batch}
    own = key_of({'accuracy': max(batch.get('tolerance') or 0, 1e-11), 'evaluations': 1, **options})

    def part(array: Any, s: int) -> Any:
        return None if array is None else array[offsets[s]:offsets[s + 1]]
    return [product(own, part(positions, s), part(charges, s), cells[s], part(along_positions, s),
                    part(along_charges, s), None if along_cells is None else along_cells[s])
            for s in range(len(cells))]


def _cell_slope(product: np.ndarray, virial: np.ndarray, cell: np.ndarray) -> np.ndarray:
    """(A h^-1)^T, where `product` is forces^T x."""
    xx, yy, zz, xy, xz, yz = virial
    a = product - np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.ascontiguousarray((a @ np.linalg.inv(cell)).T)


def _in_numpy(array: Any) -> np.ndarray:
    return array.cpu().numpy() if hasattr(array, 'cpu') else np.asarray(array)


def energies(key: str, positions: Any, charges: Any, cells: np.ndarray, offsets: np.ndarray) -> tuple:
    """Energies [systems] of a batch, forces, potentials, and dE/dh [systems, 3, 3] of NumPy.

    positions [atoms, 3] and charges [atoms] float64 of one kind
    """
    entry = (key, 'batch', _handle._forks)
    with _lock:
        found = _batches.pop(entry, None) or (EwaldBatch(**options_of(key)), threading.Lock())
        _batches[entry] = found
        while len(_batches) > _MOST_OBJECTS:
            _batches.popitem(last=False)
    batch, mine = found
    with mine:
        result = batch.set_systems(offsets, cells).compute(positions, charges)
        batch.check()  # on a GPU errors of the data would go unseen
    virials = _in_numpy(result['virials'])
    products = _in_numpy(result['forces'][:, :, None] * positions[:, None, :])
    slopes = np.empty_like(cells)
    for s, cell in enumerate(cells):
        slopes[s] = _cell_slope(products[offsets[s]:offsets[s + 1]].sum(axis=0), virials[s], cell)
    return result['energies'], result['forces'], result['potentials'], slopes
