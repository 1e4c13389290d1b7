# Gram operators against type 2, weights and the adjoint in NumPy. SPDX-License-Identifier: BSD-3-Clause
import numpy as np

import enuf
from expect import expect, expect_error, expect_true, run_laws

SHAPES = [(21,), (12, 9), (7, 8, 5)]
N = 200


def matrix(points, shape, order, sign):
    """exp(sign i m . x): [points][modes], with axis d of the modes along coordinate d."""
    numbers = [np.arange(-(n // 2), (n + 1) // 2) for n in shape]
    if order == 'fft':
        numbers = [np.fft.ifftshift(m) for m in numbers]
    grids = np.meshgrid(*numbers, indexing='ij')
    return np.exp(sign * 1j * sum(np.outer(x.astype(float), g.ravel()) for g, x in zip(grids, points)))


def law_gram_is_forward_weights_adjoint():
    random = np.random.default_rng(8)
    for shape in SHAPES:
        for dtype, tolerance, order in (('complex128', 1e-10, 'centred'), ('complex64', 1e-4, 'fft')):
            real = np.float64 if dtype == 'complex128' else np.float32
            points = [random.uniform(-9, 9, N).astype(real) for _ in shape]
            weights = random.normal(size=N).astype(real)
            modes = (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)
            gram = enuf.Gram(shape, tolerance, dtype=dtype, mode_order=order, threads=1)
            a = matrix(points, shape, order, 1)
            true = (a.conj().T @ (weights * (a @ modes.ravel()))).reshape(shape)
            found = gram.set_points(*points, weights=weights)(modes)
            name = f'{len(shape)}D {dtype}'
            expect(name, np.linalg.norm(found - true) / np.linalg.norm(true), 4 * tolerance, '(4 tolerances)')
            expect_true('in the precision and shape of the modes', found.dtype == dtype and found.shape == shape)
            out = np.empty_like(modes)
            expect_true('in the array given', gram(modes, out) is out and np.array_equal(out, found))
            rows = np.stack(points, axis=1) if len(shape) > 1 else points[0]
            again = gram.set_points(rows, weights=weights)(modes)
            expect(f'{name}, rows of coordinates', np.linalg.norm(again - found) / np.linalg.norm(found), 1e-14)
            report = gram.report()
            expect_true('the report', report.length >= shape and 0 < report.error <= tolerance and
                        report.backend == 'cpu')


def law_gram_is_that_of_a_plan():
    random = np.random.default_rng(9)
    x, y = random.uniform(-3, 3, (2, N))
    modes = random.normal(size=(2, 12, 9)) + 1j * random.normal(size=(2, 12, 9))
    plan = enuf.Plan((12, 9), 1e-12, batch=2).set_points(x, y)
    true = plan.type2_adjoint(plan.type2(modes))
    found = enuf.Gram((12, 9), 1e-12, batch=2, circulant=(30, 20)).set_points(x, y)(modes)
    expect('two vectors', np.linalg.norm(found - true) / np.linalg.norm(true), 4e-12, '(4 tolerances)')


def law_plans_have_it_at_each_level():
    random = np.random.default_rng(10)
    points, weights, modes_weights = random.uniform(-3, 3, (N, 2)), random.uniform(0, 2, N), random.normal(size=(12, 9))
    modes = random.normal(size=(12, 9)) + 1j * random.normal(size=(12, 9))
    a = matrix(points.T, (12, 9), 'centred', 1)
    for level in 'none', 'sorted', 'weights', 'matrix', 'gram':
        plan = enuf.Plan((12, 9), 1e-9, level=level, threads=1).set_points(points)
        expect_error(f'{level}: shape', enuf.ArrayError, ['data'], lambda plan=plan: plan.gram(modes.T))
        for name, w, v in ('no weights', None, None), ('of points', weights, None), ('of both', weights, modes_weights):
            plan.set_point_weights(w)
            plan.set_mode_weights(v)
            b = a if v is None else a * v.ravel()
            true = b.conj().T @ ((1 if w is None else w) * (b @ modes.ravel()))
            found = plan.gram(modes)
            expect(f'{level}, {name}', np.linalg.norm(found.ravel() - true) / np.linalg.norm(true), 4e-9,
                   '(4 tolerances)')
        out = np.empty_like(modes)
        expect_true('in the array given', plan.gram(modes, out) is out and np.array_equal(out, found))
        plan.set_points(points + 0.1)
        plan.set_mode_weights(None)
        plan.set_point_weights(None)
        true = plan.type2_adjoint(plan.type2(modes))
        expect(f'{level}, other points', np.linalg.norm(plan.gram(modes) - true) / np.linalg.norm(true), 8e-9)
    expect_error('no points', enuf.NoPointsSet, ['set_points'], lambda: enuf.Plan((12, 9), level='gram').gram(modes))
    expect_error('real strengths', enuf.Unsupported, ['real strengths'],
                 lambda: enuf.Plan((12, 9), level='gram', real=True))


def law_wrong_input_is_refused():
    gram = enuf.Gram((8, 6))
    x = np.zeros(3)
    expect_error('no points', enuf.NoPointsSet, ['set_points'], lambda: gram(np.zeros((8, 6), complex)))
    expect_error('two coordinates', enuf.BadArgument, ['2 are needed'], lambda: gram.set_points(x, x, x))
    gram.set_points(x, x)
    expect_error('shape', enuf.ArrayError, ['modes'], lambda: gram(np.zeros((6, 8), complex)))
    expect_error('weights', enuf.ArrayError, ['weights'], lambda: gram.set_points(x, x, weights=np.zeros(4)))
    expect_error('a circulant', enuf.BadArgument, ['at least 16'], lambda: enuf.Gram((8, 6), circulant=(14, 12)))
    expect_error('a GPU', (enuf.Unsupported, enuf.NoBackend), ['backend'], lambda: enuf.Gram(8, backend='cuda'))
    expect_error('dimensions', enuf.BadArgument, ['1 to 3'], lambda: enuf.Gram((2, 2, 2, 2)))


run_laws(globals())
