"""Results of an Ewald sum: what is wanted, the arrays for it, and what the caller gets.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from ctypes import sizeof
from typing import Any, Iterable, Mapping

import numpy as np

from . import _arrays
from ._structs import EwaldParts, EwaldResult, EwaldResultF32
from .errors import BadArgument

#: name: (bit of the mask, columns of the array of atoms; 0: a value for each atom, None: no array)
WANTED: dict[str, tuple[int, int | None]] = {
    'energy': (1, None), 'forces': (2, 3), 'virial': (4, None), 'atom_energy': (8, 0),
    'atom_virial': (16, 6), 'potential': (32, 0), 'field': (64, 3)}
PARTS = tuple(field[0] for field in EwaldParts._fields_)


class Result:
    """Results of a call; None where something was not wanted. Units follow `coulomb` and the lengths.

    energy       float, C q^2/length
    parts        dict of the energy's parts: real, reciprocal, self, background, surface, excluded
    virial       [6] NumPy, -dE/dstrain: xx, yy, zz, xy, xz, yz
    net_force    [3] NumPy, of the mesh, before its mean was subtracted; None unless forces are wanted
    forces       [n, 3]; this and the following are arrays of the kind and type of the positions
    atom_energy  [n], sums to the energy
    atom_virial  [n, 6], sums to the virial
    potential    [n], energy of a unit charge
    field        [n, 3], -gradient of the potential
    """
    __slots__ = ('energy', 'parts', 'virial', 'net_force', 'forces', 'atom_energy', 'atom_virial',
                 'potential', 'field')

    def __init__(self) -> None:
        self.energy: Any = None
        self.parts: Any = None
        self.virial: Any = None
        self.net_force: Any = None
        self.forces: Any = None
        self.atom_energy: Any = None
        self.atom_virial: Any = None
        self.potential: Any = None
        self.field: Any = None

    def __repr__(self) -> str:
        there = ', '.join(name for name in self.__slots__ if getattr(self, name) is not None)
        return f'<enuf.Result with {there}>'


def names_of(wanted: Iterable[str]) -> tuple[str, ...]:
    """The wanted names, checked."""
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for name in names:
        if name not in WANTED:
            raise BadArgument(f'{name!r} is no result: ' + ', '.join(WANTED))
    if not names:
        raise BadArgument('nothing is wanted: ' + ', '.join(WANTED))
    return names


class Request:
    """The record of a call, with the arrays that it points to."""
    __slots__ = ('mask', 'record', 'arrays', 'like', 'given')

    def __init__(self, names: tuple[str, ...], n: int, like: _arrays.View, out: Mapping[str, Any] | None):
        self.like, self.given = like, out or {}
        self.mask = 0
        kind = EwaldResultF32 if like.dtype == 'float32' else EwaldResult
        self.record: Any = kind(struct_size=sizeof(kind))
        self.arrays: dict[str, _arrays.View] = {}
        for name in self.given:
            if name not in names or WANTED[name][1] is None:
                raise BadArgument(f'out: {name!r} is no wanted array: {", ".join(names)} are wanted')
        for name in names:
            bit, columns = WANTED[name]
            self.mask |= bit
            if columns is None:
                continue
            shape = (n, columns) if columns else (n,)
            if name in self.given:
                found = _arrays.view(self.given[name], name)
                _arrays.expect(found, name, like.dtype, shape, 'as the positions')
                _arrays.expect_order(found, name)
                _arrays.expect_writable(found, name)
                _arrays.expect_device(found, name, like.device, 'positions live')
            else:
                found = _arrays.made(like, shape, like.dtype)
            self.arrays[name] = found
            setattr(self.record, name, found.pointer)

    def result(self) -> Result:
        """What the caller gets, after the call."""
        record, result = self.record, Result()
        if self.mask & 1:
            result.energy = record.energy
            parts = record.parts
            result.parts = {name: getattr(parts, name) for name in PARTS}
        if self.mask & 4:
            result.virial = np.array(record.virial)
        if self.mask & 2:
            result.net_force = np.array(record.net_force)
        for name, found in self.arrays.items():
            setattr(result, name, self.given[name] if name in self.given else
                    _arrays.deliver(found.array, self.like))
        return result
