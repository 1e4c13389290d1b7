"""The custom operators of enuf.torch: torch.compile calls them and does not look inside.

Tensors are float64 and contiguous; a cell on the host is not waited for. Each operator has its function of the same
name at the end, which calls it where it has to (_torch_eager.py). SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import torch
from torch import Tensor, library

from . import _derivatives
from ._torch_eager import Rules, beside
from .errors import Unsupported


def _host(tensor: Tensor) -> np.ndarray:
    return tensor.numpy(force=True)


def _charges(tensor: Tensor, positions: Tensor) -> Any:
    """On the GPU of the positions they stay where they are."""
    return tensor.detach() if tensor.is_cuda and tensor.device == positions.device else _host(tensor)


def _or_empty(like: Tensor, tensor: Optional[Tensor]) -> Tensor:
    """Operators give tensors only."""
    return like.new_empty(0) if tensor is None else tensor


def _like_wanted(wanted: int, *tensors: Tensor) -> tuple[Tensor, ...]:
    return tuple(torch.empty_like(tensor) if wanted >> k & 1 else tensor.new_empty(0)
                 for k, tensor in enumerate(tensors))


def _wanted(needed: tuple[bool, ...]) -> int:
    return sum(1 << k for k, one in enumerate(needed) if one)


def _scalar(positions: Tensor, wanted: int) -> Tensor:
    return torch.empty((), dtype=positions.dtype) if wanted & 8 else positions.new_empty(())


def _energy(positions: Tensor, charges: Tensor, cell: Tensor, key: str, wanted: int) -> tuple:
    """E, and its derivatives with respect to positions, charges and cell, of one evaluation; None where not wanted.

    wanted  sum of 1, 2, 4: with respect to positions, charges, cell; 8: E is on the host
    """
    value, forces, potentials, slope = _derivatives.energy(
        key, positions, _charges(charges, positions), _host(cell), wanted)
    return (_scalar(positions, wanted).fill_(value), None if forces is None else forces.neg_(),
            None if potentials is None else potentials.to(charges.device),
            None if slope is None else torch.from_numpy(slope).to(cell.device))


@library.custom_op('enuf::energy', mutates_args=())
def _energy_operator(positions: Tensor, charges: Tensor, cell: Tensor, key: str,
                     wanted: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    value, *slopes = _energy(positions, charges, cell, key, wanted)
    return value, *map(_or_empty, (positions, charges, cell), slopes)


@_energy_operator.register_fake
def _(positions, charges, cell, key, wanted):
    return _scalar(positions, wanted), *_like_wanted(wanted, positions, charges, cell)


def _potential(positions: Tensor, charges: Tensor, cell: Tensor, key: str) -> Tensor:
    """Potentials [n]."""
    return _derivatives.potential(key, positions, _charges(charges, positions), _host(cell))


_potential_operator = library.custom_op('enuf::potential', _potential, mutates_args=())


@_potential_operator.register_fake
def _(positions, charges, cell, key):
    return torch.empty_like(charges)


def _host_or_none(tensor: Optional[Tensor]) -> Optional[np.ndarray]:
    return None if tensor is None else _host(tensor)


def _there_or_none(tensor: Optional[Tensor], positions: Tensor) -> Optional[Tensor]:
    return tensor if tensor is None or tensor.device == positions.device else tensor.to(positions.device)


def _product(positions: Tensor, charges: Tensor, cell: Tensor, along_positions: Optional[Tensor],
             along_charges: Optional[Tensor], along_cell: Optional[Tensor], key: str, wanted: int) -> tuple:
    """The product of a direction with the Hessian of E: with respect to positions, charges and cell; None where not
    wanted, as in _energy()."""
    x, q, h = _derivatives.product(
        key, positions, _charges(charges, positions), _host(cell), _there_or_none(along_positions, positions),
        _there_or_none(along_charges, positions), _host_or_none(along_cell), wanted)
    return x, None if q is None else q.to(charges.device), None if h is None else torch.from_numpy(h).to(cell.device)


@library.custom_op('enuf::product', mutates_args=())
def _product_operator(positions: Tensor, charges: Tensor, cell: Tensor, along_positions: Optional[Tensor],
                      along_charges: Optional[Tensor], along_cell: Optional[Tensor], key: str,
                      wanted: int = 7) -> Tuple[Tensor, Tensor, Tensor]:
    found = _product(positions, charges, cell, along_positions, along_charges, along_cell, key, wanted)
    return tuple(map(_or_empty, (positions, charges, cell), found))


@_product_operator.register_fake
def _(positions, charges, cell, along_positions, along_charges, along_cell, key, wanted=7):
    return _like_wanted(wanted, positions, charges, cell)


def _energies(positions: Tensor, charges: Tensor, cells: Tensor, offsets: Tensor,
              key: str) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    """Energies [systems] of a batch, and their derivatives."""
    values, forces, potentials, slopes = _derivatives.energies(
        key, positions.detach(), charges.detach(), _host(cells), _host(offsets))
    return values, -forces, potentials, torch.from_numpy(slopes).to(cells.device)


_energies_operator = library.custom_op('enuf::energies', _energies, mutates_args=())


@_energies_operator.register_fake
def _(positions, charges, cells, offsets, key):
    return (positions.new_empty(cells.shape[0]), torch.empty_like(positions), torch.empty_like(charges),
            torch.empty_like(cells))


def _products(positions: Tensor, charges: Tensor, cells: Tensor, offsets: Tensor, along_positions: Optional[Tensor],
              along_charges: Optional[Tensor], along_cells: Optional[Tensor],
              key: str) -> Tuple[Tensor, Tensor, Tensor]:
    """Products of directions with the Hessians of a batch."""
    found = _derivatives.products(
        key, positions, _host(charges), _host(cells), _host(offsets),
        _there_or_none(along_positions, positions), _there_or_none(along_charges, positions),
        _host_or_none(along_cells))
    of_positions, of_charges, of_cells = zip(*found)
    return torch.cat(of_positions), torch.cat(of_charges), torch.from_numpy(np.stack(of_cells)).to(cells.device)


_products_operator = library.custom_op('enuf::products', _products, mutates_args=())


@_products_operator.register_fake
def _(positions, charges, cells, offsets, along_positions, along_charges, along_cells, key):
    return torch.empty_like(positions), torch.empty_like(charges), torch.empty_like(cells)


_THIRD = ('third derivatives: the library has the first and second ones. A product with the Hessian can be '
          'differentiated along its direction; detach() positions, charges and cell')


def _save(ctx, inputs, output, *more):
    """The tensors before the key, and more."""
    at = 3
    while not isinstance(inputs[at], str):
        at += 1
    ctx.key = inputs[at]
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:at], *more)


def _save_energy(ctx, inputs, output):
    # derivatives are outputs: so a derivative of them comes back here
    ctx.on_host = output[0].is_cpu
    _save(ctx, inputs, output, *output[1:])


def _contiguous(*tensors: Optional[Tensor]) -> list[Optional[Tensor]]:
    return [None if tensor is None else tensor.contiguous() for tensor in tensors]


def _sum(a: Optional[Tensor], b: Optional[Tensor]) -> Optional[Tensor]:
    return b if a is None else a if b is None else a + b


def _times(scalar: Tensor, tensor: Tensor) -> Tensor:
    """A scalar of the host goes to kernels as a number."""
    return (scalar if scalar.is_cpu else scalar.to(tensor.device)) * tensor


def _of_energy(ctx, gradient, *of_slopes):
    positions, charges, cell, *slopes = ctx.saved_tensors
    found = [None, None, None]
    if gradient is not None:
        found = [_times(gradient, slope) if needed else None for slope, needed in zip(slopes, ctx.needs_input_grad)]
    if any(of_slope is not None for of_slope in of_slopes):
        needed = ctx.needs_input_grad[:3]
        more = product(positions, charges, cell, *_contiguous(*of_slopes), ctx.key, _wanted(needed))
        found = [_sum(a, b) if one else None for a, b, one in zip(found, more, needed)]
    return *found, None, None


def _tangent(a: Optional[Tensor], b: Optional[Tensor]) -> Optional[Tensor]:
    return None if b is None else (a * b.to(a.device)).sum()


def _along_energy(ctx, *tangents):
    positions, charges, cell, *slopes = ctx.saved_tensors
    along = _contiguous(*tangents[:3])
    _, *of_energy = energy(positions, charges, cell, ctx.key, _wanted(tuple(one is not None for one in along)))
    value = None
    for slope, tangent in zip(of_energy, along):
        value = _sum(value, _tangent(slope, tangent) if tangent is not None else None)
    wanted = _wanted(tuple(slope is not None and slope.numel() > 0 for slope in slopes))
    found = product(positions, charges, cell, *along, ctx.key, wanted) if wanted else (None, None, None)
    along_all = (one if wanted >> k & 1 else None for k, one in enumerate(found))
    return value.to('cpu' if ctx.on_host else positions.device), *along_all


def _along_potential(ctx, *tangents):
    positions, charges, cell = ctx.saved_tensors
    return product(positions, charges, cell, *_contiguous(*tangents[:3]), ctx.key, 2)[1]


def _along_product(ctx, *tangents):
    if any(tangent is not None for tangent in tangents[:3]):
        raise Unsupported(_THIRD)
    along = _contiguous(*tangents[3:6])
    if all(one is None for one in along):
        return None, None, None
    found = product(*ctx.saved_tensors[:3], *along, ctx.key)
    return tuple(found)


def _of_potential(ctx, gradient):
    if gradient is None:
        return None, None, None, None
    needed = ctx.needs_input_grad[:3]
    found = product(*ctx.saved_tensors, None, gradient.contiguous(), None, ctx.key, _wanted(needed))
    return *(a if one else None for a, one in zip(found, needed)), None


def _of_product(ctx, *gradients):
    if any(ctx.needs_input_grad[:3]):
        raise Unsupported(_THIRD)
    if all(gradient is None for gradient in gradients):
        return (None,) * 8
    needed = ctx.needs_input_grad[3:6]
    found = product(*ctx.saved_tensors[:3], *_contiguous(*gradients), ctx.key, _wanted(needed))  # symmetric
    return None, None, None, *(a if one else None for a, one in zip(found, needed)), None, None


def _of_energies(ctx, gradient, *of_slopes):
    positions, charges, cells, offsets, slope, potentials, cell_slopes = ctx.saved_tensors
    found = [None, None, None]
    if gradient is not None:
        counts = (offsets[1:] - offsets[:-1]).to(gradient.device)
        atoms = torch.repeat_interleave(gradient, counts, output_size=slope.shape[0])
        found = [atoms[:, None] * slope, atoms * potentials,
                 gradient.to(cell_slopes.device)[:, None, None] * cell_slopes]
    if any(of_slope is not None for of_slope in of_slopes):
        more = products(positions, charges, cells, offsets, *_contiguous(*of_slopes), ctx.key)
        found = [_sum(a, b) for a, b in zip(found, more)]
    return *found, None, None


def _of_products(ctx, *gradients):
    raise Unsupported('derivatives of a product with Hessians of a batch: energy() of each structure has them')


def _along_batch(ctx, *tangents):
    raise Unsupported('forward mode through a batch: energy() of each structure has it')


def _differentiable(operator, compute, *rules):
    made = Rules(*rules)
    operator.register_autograd(made.backward, setup_context=made.setup_context)
    return beside(operator, compute, made)


energy = _differentiable(_energy_operator, _energy, _save_energy, _of_energy, _along_energy)
potential = _differentiable(_potential_operator, _potential, _save, _of_potential, _along_potential)
product = _differentiable(_product_operator, _product, _save, _of_product, _along_product)
energies = _differentiable(_energies_operator, _energies, _save_energy, _of_energies, _along_batch)
products = _differentiable(_products_operator, _products, _save, _of_products, _along_batch)
