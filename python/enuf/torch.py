"""Ewald sums in PyTorch: gradients through positions, charges and cell; safe under torch.compile.

    import enuf.torch
    energy = enuf.torch.energy(positions, charges, cell, accuracy=1e-8)
    energy.backward()                                   # positions.grad, charges.grad, cell.grad

EwaldCalculator, PMECalculator, P3MCalculator and CoulombPotential take the place of torch-pme's: change the import.

Sums are computed in double; float32 tensors are converted, and results have the type of the positions. First and second
derivatives are exact to the accuracy: a loss of forces or stress can be trained. They are computed where the positions
are. Second derivatives of energies() go one structure after the other. Third ones raise Unsupported.
SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any

import torch

from . import _derivatives
from . import _torch_operators as operators
from .errors import BadArgument

__all__ = ['CoulombPotential', 'EwaldCalculator', 'P3MCalculator', 'PMECalculator', 'energies', 'energy', 'potential']


def _double(tensor: torch.Tensor) -> torch.Tensor:
    """In double and contiguous; one that is goes the short way."""
    return tensor if tensor.dtype is torch.float64 and tensor.is_contiguous() else tensor.to(torch.float64).contiguous()


def _doubles(positions: torch.Tensor, charges: torch.Tensor, cell: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """In double; the cell on the host, where the library reads it: a derivative does not wait for it again."""
    return _double(positions), _double(charges), _double(cell if cell.is_cpu else cell.to('cpu', torch.float64))


def energy(positions: torch.Tensor, charges: torch.Tensor, cell: torch.Tensor, *, on_host: bool = False,
           **options: Any) -> torch.Tensor:
    """The energy, a scalar tensor: 1/2 sum q phi times `coulomb`.

    positions  [n, 3] Cartesian, on the CPU or a GPU
    charges    [n]
    cell       [3, 3] rows a, b, c; on the host a call does not wait for it
    on_host    True: the energy is a tensor of the CPU, which has it when a call returns, whatever the device of the
               positions. To read it, and to begin backward(), then takes no time of a GPU
    options    of :class:`enuf.Ewald`: accuracy, coulomb, exclusions, ...

    Gradients: minus the forces, the potentials, and the derivative with respect to the cell at fixed positions.
    """
    x, q, h = _doubles(positions, charges, cell)
    wanted = x.requires_grad + 2 * q.requires_grad + 4 * h.requires_grad if torch.is_grad_enabled() else 0
    found = operators.energy(x, q, h, _derivatives.key_of(options), wanted + 8 * on_host)[0]
    return found if x is positions else found.to(positions.dtype)


def energies(positions: torch.Tensor, charges: torch.Tensor, cells: torch.Tensor, offsets: torch.Tensor,
             **options: Any) -> torch.Tensor:
    """Energies [systems] of a batch of structures, in one call; gradients as of energy().

    positions  [atoms, 3] of all structures, one after the other
    charges    [atoms]
    cells      [systems, 3, 3]
    offsets    [systems + 1] whole numbers: structure s has the atoms offsets[s] ... offsets[s + 1] - 1
    options    of :class:`enuf.EwaldBatch`: tolerance, coulomb, ...
    """
    x, q, h = _doubles(positions, charges, cells)
    key = _derivatives.key_of(options)
    return operators.energies(x, q, h, offsets.to('cpu', torch.int64).contiguous(), key)[0].to(positions.dtype)


def potential(positions: torch.Tensor, charges: torch.Tensor, cell: torch.Tensor, **options: Any) -> torch.Tensor:
    """Potentials [n], dE/dq; arguments as of energy(). Any function of them can be differentiated."""
    x, q, h = _doubles(positions, charges, cell)
    return operators.potential(x, q, h, _derivatives.key_of(options)).to(positions.dtype)


class CoulombPotential(torch.nn.Module):
    """The potential prefactor / r, with the arguments of torchpme.CoulombPotential. `smearing` has no effect: the
    accuracy chooses the splitting."""

    def __init__(self, smearing: float | None = None, exclusion_radius: float | None = None,
                 exclusion_degree: int = 1, prefactor: float = 1.0, **_: Any):
        super().__init__()
        if exclusion_radius is not None:
            raise BadArgument('exclusion_radius: enuf leaves out pairs of atoms, by `exclusions`, not by distance')
        self.smearing, self.prefactor = smearing, float(prefactor)


class _Calculator(torch.nn.Module):
    """Potentials V_i = 1/2 sum_j q_j / r_ij over all images, as torch-pme's calculators give them.

    potential  a CoulombPotential, of torchpme or enuf.torch, for its prefactor [1]
    accuracy and other options of :class:`enuf.Ewald`; what tunes torch-pme's meshes has no effect
    """

    def __init__(self, potential: Any = None, *_: Any, full_neighbor_list: bool = False, prefactor: float | None = None,
                 lr_wavelength: float | None = None, mesh_spacing: float | None = None,
                 interpolation_nodes: int | None = None, **options: Any):
        super().__init__()
        if potential is not None and type(potential).__name__ != 'CoulombPotential':
            raise BadArgument(f'{type(potential).__name__}: enuf computes the CoulombPotential 1/r')
        if getattr(potential, 'exclusion_radius', None) is not None:
            raise BadArgument('exclusion_radius: enuf leaves out pairs of atoms, by `exclusions`, not by distance')
        if prefactor is None:
            prefactor = float(getattr(potential, 'prefactor', 1.0))
        self._key = _derivatives.key_of({'coulomb': prefactor, **options})

    def forward(self, charges: torch.Tensor, cell: torch.Tensor, positions: torch.Tensor,
                neighbor_indices: Any = None, neighbor_distances: Any = None, **periodic: Any) -> torch.Tensor:
        """Potentials [n, channels].

        charges    [n, channels]; each channel is a system of its own
        cell       [3, 3] rows a, b, c
        positions  [n, 3]
        neighbor_indices, neighbor_distances  not used: enuf finds the pairs. Gradients flow through positions
        """
        if charges.dim() != 2 or charges.shape[0] != positions.shape[0]:
            raise BadArgument(f'charges: shape {tuple(charges.shape)}: [n, channels] with n = {positions.shape[0]} '
                              'is needed')
        if any(value is not None for value in periodic.values()):
            raise BadArgument(f'{", ".join(periodic)}: sums are periodic along a, b and c, or with slab=3.0 along a '
                              'and b, over all atoms')
        x, q, h = _doubles(positions, charges, cell)
        columns = [operators.potential(x, q[:, k].contiguous(), h, self._key) for k in range(q.shape[1])]
        return (0.5 * torch.stack(columns, dim=1)).to(positions.dtype)


class EwaldCalculator(_Calculator):
    __doc__ = _Calculator.__doc__


class PMECalculator(_Calculator):
    __doc__ = _Calculator.__doc__


class P3MCalculator(_Calculator):
    __doc__ = _Calculator.__doc__
