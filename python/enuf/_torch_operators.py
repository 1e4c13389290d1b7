"""The custom operators of enuf.torch: torch.compile calls them and does not look inside.

Tensors are float64 and contiguous. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
import torch
from torch import Tensor, library

from . import _derivatives
from .errors import Unsupported


def _host(tensor: Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy()


@library.custom_op('enuf::energy', mutates_args=())
def energy(positions: Tensor, charges: Tensor, cell: Tensor, key: str) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """E, and its derivatives with respect to positions, charges and cell: one evaluation gives all."""
    value, forces, potentials, slope = _derivatives.energy(key, positions.detach(), _host(charges), _host(cell))
    return (torch.tensor(value, dtype=torch.float64, device=positions.device), -forces, potentials,
            torch.from_numpy(slope).to(cell.device))


@energy.register_fake
def _(positions, charges, cell, key):
    return positions.new_empty(()), torch.empty_like(positions), torch.empty_like(charges), torch.empty_like(cell)


@library.custom_op('enuf::potential', mutates_args=())
def potential(positions: Tensor, charges: Tensor, cell: Tensor, key: str) -> Tensor:
    """Potentials [n]."""
    return _derivatives.potential(key, positions.detach(), _host(charges), _host(cell))


@potential.register_fake
def _(positions, charges, cell, key):
    return torch.empty_like(charges)


@library.custom_op('enuf::bilinear', mutates_args=())
def bilinear(positions: Tensor, charges: Tensor, other: Tensor, cell: Tensor, key: str) -> Tuple[Tensor, Tensor]:
    """Derivatives of sum_i other_i phi_i[charges] with respect to positions and cell."""
    forces, slope = _derivatives.bilinear(key, positions.detach(), _host(charges), _host(other), _host(cell))
    return -forces, torch.from_numpy(slope).to(cell.device)


@bilinear.register_fake
def _(positions, charges, other, cell, key):
    return torch.empty_like(positions), torch.empty_like(cell)


@library.custom_op('enuf::energies', mutates_args=())
def energies(positions: Tensor, charges: Tensor, cells: Tensor, offsets: Tensor,
             key: str) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """Energies [systems] of a batch, and their derivatives."""
    values, forces, potentials, slopes = _derivatives.energies(
        key, positions.detach(), charges.detach(), _host(cells), _host(offsets))
    return values, -forces, potentials, torch.from_numpy(slopes).to(cells.device)


@energies.register_fake
def _(positions, charges, cells, offsets, key):
    return (positions.new_empty(cells.shape[0]), torch.empty_like(positions), torch.empty_like(charges),
            torch.empty_like(cells))


def _refuse(*gradients: Optional[Tensor]) -> None:
    if any(gradient is not None for gradient in gradients):
        raise Unsupported('second derivatives with respect to positions or cell: the library has no product with the '
                          'Hessian. First derivatives, and second ones with respect to charges, are there')


def _save(ctx, inputs, output):
    *tensors, ctx.key = inputs
    ctx.set_materialize_grads(False)
    # derivatives are outputs of `energy`: so a derivative of them comes back here
    ctx.save_for_backward(*tensors, *(output[1:] if ctx.of_energy else ()))


def _save_energy(ctx, inputs, output):
    ctx.of_energy = True
    _save(ctx, inputs, output)


def _save_others(ctx, inputs, output):
    ctx.of_energy = False
    _save(ctx, inputs, output)


def _sum(a: Optional[Tensor], b: Optional[Tensor]) -> Optional[Tensor]:
    return b if a is None else a if b is None else a + b


def _of_energy(ctx, gradient, of_slope, of_potentials, of_cell_slope):
    positions, charges, cell, slope, potentials, cell_slope = ctx.saved_tensors
    _refuse(of_slope, of_cell_slope)
    x = q = h = None
    if gradient is not None:
        x, q, h = gradient * slope, gradient * potentials, gradient.to(cell.device) * cell_slope
    if of_potentials is not None:  # the potentials were differentiated: E is quadratic in the charges
        more_x, more_q, more_h = _of_sum(positions, charges, of_potentials.contiguous(), cell, ctx.key)
        x, q, h = _sum(x, more_x), _sum(q, more_q), _sum(h, more_h)
    return x, q, h, None


def _of_sum(positions, charges, other, cell, key):
    """Derivatives of sum_i other_i phi_i."""
    of_positions, of_cell = bilinear(positions, charges, other, cell, key)
    return of_positions, potential(positions, other, cell, key), of_cell


def _of_potential(ctx, gradient):
    if gradient is None:
        return None, None, None, None
    positions, charges, cell = ctx.saved_tensors
    return *_of_sum(positions, charges, gradient.contiguous(), cell, ctx.key), None


def _of_bilinear(ctx, *gradients):
    _refuse(*gradients)
    return None, None, None, None, None


def _save_energies(ctx, inputs, output):
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(inputs[3], *output[1:])


def _of_energies(ctx, gradient, *of_slopes):
    _refuse(*of_slopes)
    if gradient is None:
        return None, None, None, None, None
    offsets, slope, potentials, cell_slopes = ctx.saved_tensors
    counts = (offsets[1:] - offsets[:-1]).to(gradient.device)
    atoms = torch.repeat_interleave(gradient, counts, output_size=slope.shape[0])
    return (atoms[:, None] * slope, atoms * potentials, gradient.to(cell_slopes.device)[:, None, None] * cell_slopes,
            None, None)


energies.register_autograd(_of_energies, setup_context=_save_energies)
energy.register_autograd(_of_energy, setup_context=_save_energy)
potential.register_autograd(_of_potential, setup_context=_save_others)
bilinear.register_autograd(_of_bilinear, setup_context=_save_others)
