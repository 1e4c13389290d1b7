# Arrays of every kind serve without a copy, and those that cannot are refused with array, shape and remedy. Kinds whose
# package is not installed are named and left out. SPDX-License-Identifier: BSD-3-Clause
import gc
import importlib.util
import itertools
import weakref

import numpy as np

import enuf
from enuf import _arrays
from enuf import _streams as streams
from signals import N, Problem
from systems import random_ions
from expect import expect_error, expect_true, run_laws

POSITIONS, CHARGES, CELL = random_ions(20)


class Interface:
    """An array that speaks __array_interface__ only."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class Dlpack:
    """An array that speaks DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class CudaInterface:
    """An array on the GPU, as it describes itself; nothing is read from it."""

    def __init__(self, shape, typestr='<f8', strides=None, readonly=False):
        self.__cuda_array_interface__ = {'shape': shape, 'typestr': typestr, 'data': (1 << 20, readonly),
                                         'strides': strides, 'version': 3, 'stream': None}


def kinds():
    """(name, a function that makes the kind of a NumPy array, the type that results have)."""
    made = [('NumPy', np.array, np.ndarray), ('__array_interface__', Interface, np.ndarray),
            ('DLPack', Dlpack, np.ndarray)]
    if importlib.util.find_spec('torch'):
        import torch
        made.append(('PyTorch', torch.tensor, torch.Tensor))
    if importlib.util.find_spec('jax'):
        import jax
        jax.config.update('jax_enable_x64', True)
        jax.config.update('jax_platforms', 'cpu')  # arrays on a GPU: test_device.py
        made.append(('JAX', jax.numpy.asarray, jax.Array))
    return made


def law_every_kind_gives_the_same_results_in_its_kind():
    ewald = enuf.Ewald(CELL, CHARGES)
    forces = ewald.forces(POSITIONS)
    for name, make, kind in kinds():
        array = make(POSITIONS)
        result = ewald.compute(array, ('energy', 'forces', 'potential'))
        expect_true(f'{name}: forces are {kind.__module__}.{kind.__name__}', isinstance(result.forces, kind),
                    type(result.forces))
        expect_true(f'{name}: the same forces', np.allclose(np.asarray(result.forces), forces, rtol=0, atol=1e-12))
        found = _arrays.view(array, 'x')
        owner = array.array if name in ('__array_interface__', 'DLPack') else array
        address = owner.data_ptr() if name == 'PyTorch' else owner.unsafe_buffer_pointer() if name == 'JAX' else \
            owner.ctypes.data
        expect_true(f'{name}: no copy', found.pointer == address)
    for name in {'torch', 'jax', 'cupy'
                 } - {module
                      for module in ('torch', 'jax', 'cupy') if importlib.util.find_spec(module)}:
        print(f'not here: {name}')


def law_rows_may_be_apart():
    wide = np.full((20, 5), np.nan)
    wide[:, 1:4] = POSITIONS
    ewald = enuf.Ewald(CELL, CHARGES)
    expect_true('columns 1 to 3 of 5', np.array_equal(ewald.forces(wide[:, 1:4]), ewald.forces(POSITIONS)))
    one = enuf.Ewald(1.0, [1.0])
    expect_true('a single row', one.energy(np.zeros((4, 3))[:1]) == one.energy(np.zeros((1, 3))))


def law_arrays_for_results_are_filled():
    ewald = enuf.Ewald(CELL, CHARGES)
    forces, potential = np.empty((20, 3)), np.empty(20)
    result = ewald.compute(POSITIONS, ('energy', 'forces', 'potential', 'field'),
                           out={'forces': forces, 'potential': potential})
    expect_true('the arrays given are the results', result.forces is forces and result.potential is potential)
    expect_true('they are filled', np.array_equal(forces, ewald.forces(POSITIONS)))
    target = Interface(np.empty((20, 3)))
    expect_true('of any kind', ewald.compute(POSITIONS, 'forces', out={'forces': target}).forces is target and
                np.array_equal(target.array, forces))


def law_signals_take_every_kind():
    problem = Problem((6, 5))
    maps = problem.omega, problem.decay, problem.gradient
    sums = enuf.Direct(2, threads=1).set_pixel_grid((6, 5))
    encoding = enuf.Encoding((6, 5), 1e-9, threads=1)

    def results(make):
        k, times, image, data, weights = map(make, (problem.k, problem.times, problem.image, problem.data, np.ones(N)))
        omega, decay, gradient = map(make, maps)
        field = {'decay': decay, 'gradient': gradient, 'voxel': problem.voxel}
        for operator in sums, encoding:
            operator.set_samples(k, times=times).set_field(omega, **field)
        return [*sums.forward(image, gradients=True), sums.adjoint(data), encoding.forward(image),
                encoding.adjoint(data), encoding.normal(image, weights=weights), encoding.solve(data).image]
    right = results(np.array)
    for name, make, kind in kinds():
        found = results(make)
        expect_true(f'{name}: results are {kind.__module__}.{kind.__name__}',
                    all(isinstance(result, kind) for result in found))
        expect_true(f'{name}: the same', all(np.array_equal(np.asarray(a), b) for a, b in zip(found, right)))


def law_float32_gives_the_results_of_double_rounded():
    every = ('energy', 'forces', 'virial', 'atom_energy', 'atom_virial', 'potential', 'field')
    arrays = every[1:2] + every[3:]
    single = POSITIONS.astype(np.float32)
    ewald = enuf.Ewald(CELL, CHARGES.astype(np.float32), deterministic=True)
    right = ewald.compute(single.astype(np.float64), every)
    expect_true('charges are kept in double', ewald.charges.dtype == np.float64)

    def same(what, result, names=arrays, to=right):
        for name in names:
            found = np.asarray(getattr(result, name))
            expect_true(f'{what}: {name}', found.dtype == np.float32 and
                        np.array_equal(found, getattr(to, name).astype(np.float32)))
    for name, make, kind in kinds():
        result = ewald.compute(make(single), every)
        expect_true(f'{name}: {kind.__module__}.{kind.__name__}', isinstance(result.field, kind))
        same(name, result)
        expect_true(f'{name}: sums are in double', result.energy == right.energy and
                    result.virial.dtype == np.float64 and np.array_equal(result.virial, right.virial))
    wide = np.full((20, 4), np.nan, np.float32)
    wide[:, :3] = single
    same('columns of four', ewald.compute(wide[:, :3], every))
    ewald.begin(single, every)
    same('begin and finish', ewald.finish())
    for name in ('real', 'reciprocal'):
        same(name, getattr(ewald, name)(single), ('forces',), getattr(ewald, name)(single.astype(np.float64)))
    expect_true('one result', ewald.forces(single).dtype == ewald.per_atom(single)[1].dtype == np.float32 and
                isinstance(ewald.energy(single), float))
    forces = np.empty((20, 3), np.float32)
    expect_true('into an array', ewald.compute(single, 'forces', out={'forces': forces}).forces is forces)
    expect_true('it is filled', np.array_equal(forces, right.forces.astype(np.float32)))
    expect_error('forces in float64', enuf.ArrayError, ['forces', 'float32, as the positions', "astype('float32')"],
                 lambda: ewald.compute(single, 'forces', out={'forces': np.empty((20, 3))}))
    bad = single.copy()
    bad[4, 1] = np.nan
    expect_error('NaN', enuf.NotFinite, ['enuf_ewald_compute_f32', 'atom 4'], lambda: ewald.energy(bad))
    expect_true('at once', enuf.ewald(single, CHARGES, CELL).forces.dtype == np.float32)


def law_what_needs_a_copy_is_refused():
    ewald = enuf.Ewald(CELL, CHARGES)
    refuse = lambda what, words, array: expect_error(  # noqa: E731
        what, enuf.ArrayError, ['positions', *words], lambda: ewald.energy(array))
    refuse('float16', ['float16', '(20, 3)', "astype('float64')"], POSITIONS.astype(np.float16))
    expect_error('tune() in float32', enuf.ArrayError, ['positions', 'float32', "astype('float64')"],
                 lambda: ewald.tune(POSITIONS.astype(np.float32)))
    refuse('swapped bytes', ['swapped bytes', '(20, 3)', "astype('float64')"],
           POSITIONS.astype(POSITIONS.dtype.newbyteorder()))
    refuse('another shape', ['(20, 4)', '(20, 3)'], np.zeros((20, 4)))
    refuse('one dimension', ['(60,)', '(20, 3)'], POSITIONS.ravel())
    refuse('columns in Fortran order', ['strides', 'ascontiguousarray'], np.asfortranarray(POSITIONS))
    refuse('rows in the reverse order', ['strides', 'ascontiguousarray'], POSITIONS[::-1])
    refuse('the same row again and again', ['strides'], np.broadcast_to(POSITIONS[0], (20, 3)))
    refuse('no array', ['str', 'NumPy'], 'positions')
    refuse('float16 on a GPU', ['float16', 'GPU'], CudaInterface((20, 3), '<f2'))
    refuse('strides on a GPU', ['strides', 'GPU'], CudaInterface((20, 3), strides=(8, 160)))
    fixed = np.empty((20, 3))
    fixed.flags.writeable = False
    for what, words, out in (
            ('read-only', ['read-only', '(20, 3)'], fixed), ('too short', ['(19, 3)'], np.empty((19, 3))),
            ('float32', ['float64, as the positions', "astype('float64')"], np.empty((20, 3), np.float32)),
            ('strided', ['strides'], np.empty((20, 6))[:, ::2]),
            ('on a GPU', ['GPU', 'host'], CudaInterface((20, 3)))):
        expect_error(f'forces {what}', enuf.ArrayError, ['forces', *words],
                     lambda: ewald.compute(POSITIONS, 'forces', out={'forces': out}))
    expect_error('ArrayError is a TypeError', TypeError, [], lambda: ewald.energy(np.zeros((20, 4))))
    expect_error('charges in a matrix', enuf.ArrayError, ['charges', '(20, 1)'],
                 lambda: enuf.Ewald(CELL, CHARGES[:, None]))
    expect_error('charges of text', enuf.ArrayError, ['charges'], lambda: enuf.Ewald(CELL, ['one']))
    expect_error('a cell of five numbers', enuf.ArrayError, ['cell', '(5,)'], lambda: enuf.Ewald(np.ones(5), CHARGES))
    expect_error('exclusions of broken numbers', enuf.ArrayError, ['exclusions'],
                 lambda: enuf.Ewald(CELL, CHARGES, exclusions=[[0.5, 1]]))
    expect_error('a GPU array and the CPU', enuf.BadMemory, ['GPU', 'backend'],
                 lambda: enuf.Ewald(CELL, CHARGES, backend='cpu').energy(CudaInterface((20, 3))))
    if importlib.util.find_spec('torch'):
        import torch
        refuse('a tensor that asks for gradients', ['detach', 'enuf.torch'], torch.tensor(POSITIONS,
                                                                                          requires_grad=True))
        refuse('float16 of PyTorch', ['to(torch.float64)'], torch.tensor(POSITIONS, dtype=torch.float16))
    if importlib.util.find_spec('jax'):
        import jax
        refuse('float16 of JAX', ['jax_enable_x64'], jax.numpy.asarray(POSITIONS, 'float16'))
        expect_error('an array of JAX for results', enuf.ArrayError, ['JAX', 'leave'],
                     lambda: ewald.compute(POSITIONS, 'forces', out={'forces': jax.numpy.zeros((20, 3))}))


def law_arrays_and_objects_go_in_any_order():
    for name, make, _ in kinds():
        ewald = enuf.Ewald(CELL, CHARGES, threads=1)
        array = make(POSITIONS.copy())
        ewald.begin(array, ('energy', 'forces'))
        del array  # the call keeps it
        gc.collect()
        result = ewald.finish()
        del ewald
        gc.collect()
        expect_true(f'{name}: results outlive arrays and object', np.all(np.isfinite(np.asarray(result.forces))))
        array, ewald = make(POSITIONS), enuf.Ewald(CELL, CHARGES, threads=1)
        ewald.begin(array)
        del ewald, array  # an object in the middle of its work
        gc.collect()


def law_whatever_is_freed_first_the_rest_stays_right():
    """All orders of: positions, charges and cell, object, result; those that are left are read each time."""
    right = enuf.Ewald(CELL, CHARGES, accuracy=1e-2, threads=1).compute(POSITIONS, ('forces', 'potential'))
    for name, make, _ in kinds():
        for order in itertools.permutations(('positions', 'system', 'object', 'result')):
            charges, cell = CHARGES.copy(), CELL.copy()
            held = {'positions': make(POSITIONS.copy()), 'system': (charges, cell),
                    'object': enuf.Ewald(cell, charges, accuracy=1e-2, threads=1)}
            charges[:], cell[:] = np.nan, np.nan  # the object has its own
            held['result'] = held['object'].compute(held['positions'], ('forces', 'potential'))
            del charges, cell
            as_it_was = True
            for first in order:
                del held[first]
                gc.collect()
                np.full(1 << 12, np.nan)  # over what was freed
                if 'object' in held and 'positions' in held:
                    as_it_was &= np.array_equal(np.asarray(held['object'].forces(held['positions'])), right.forces)
                if 'result' in held:
                    as_it_was &= np.array_equal(np.asarray(held['result'].forces), right.forces)
                    as_it_was &= np.array_equal(np.asarray(held['result'].potential), right.potential)
            expect_true(f'{name}: {", ".join(order)}', as_it_was)


def law_streams_live_as_long_as_objects_that_use_them():
    class Stream:
        ptr = 16
    stream = Stream()
    seen = weakref.ref(stream)
    ewald = enuf.Ewald(CELL, CHARGES, backend='cpu', stream=stream)  # the CPU leaves it alone
    del stream
    gc.collect()
    expect_true('the object keeps its stream', seen() is not None)
    del ewald
    gc.collect()
    expect_true('and lets it go', seen() is None)
    owner = Stream()
    number = streams.Stream(owner.ptr, owner)
    expect_true('a number that keeps its stream', number == 16 and number.owner is owner)


run_laws(globals())
