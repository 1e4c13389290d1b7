"""A calculator for ASE: Coulomb energy, forces and stress of the initial charges of atoms.

    from enuf.ase import Ewald
    atoms.set_initial_charges(charges)              # in e
    atoms.calc = Ewald(accuracy=1e-6)
    atoms.get_potential_energy()                    # in eV

Beside a short-ranged potential: ase.calculators.mixing.SumCalculator([short_ranged, Ewald()]).
SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any

import numpy as np
from ase.calculators.calculator import Calculator, all_changes

from . import _ewald
from .errors import BadArgument

#: Coulomb constant in eV Angstrom / e^2, as of the command line and of LAMMPS' units metal
COULOMB = 14.399645

_VOIGT = [0, 1, 2, 5, 4, 3]  # xx, yy, zz, yz, xz, xy of xx, yy, zz, xy, xz, yz


class Ewald(Calculator):
    """Ewald sums as an ASE calculator, in eV, Angstrom and e.

    Charges are those of `atoms.set_initial_charges()`. The cell is periodic along all three vectors, or, with
    `slab`, along the first two. Parameters are chosen by the first positions; they stay while cell and charges
    allow it.

    options  of :class:`enuf.Ewald`: accuracy, split, threads, backend, ...; [coulomb 14.399645]

    Results: energy and free_energy (eV), energies [n], forces [n, 3] (eV/Angstrom), stress [6] (eV/Angstrom^3,
    xx, yy, zz, yz, xz, xy), charges [n] (e).
    """
    implemented_properties = ['energy', 'free_energy', 'energies', 'forces', 'stress', 'charges']

    def __init__(self, label: str | None = None, atoms: Any = None, **options: Any):
        self._options = {'coulomb': COULOMB, **options}
        self.ewald: _ewald.Ewald | None = None  #: the object in use, for report() and measure_error()
        # errors of the options show now, not at the first energy; exclusions need their atoms
        _ewald.Ewald(1.0, [], **{name: value for name, value in self._options.items()
                                 if name not in ('exclusions', 'exclusion_weights')})
        super().__init__(label=label, atoms=atoms)

    def calculate(self, atoms: Any = None, properties: Any = ('energy',), system_changes: Any = all_changes) -> None:
        """Computes the properties; ASE calls this."""
        super().calculate(atoms, properties, system_changes)
        atoms = self.atoms
        self._refuse_what_is_not_periodic(atoms)
        if not atoms.has('initial_charges'):
            raise BadArgument('the atoms have no charges: atoms.set_initial_charges(...) sets them, in e')
        positions, charges = atoms.positions, atoms.get_initial_charges()
        if self.ewald is None or len(charges) != len(self.ewald._objects.charges):
            self.ewald = _ewald.Ewald(np.array(atoms.cell), charges, **self._options)
            self.ewald.tune(positions)
        else:
            if not np.array_equal(self.ewald._objects.cell, atoms.cell):
                self.ewald.set_cell(np.array(atoms.cell))
            if not np.array_equal(self.ewald._objects.charges, charges):
                self.ewald.set_charges(charges, self._options.get('exclusions'),
                                       self._options.get('exclusion_weights'))
        wanted = ['energy', 'forces']
        if 'energies' in properties:
            wanted.append('atom_energy')
        if 'stress' in properties:
            wanted.append('virial')
        result = self.ewald.compute(positions, wanted)
        self.results = {'energy': result.energy, 'free_energy': result.energy, 'forces': result.forces,
                        'charges': charges}
        if 'energies' in properties:
            self.results['energies'] = result.atom_energy
        if 'stress' in properties:
            self.results['stress'] = -result.virial[_VOIGT] / atoms.get_volume()

    def _refuse_what_is_not_periodic(self, atoms: Any) -> None:
        slab = self._options.get('slab') or 0
        periodic = [True, True, slab == 0]
        if list(atoms.pbc) != periodic:
            raise BadArgument(
                f'pbc is {list(map(bool, atoms.pbc))}: {periodic} is needed '
                + ('with slab' if slab else 'for a sum over all images; slab=3.0 sums along a and b only'))
