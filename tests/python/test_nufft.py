# Plans and transforms in one call against sums in NumPy. SPDX-License-Identifier: BSD-3-Clause
import importlib.util

import numpy as np

import enuf
from expect import expect, expect_error, expect_true, run_laws

SHAPES = [(20,), (12, 9), (7, 8, 9)]
N = 50


def problem(shape, dtype='complex128', seed=2):
    """Points [dim][N] in radians, beyond one period, strengths [N] and modes."""
    random = np.random.default_rng(seed)
    real = np.float64 if dtype == 'complex128' else np.float32
    points = [random.uniform(-9, 9, N).astype(real) for _ in shape]
    strengths = (random.normal(size=N) + 1j * random.normal(size=N)).astype(dtype)
    modes = (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)
    return points, strengths, modes


def waves(points, shape, sign):
    """exp(sign i m . x): [modes][N], with axis d of the modes along coordinate d."""
    grids = np.meshgrid(*[np.arange(-(n // 2), (n + 1) // 2) for n in shape], indexing='ij')
    return np.exp(sign * 1j * sum(g.ravel()[:, None] * x.astype(float) for g, x in zip(grids, points)))


def error(found, true):
    return np.linalg.norm(np.ravel(found) - np.ravel(true)) / np.linalg.norm(true)


def law_simple_calls_are_sums():
    calls = {1: (enuf.nufft1d1, enuf.nufft1d2, enuf.nufft1d3), 2: (enuf.nufft2d1, enuf.nufft2d2, enuf.nufft2d3),
             3: (enuf.nufft3d1, enuf.nufft3d2, enuf.nufft3d3)}
    for shape in SHAPES:
        for dtype, tolerance in ('complex128', 1e-10), ('complex64', 1e-4):
            points, strengths, modes = problem(shape, dtype)
            type1, type2, type3 = calls[len(shape)]
            bound, why = 10 * tolerance, '(10 tolerances)'
            sums = waves(points, shape, 1) @ strengths
            name = f'{len(shape)}D {dtype}'
            found = type1(*points, strengths, shape, tolerance=tolerance)
            expect(f'{name} type 1', error(found, sums), bound, why)
            expect_true('in the precision of the strengths', found.dtype == dtype and found.shape == shape)
            out = np.empty((2, *shape), dtype)
            both = type1(*points, np.stack([strengths, 2 * strengths]), shape, tolerance=tolerance, out=out)
            expect(f'{name} type 1, two vectors', error(both[1], 2 * sums), bound, why)
            expect_true('in the array given', both is out)
            expect(f'{name} type 2',
                   error(type2(*points, modes, tolerance=tolerance),
                         waves(points, shape, -1).T @ modes.ravel()), bound, why)
            targets = [2 * x[::-1].copy() for x in points]
            phases = sum(np.outer(s.astype(float), x.astype(float)) for s, x in zip(targets, points))
            expect(f'{name} type 3', error(type3(*points, strengths, *targets, tolerance=tolerance),
                                           np.exp(1j * phases) @ strengths), bound, why)
    points, strengths, _ = problem((20,))
    expect_true('a batch of one keeps its axis', enuf.nufft1d1(points[0], strengths[None], 20).shape == (1, 20))
    expect_true('a number of modes for all axes', enuf.nufft2d1(points[0], points[0], strengths, 6).shape == (6, 6))


def law_plans_are_sums():
    for shape in SHAPES:
        points, strengths, modes = problem(shape)
        plan = enuf.Plan(shape, 1e-10, gradients=True)
        plan.set_points(*points)
        name = f'{len(shape)}D'
        wave = waves(points, shape, -1)
        expect(f'{name} type 1', error(plan.type1(strengths), wave @ strengths), 1e-9)
        values, slopes = plan.type2(modes, gradients=True)
        expect(f'{name} type 2', error(values, wave.conj().T @ modes.ravel()), 1e-9)
        grids = np.meshgrid(*[np.arange(-(n // 2), (n + 1) // 2) for n in shape], indexing='ij')
        for d in range(len(shape)):
            true = wave.conj().T @ (1j * grids[d] * modes).ravel()
            expect(f'{name} gradient along coordinate {d}', error(slopes[:, d], true), 1e-8)
        expect(f'{name} adjoint of type 1', error(plan.type1_adjoint(modes), wave.conj().T @ modes.ravel()), 1e-9)
        expect(f'{name} adjoint of type 2', error(plan.type2_adjoint(strengths), wave @ strengths), 1e-9)
        if len(shape) > 1:
            rows = np.stack(points, axis=1)
            expect(f'{name} points in an array [n, dim]',
                   error(plan.set_points(rows).type1(strengths), wave @ strengths), 1e-9)
        report = plan.report()
        expect(f'{name} predicted error', report.error, 1e-10)
        expect_true(f'{name} the grid has the axes of the modes', np.all(np.array(report.fine_grid) > shape))
        expect(f'{name} direct type 1', error(enuf.direct_type1(np.stack(points, 1), strengths, shape),
                                              wave @ strengths), 1e-13)
        expect(f'{name} direct type 2',
               error(enuf.direct_type2(np.stack(points, 1), modes),
                     wave.conj().T @ modes.ravel()), 1e-13)


def law_options_of_plans():
    points, strengths, _ = problem((12, 9))
    sums = (waves(points, (12, 9), 1) @ strengths).reshape(12, 9)
    plan = enuf.Plan((12, 9), 1e-9, sign=1, mode_order='fft', period=1.0)
    found = plan.set_points(*[x / (2 * np.pi) for x in points]).type1(strengths)
    expect('FFT order, period 1, sign +1', error(found, np.fft.ifftshift(sums)), 1e-8)
    weights = np.arange(1.0, N + 1)
    plan.set_point_weights(weights)
    weighted = (waves(points, (12, 9), 1) @ (weights * strengths)).reshape(12, 9)
    expect('weights of points', error(plan.type1(strengths), np.fft.ifftshift(weighted)), 1e-8)
    factors = np.linspace(1, 2, 12 * 9).reshape(12, 9) + 0.5j
    plan.set_point_weights(None)
    plan.set_mode_weights(factors)
    expect('weights of modes', error(plan.type1(strengths), factors * np.fft.ifftshift(sums)), 1e-8)
    real = enuf.Plan((13, 9), 1e-9, real=True, sign=1).set_points(*points)
    whole = (waves(points, (13, 9), 1) @ strengths.real).reshape(13, 9)
    expect('real strengths: half of the modes', error(real.type1(strengths.real.copy()), whole[:, 4:]), 1e-8)
    sets = enuf.Plan((20,), 1e-9, batch=2, point_sets=2).set_points(np.stack(points))
    true = np.stack([waves([x], (20,), -1) @ strengths for x in points])
    expect('points for each vector', error(sets.type1(np.stack([strengths, strengths])), true), 1e-8)
    strided = np.zeros((N, 3))
    strided[:, 1] = points[0]
    expect('coordinates apart', error(enuf.Plan((20,), 1e-9).set_points(strided[:, 1]).type1(strengths), true[0]), 1e-8)
    third = enuf.Plan(None, 1e-9, dim=2, sign=1).set_points(*points)
    third.set_targets(points[1], points[0])
    phases = np.exp(1j * (np.outer(points[1], points[0]) + np.outer(points[0], points[1])))
    expect('type 3', error(third.type3(strengths), phases @ strengths), 1e-8)
    expect('adjoint of type 3', error(third.type3_adjoint(strengths), phases.conj().T @ strengths), 1e-8)
    expect('direct sum',
           error(enuf.direct_sum(np.stack(points, 1), strengths, np.stack(points[::-1], 1)), phases @ strengths), 1e-12)


def law_runs_are_their_points():
    lengths = np.array([30, 0, 7, 13])
    for shape in SHAPES:
        generator = np.random.default_rng(len(shape))
        start, step = generator.uniform(-3, 3, (4, len(shape))), generator.uniform(-0.1, 0.1, (4, len(shape)))
        rows = np.concatenate([a + np.arange(n)[:, None] * b for n, a, b in zip(lengths, start, step)])
        _, strengths, modes = problem(shape)
        true = enuf.Plan(shape, 1e-10).set_points(*rows.T.copy())
        plan = enuf.Plan(shape, 1e-10).set_runs(lengths, start, step)
        expect(f'{len(shape)}D type 1', error(plan.type1(strengths), true.type1(strengths)), 1e-13)
        expect(f'{len(shape)}D type 2', error(plan.type2(modes), true.type2(modes)), 1e-13)
        bad = np.where(np.arange(4) == 2, np.nan, 0)[:, None] + step
        expect_error('NaN', enuf.NotFinite, ['step of run 2', 'along x'], lambda: plan.set_runs(lengths, start, bad))
        expect_error('a negative length', enuf.BadArgument, ['lengths[1]'],
                     lambda: plan.set_runs(lengths - 1, start, step))
        expect_error('lengths in float64', enuf.ArrayError, ['int64'],
                     lambda: plan.set_runs(lengths + 0.0, start, step))
        expect_error('a step missing', enuf.ArrayError, ['step'], lambda: plan.set_runs(lengths, start, step[1:]))
        expect(f'{len(shape)}D the plan still serves', error(plan.type1(strengths), true.type1(strengths)), 1e-13)


def law_windows_by_a_table():
    points, strengths, modes = problem((12, 9))
    plans = [enuf.Plan((12, 9), 1e-4, window_table=table) for table in (True, False)]
    results = []
    for plan in plans:
        plan.set_points(*points)
        results.append((plan.type1(strengths), plan.type2(modes)))
    for table, polynomials in zip(*results):
        expect('a table differs by less than the tolerance', error(table, polynomials), 5e-5)
        expect_true('but it does', np.any(table != polynomials))
    expect_error('a table for 1e-13', enuf.UnreachableAccuracy, ['window_table', '1e-13'],
                 lambda: enuf.Plan(20, 1e-13, window_table=True))


def law_other_kinds_give_their_kind():
    points, strengths, _ = problem((12, 9))
    true = enuf.nufft2d1(*points, strengths, (12, 9))
    made = []
    if importlib.util.find_spec('torch'):
        import torch
        made.append((torch.tensor, torch.Tensor))
    if importlib.util.find_spec('jax'):
        import jax
        jax.config.update('jax_enable_x64', True)
        made.append((jax.numpy.asarray, jax.Array))
    for make, kind in made:
        found = enuf.nufft2d1(make(points[0]), make(points[1]), make(strengths), (12, 9))
        expect_true(f'{kind.__module__}.{kind.__name__}',
                    isinstance(found, kind) and np.array_equal(np.asarray(found), true))
    expect_true('NumPy', isinstance(true, np.ndarray))


def law_errors_are_exceptions():
    points, strengths, modes = problem((12, 9))
    plan = enuf.Plan((12, 9))
    expect_error('no points', enuf.NoPointsSet, ['set_points'], lambda: plan.type1(strengths))
    plan.set_points(*points)
    bad = np.where(np.arange(N) == 3, np.nan, points[0])
    unreachable, wrong, array = enuf.UnreachableAccuracy, enuf.BadArgument, enuf.ArrayError
    expect_error('a tolerance out of reach', unreachable, ['width'], lambda: enuf.Plan(8, 1e-12, width=2))
    expect_error('a tolerance below rounding', unreachable, ['tolerance'], lambda: enuf.Plan(8, 1e-30))
    expect_error('four axes', wrong, ['1 to 3'], lambda: enuf.Plan((2, 2, 2, 2)))
    expect_error('no modes', wrong, ['dim'], enuf.Plan)
    expect_error('an integer type', wrong, ['complex64'], lambda: enuf.Plan(8, dtype='int32'))
    expect_error('another order', wrong, ['centred'], lambda: enuf.Plan(8, mode_order='odd'))
    expect_error('NaN', enuf.NotFinite, ['3'], lambda: plan.set_points(bad, points[1]))
    expect_error('real strengths', array, ['float64', 'complex128'], lambda: plan.type1(strengths.real.copy()))
    expect_error('too few', array, ['(49,)', '(50,)'], lambda: plan.type1(strengths[1:]))
    expect_error('modes of another shape', array, ['(9, 12)', '(12, 9)'], lambda: plan.type2(modes.T.copy()))
    expect_error('modes in Fortran order', array, ['strides'], lambda: plan.type2(np.asfortranarray(modes)))
    expect_error('strengths apart', array, ['contiguous'], lambda: plan.type1(np.zeros(2 * N, complex)[::2]))
    expect_error('one coordinate of two', array, ['(50,)'], lambda: plan.set_points(points[0]))
    expect_error('y of another length', array, ['y', '(49,)'], lambda: plan.set_points(points[0], points[1][1:]))
    expect_error('y of another type', array, ['float32'], lambda: plan.set_points(points[0], points[1].astype('f4')))
    expect_error('reversed', array, ['stride'], lambda: plan.set_points(points[0][::-1], points[1][::-1]))
    expect_error('weights of another shape', array, ['(3,)'], lambda: plan.set_point_weights(np.ones(3)))
    expect('the plan still serves', error(plan.type1(strengths).ravel(), waves(points, (12, 9), -1) @ strengths), 1e-5)


def law_stages_alone_convolve():
    """Interpolation is the transpose of spreading; the sum of all cells is mode 0 of type 1, up to the window."""
    for real in False, True:
        for shape in SHAPES:
            points, strengths, _ = problem(shape)
            plan = enuf.Plan(shape, 1e-9, real=real, sign=1).set_points(*points)
            given = strengths.real.copy() if real else strengths
            cells = plan.spread(given)
            name = f'{len(shape)}D{" real" * real}'
            expect_true(f'{name}: cells of the fine grid', cells.shape == plan.report().fine_grid
                        and cells.dtype == (np.float64 if real else np.complex128))
            other = np.random.default_rng(5).normal(size=cells.shape).astype(cells.dtype)
            right = np.vdot(plan.interpolate(other), given)
            expect(f'{name}: spread is the transpose of interpolate', abs(np.vdot(other, cells) - right) / abs(right),
                   1e-12, '(rounding of sums)')
            lone = enuf.Plan(shape, 1e-9, real=real, sign=1).set_points(*[x[:1] for x in points])
            window = lone.spread(np.ones_like(given[:1])).sum()
            expect(f'{name}: the sum of the cells', abs(cells.sum() / window - given.sum()) / abs(given.sum()), 1e-7,
                   '(100 tolerances: the window of a point sums to its transform up to aliasing)')
            out = np.empty_like(cells)
            given_back = plan.spread(given, out=out)
            expect_true('in the array given', given_back is out and np.allclose(out, cells, 1e-12, 1e-12))
    points = problem((12, 9))[0]
    plan = enuf.Plan((12, 9), batch=2).set_points(*points)
    expect_error('a batch has no stages', enuf.BadArgument, ['batch = 1'],
                 lambda: plan.spread(np.zeros((2, N), complex)))
    plan = enuf.Plan((12, 9)).set_points(*points)
    expect_error('cells of another shape', enuf.ArrayError, ['cells', '(12, 9)'],
                 lambda: plan.interpolate(np.zeros((12, 9), complex)))
    expect_error('no points', enuf.NoPointsSet, ['set_points'], lambda: enuf.Plan(9).spread(np.zeros(3, complex)))


run_laws(globals())
