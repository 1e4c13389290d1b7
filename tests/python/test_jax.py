# enuf.jax: values and gradients against exact sums and differences, under jit, grad and vmap.
# SPDX-License-Identifier: BSD-3-Clause
import functools
import importlib.util
import sys
import unittest.mock

import numpy as np

if not importlib.util.find_spec('jax'):
    print('skipped: JAX is not installed here')
    sys.exit(77)
import jax
import jax.numpy as jnp

import enuf
import enuf.jax
from derivatives import ACCURACY, CELL, CHARGES, NAMES, POSITIONS, STEP, directions, exact_energy, slope
from systems import ROCK_SALT, rock_salt
from expect import expect, expect_error, expect_true, run_laws

# calls run on the host; beside a GPU, JAX raises an exception of theirs once more when Python ends
jax.config.update('jax_platforms', 'cpu')
WHY = f'(a difference with step {STEP})'


def in_double(law):
    def run():
        with jax.enable_x64(True):
            law()
    return run


def energy(x, q, h):
    return enuf.jax.energy(x, q, h, accuracy=ACCURACY)


@in_double
def law_gradients_of_the_energy_are_those_of_exact_sums():
    value, gradients = jax.value_and_grad(energy, argnums=(0, 1, 2))(POSITIONS, CHARGES, CELL)
    expect('energy', abs(float(value) - exact_energy(POSITIONS, CHARGES, CELL)), 1e-9)
    for name, k, gradient, direction in zip(NAMES, range(3), gradients, directions()):
        expect(f'with respect to {name}',
               abs(np.sum(np.asarray(gradient) * direction) - slope(exact_energy, k, direction)), 1e-7, WHY)


@in_double
def law_gradients_of_any_function_of_potentials():
    weights = directions(5)[1]

    def exact(x, q, h):
        return np.sum(weights * enuf.exact_ewald(x, q, h).potential)
    gradients = jax.grad(lambda x, q, h: jnp.sum(weights * enuf.jax.potential(x, q, h, accuracy=ACCURACY)),
                         argnums=(0, 1, 2))(POSITIONS, CHARGES, CELL)
    for name, k, gradient, direction in zip(NAMES, range(3), gradients, directions()):
        expect(f'with respect to {name}', abs(np.sum(np.asarray(gradient) * direction) - slope(exact, k, direction)),
               1e-6, WHY)


@in_double
def law_forces_through_charges_of_positions():
    """Charges that a model gives for positions: the chain rule has both parts, compiled or not."""
    def model(x):
        q = jnp.sin(x.sum(axis=1)) + 0.1 * x[:, 0]
        return q - q.mean()

    def of_model(x):
        return energy(x, model(x), CELL)

    def exact(x, *_):
        return exact_energy(x, np.asarray(model(jnp.asarray(x))), CELL)
    direction = directions()[0]
    right = slope(exact, 0, direction)
    for what, gradient in ('forces', jax.grad(of_model)), ('compiled forces', jax.jit(jax.grad(of_model))):
        expect(what, abs(np.sum(np.asarray(gradient(jnp.asarray(POSITIONS))) * direction) - right), 1e-7, WHY)
    fixed = jax.grad(energy)(POSITIONS, np.asarray(model(jnp.asarray(POSITIONS))), CELL)
    expect_true('forces at fixed charges are others', abs(np.sum(np.asarray(fixed) * direction) - right) > 1e-3)


@in_double
def law_jit_and_vmap_change_nothing():
    forces = jax.grad(energy)(POSITIONS, CHARGES, CELL)
    compiled = jax.jit(jax.grad(energy))(POSITIONS, CHARGES, CELL)
    expect('jit', float(jnp.max(jnp.abs(compiled - forces))), 1e-11)
    scales = jnp.array([1.0, 1.1, 1.2])
    many = jax.vmap(lambda s: energy(s * POSITIONS, CHARGES, s * CELL))(scales)
    alone = energy(POSITIONS, CHARGES, CELL)
    expect('vmap: energies go as 1/length', float(jnp.max(jnp.abs(many * scales - alone))), 1e-9)
    slopes = jax.jit(jax.vmap(jax.grad(lambda s: energy(s * POSITIONS, CHARGES, s * CELL))))(scales)
    expect('their derivatives as -1/length^2', float(jnp.max(jnp.abs(slopes * scales**2 + alone))), 1e-8)


@in_double
def law_second_derivatives_are_those_of_exact_sums():
    wanted = directions(7)

    def loss(x, q, h):
        slopes = jax.grad(energy, argnums=(0, 1, 2))(x, q, h)
        return sum(jnp.sum((slope * factor)**2) for slope, factor in zip(slopes, wanted)) + energy(x, q, h)**2
    gradients = jax.jit(jax.grad(loss, argnums=(0, 1, 2)))(POSITIONS, CHARGES, CELL)
    for name, k, gradient, direction in zip(NAMES, range(3), gradients, directions()):
        found = float(np.sum(np.asarray(gradient) * direction))
        expect(f'a loss of forces and stress, {name}', abs(found / slope(lambda *a: float(loss(*a)), k, direction) - 1),
               1e-6, WHY)
    direction = directions()[1]
    product = jax.grad(lambda q: jnp.sum(direction * jax.grad(energy, argnums=1)(POSITIONS, q, CELL)))(CHARGES)
    exact = enuf.exact_ewald(POSITIONS, direction, CELL).potential
    expect('d2E/dq2 along a direction: its potentials', float(np.max(np.abs(np.asarray(product) - exact))), 1e-8)
    hessian = jax.jacrev(jax.grad(energy))(POSITIONS, CHARGES, CELL).reshape(3 * len(CHARGES), -1)
    expect('the Hessian is symmetric', float(jnp.max(jnp.abs(hessian - hessian.T)) / jnp.max(jnp.abs(hessian))), 1e-8)
    third = jax.grad(lambda x: jnp.sum(jax.grad(lambda y: jnp.sum(jax.grad(energy)(y, CHARGES, CELL)**2))(x)))
    expect_error('third derivatives', enuf.Unsupported, ['third derivatives'], lambda: third(POSITIONS))


@in_double
def law_compiled_programs_call_the_library_without_python():
    if not enuf._jax_native.is_there():
        return print('left out: this library has no handlers for this jaxlib')
    options = {'accuracy': ACCURACY, 'exclusions': [[0, 1], [2, 3]]}

    def value(x, q, h):
        return enuf.jax.energy(x, q, h, **options) + jnp.sum(q * enuf.jax.potential(x, q, h, **options))

    def loss(x, q, h):
        return jnp.sum(jax.grad(functools.partial(enuf.jax.energy, **options))(x, q, h)**2)
    with unittest.mock.patch.object(enuf._derivatives, 'compute', side_effect=AssertionError('Python was called')):
        native = [jax.jit(function)(POSITIONS, CHARGES, CELL) for function in (value, jax.grad(value), jax.grad(loss))]
    with unittest.mock.patch.object(enuf._jax_native, 'is_there', lambda: False):
        python = [function(POSITIONS, CHARGES, CELL) for function in (value, jax.grad(value), jax.grad(loss))]
    for what, a, b in zip(('value', 'gradient', 'gradient of a loss of forces'), native, python):
        expect(f'as a callback into Python: {what}', float(jnp.max(jnp.abs(a - b)) / jnp.max(jnp.abs(b))), 1e-9)
    bad = POSITIONS.copy()
    bad[3, 1] = np.nan
    expect_error('NaN', Exception, ['atom 3', 'finite'], lambda: jax.jit(value)(bad, CHARGES, CELL).block_until_ready())
    expect_error('another shape', Exception, ['positions', '(16, 3) is needed'],
                 lambda: enuf.jax.energy(POSITIONS[:5], CHARGES, CELL, accuracy=ACCURACY).block_until_ready())


@in_double
def law_programs_for_a_gpu_call_the_library_too():
    """Compiled here for CUDA, not run: test_device.py does that."""
    if 'CUDA' not in enuf._jax_native._served():
        return print('left out: this library has no handlers for CUDA')

    def loss(x, q, h):
        return jnp.sum(jax.grad(energy)(x, q, h)**2) + jnp.sum(enuf.jax.potential(x, q, h, accuracy=ACCURACY))
    traced = jax.jit(jax.grad(loss))
    with unittest.mock.patch.object(jax, 'default_backend', lambda: 'gpu'):
        text = traced.trace(POSITIONS, CHARGES, CELL).lower(lowering_platforms=('cuda',)).as_text()
    for name in 'energy', 'product':
        expect_true(f'enuf_{name}', f'@enuf_{name}' in text, text)
    expect_true('no callback', 'callback' not in text, text)


def law_single_precision_keeps_its_type():
    positions, charges, cell = [jnp.asarray(array, jnp.float32) for array in rock_salt()]
    value, forces = jax.value_and_grad(enuf.jax.energy)(positions, charges, cell)
    expect_true('float32', value.dtype == forces.dtype == jnp.float32)
    expect('Madelung constant', abs(float(value) / -4 - ROCK_SALT), 1e-5, '(the accuracy, and float32)')


def law_errors_reach_the_caller():
    expect_error('an unknown option', Exception, ['acuracy'],
                 lambda: enuf.jax.energy(POSITIONS, CHARGES, CELL, acuracy=1))


run_laws(globals())
