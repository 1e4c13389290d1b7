"""Ewald sums in JAX: jit, grad and vmap through positions, charges and cell.

    import enuf.jax
    energy = enuf.jax.energy(positions, charges, cell, accuracy=1e-8)
    forces = -jax.grad(enuf.jax.energy)(positions, charges, cell)

Sums are computed in double. Results have the type of the positions (jax_enable_x64 keeps double). A compiled program
calls the wheel's library directly, also with arrays on a GPU, which stay there. Where the library has no handlers for
the jaxlib or the device, a callback through Python computes on the host.
First and second derivatives are exact to the accuracy; third ones raise Unsupported.
SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from functools import partial
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from . import _derivatives, _jax_native
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


def _call(name: str, key: str, function: Callable, like: list, *arrays: jax.Array) -> Any:
    """A call whose results have these shapes and the type of the positions; vmap calls it for each system.

    name      of the handler in C
    function  the same in Python, of arrays of NumPy and the key
    """
    dtype = arrays[0].dtype
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape in like]

    def on_host(*given: Any) -> list:
        results = function(key, *(np.array(array, np.float64) for array in given))
        return [np.asarray(result, dtype) for result in results]

    def callback(*given: jax.Array) -> Any:
        return jax.pure_callback(on_host, shapes, *given, vmap_method='sequential')
    if not _jax_native.is_there():
        return callback(*arrays)
    return _jax_native.call(name, key, callback, shapes, *arrays)


def _energy_on_host(key, x, q, h):
    value, forces, potentials, slope = _derivatives.energy(key, x, q, h)
    return value, -forces, potentials, slope


def _product_on_host(key, x, q, h, *direction):
    along = [part if part.any() else None for part in direction]
    if all(part is None for part in along):
        return x * 0, q * 0, h * 0
    return _derivatives.product(key, x, q, h, *along)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _energy(key, positions, charges, cell):
    """E and its derivatives with respect to positions, charges and cell: one evaluation gives all."""
    return tuple(_call('energy', key, _energy_on_host, [(), positions.shape, charges.shape, (3, 3)], positions, charges,
                       cell))


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _potential(key, positions, charges, cell):
    return _call('potential', key, lambda *arrays: (_derivatives.potential(*arrays),), [charges.shape], positions,
                 charges, cell)[0]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _product(key, positions, charges, cell, along_positions, along_charges, along_cell):
    """The product of a direction with the Hessian of E: with respect to positions, charges and cell."""
    return tuple(_call('product', key, _product_on_host, [positions.shape, charges.shape, (3, 3)], positions, charges,
                       cell, along_positions, along_charges, along_cell))


def _is_zero(cotangent: Any) -> bool:
    return isinstance(cotangent, SymbolicZero)


def _in_full(cotangents: Any, primals: Any) -> list:
    return [jnp.zeros_like(primal) if _is_zero(cotangent) else cotangent
            for cotangent, primal in zip(cotangents, primals)]


def _energy_forward(key, *primals):
    values = [primal.value for primal in primals]
    results = _energy(key, *values)  # differentiated again, it comes back to _energy_backward
    return results, (*values, *results[1:])


def _energy_backward(key, saved, cotangents):
    primals, slopes = saved[:3], saved[3:]
    gradient, *of_slopes = cotangents
    found = [jnp.zeros_like(primal) for primal in primals]
    if not _is_zero(gradient):
        found = [gradient * slope for slope in slopes]
    if not all(map(_is_zero, of_slopes)):  # the derivatives were differentiated
        found = [a + b for a, b in zip(found, _product(key, *primals, *_in_full(of_slopes, primals)))]
    return tuple(found)


def _potential_forward(key, *primals):
    values = [primal.value for primal in primals]
    return _potential(key, *values), tuple(values)


def _potential_backward(key, saved, cotangent):
    positions, charges, cell = saved
    if _is_zero(cotangent):
        return tuple(jnp.zeros_like(primal) for primal in saved)
    return _product(key, positions, charges, cell, jnp.zeros_like(positions), cotangent, jnp.zeros_like(cell))


def _product_forward(key, *primals):
    if any(primal.perturbed for primal in primals[:3]):
        raise Unsupported('third derivatives: the library has the first and second ones')
    values = [primal.value for primal in primals]
    return _product(key, *values), tuple(values)


def _product_backward(key, saved, cotangents):
    primals = saved[:3]
    along = _product(key, *primals, *_in_full(cotangents, primals))  # the Hessian is symmetric
    return *(jnp.zeros_like(primal) for primal in primals), *along


_energy.defvjp(_energy_forward, _energy_backward, symbolic_zeros=True)
_potential.defvjp(_potential_forward, _potential_backward, symbolic_zeros=True)
_product.defvjp(_product_forward, _product_backward, symbolic_zeros=True)
