"""Ewald sums in JAX: jit, grad and vmap through positions, charges and cell.

    import enuf.jax
    energy = enuf.jax.energy(positions, charges, cell, accuracy=1e-8)
    forces = -jax.grad(enuf.jax.energy)(positions, charges, cell)

The sums run on the host, in double, as callbacks of the compiled program; results have the type of the positions
(jax_enable_x64 keeps double). First derivatives are exact. Second derivatives exist with respect to charges; those that
need a Hessian with respect to positions or cell raise Unsupported. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from functools import partial
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from . import _derivatives
from .errors import Unsupported

__all__ = ['energy', 'potential']


def energy(positions: Any, charges: Any, cell: Any, **options: Any) -> jax.Array:
    """The energy, a scalar: 1/2 sum q phi times `coulomb`.

    positions  [n, 3] Cartesian
    charges    [n]
    cell       [3, 3] rows a, b, c
    options    of :class:`enuf.Ewald`: accuracy, coulomb, exclusions as lists, ...

    Gradients: minus the forces, the potentials, and the derivative with respect to the cell at fixed positions.
    """
    return _energy(_derivatives.key_of(options), *map(jnp.asarray, (positions, charges, cell)))[0]


def potential(positions: Any, charges: Any, cell: Any, **options: Any) -> jax.Array:
    """Potentials [n]; arguments as of energy(). Any function of them can be differentiated."""
    return _potential(_derivatives.key_of(options), *map(jnp.asarray, (positions, charges, cell)))


def _call(function: Callable, like: list, *arrays: jax.Array) -> Any:
    """A callback whose results have these shapes and the type of the positions; vmap calls it for each system."""
    dtype = arrays[0].dtype
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape in like]

    def on_host(*given: Any) -> list:
        results = function(*(np.array(array, np.float64) for array in given))
        return [np.asarray(result, dtype) for result in results]
    return jax.pure_callback(on_host, shapes, *arrays, vmap_method='sequential')


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _energy(key, positions, charges, cell):
    """E and its derivatives with respect to positions, charges and cell: one evaluation gives all."""
    def on_host(x, q, h):
        value, forces, potentials, slope = _derivatives.energy(key, x, q, h)
        return value, -forces, potentials, slope
    return tuple(_call(on_host, [(), positions.shape, charges.shape, (3, 3)], positions, charges, cell))


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _potential(key, positions, charges, cell):
    return _call(lambda x, q, h: (_derivatives.potential(key, x, q, h),), [charges.shape], positions, charges, cell)[0]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _bilinear(key, positions, charges, other, cell):
    """Derivatives of sum_i other_i phi_i[charges] with respect to positions and cell."""
    def on_host(x, q, g, h):
        forces, slope = _derivatives.bilinear(key, x, q, g, h)
        return -forces, slope
    return tuple(_call(on_host, [positions.shape, (3, 3)], positions, charges, other, cell))


def _is_zero(cotangent: Any) -> bool:
    return isinstance(cotangent, SymbolicZero)


def _refuse(*cotangents: Any) -> None:
    if not all(map(_is_zero, cotangents)):
        raise Unsupported('second derivatives with respect to positions or cell: the library has no product with the '
                          'Hessian. First derivatives, and second ones with respect to charges, are there')


def _of_sum(key, positions, charges, other, cell):
    """Derivatives of sum_i other_i phi_i with respect to positions, charges and cell."""
    of_positions, of_cell = _bilinear(key, positions, charges, other, cell)
    return of_positions, _potential(key, positions, other, cell), of_cell


def _energy_forward(key, *primals):
    values = [primal.value for primal in primals]
    results = _energy(key, *values)  # differentiated again, it comes back to _energy_backward
    return results, (*values, *results[1:])


def _energy_backward(key, saved, cotangents):
    positions, charges, cell, *slopes = saved
    gradient, of_slope, of_potentials, of_cell_slope = cotangents
    _refuse(of_slope, of_cell_slope)
    found = [jnp.zeros_like(primal) for primal in (positions, charges, cell)]
    if not _is_zero(gradient):
        found = [gradient * slope for slope in slopes]
    if not _is_zero(of_potentials):  # the potentials were differentiated: E is quadratic in the charges
        found = [a + b for a, b in zip(found, _of_sum(key, positions, charges, of_potentials, cell))]
    return tuple(found)


def _potential_forward(key, *primals):
    values = [primal.value for primal in primals]
    return _potential(key, *values), tuple(values)


def _potential_backward(key, saved, cotangent):
    positions, charges, cell = saved
    if _is_zero(cotangent):
        return tuple(jnp.zeros_like(primal) for primal in saved)
    return _of_sum(key, positions, charges, cotangent, cell)


def _bilinear_forward(key, *primals):
    values = [primal.value for primal in primals]
    return _bilinear(key, *values), tuple(values)


def _bilinear_backward(key, saved, cotangents):
    _refuse(*cotangents)
    return tuple(jnp.zeros_like(primal) for primal in saved)


_energy.defvjp(_energy_forward, _energy_backward, symbolic_zeros=True)
_potential.defvjp(_potential_forward, _potential_backward, symbolic_zeros=True)
_bilinear.defvjp(_bilinear_forward, _bilinear_backward, symbolic_zeros=True)
