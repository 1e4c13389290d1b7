# Encodings of images in a field against the formula in NumPy and the direct sums. SPDX-License-Identifier: BSD-3-Clause
import numpy as np

import enuf
from signals import N, SHAPES, Problem, distance, flat, normal
from expect import expect, expect_error, expect_true, run_laws

TYPES = (('complex128', 1e-9), ('complex64', 1e-4))  # and the tolerance asked for
ROUNDING = {'complex128': 1e-13, 'complex64': 1e-5}


def made(problem, field=(), tolerance=1e-9, **options):
    """An encoding with the samples and the field of a problem."""
    encoding = enuf.Encoding(problem.shape, tolerance, threads=1, **options)
    return encoding.set_samples(problem.k, times=problem.times).set_field(**dict(field))


def law_errors_are_below_the_tolerance():
    for shape in SHAPES:
        problem = Problem(shape)
        for what, field in problem.fields():
            for sign in -1, 1:
                matrix = problem.matrix(**field, sign=sign)
                data, image = matrix @ problem.image.ravel(), (matrix.conj().T @ problem.data).reshape(shape)
                for dtype, tolerance in TYPES:
                    encoding = made(problem, field, tolerance, sign=sign, dtype=dtype)
                    name = f'{len(shape)}D, {what}, {dtype}, sign {sign}'
                    found = encoding.forward(problem.image.astype(dtype))
                    expect_true(f'{name}: type and shape', found.dtype == dtype and found.shape == (N,))
                    expect(f'{name}: forward', distance(found, data), 2 * tolerance, '(2 tolerances)')
                    found = encoding.adjoint(problem.data.astype(dtype))
                    expect_true(f'{name}: type and shape of the adjoint', found.dtype == dtype and found.shape == shape)
                    expect(f'{name}: adjoint', distance(found, image), 2 * tolerance, '(2 tolerances)')
                    report = encoding.report()
                    expect_true(f'{name}: {report.interpolators} interpolators, error {report.error:.1e}',
                                0 < report.error <= tolerance and report.bytes > 0 and report.separation == 'svd' and
                                (report.interpolators == 1) == (what in ('plain', 'voxels')))


def law_the_direct_sums_are_the_same():
    problem = Problem((12, 9))
    for what, field in problem.fields():
        sums = enuf.Direct(2, threads=1).set_samples(problem.k, times=problem.times)
        sums.set_pixel_grid(problem.shape).set_field(**field)
        for tolerance in 1e-3, 1e-6, 1e-11:
            encoding = made(problem, field, tolerance)
            expect(f'{what}, {tolerance}', distance(encoding.forward(problem.image), sums.forward(problem.image)),
                   2 * tolerance, '(2 tolerances)')


def law_the_adjoint_is_one():
    problem = Problem((12, 9))
    for dtype in ROUNDING:
        for what, field in problem.fields():
            encoding = made(problem, field, 1e-2, dtype=dtype)
            image, data = problem.image.astype(dtype), problem.data.astype(dtype)
            a, b = np.vdot(data, encoding.forward(image)), np.vdot(encoding.adjoint(data), image)
            scale = np.linalg.norm(data) * np.linalg.norm(encoding.forward(image))
            expect(f'{dtype}, {what}: at any tolerance', abs(a - b) / scale, ROUNDING[dtype])


def law_normal_is_forward_weights_adjoint():
    problem = Problem((12, 9), batch=2)
    for dtype, tolerance in TYPES:
        for what, field in problem.fields():
            encoding = made(problem, field, tolerance, dtype=dtype, batch=2)
            image = problem.image.astype(dtype)
            weights = np.linspace(0.5, 2, N).astype(image.real.dtype)
            true = encoding.adjoint(weights * encoding.forward(image))
            out = np.empty_like(image)
            expect_true('in the array given', encoding.normal(image, out, weights=weights) is out)
            expect(f'{dtype}, {what}', distance(out, true), ROUNDING[dtype])
            expect(f'{dtype}, {what}, no weights',
                   distance(encoding.normal(image), encoding.adjoint(encoding.forward(image))), ROUNDING[dtype])


def law_a_batch_is_its_images():
    problem = Problem((7, 6, 5), batch=3)
    field = dict(problem.fields())['all']
    encoding, matrix = made(problem, field, batch=3), problem.matrix(**field)
    expect('forward', distance(encoding.forward(problem.image), flat(problem.image, 3) @ matrix.T), 2e-9)
    expect('adjoint', distance(flat(encoding.adjoint(problem.data), 3), problem.data @ matrix.conj()), 2e-9)


def law_pixels_have_two_orders():
    problem = Problem((12, 9))
    field = dict(problem.fields())['field']
    encoding = enuf.Encoding((12, 9), 1e-9, mode_order='fft').set_samples(problem.k, times=problem.times)
    encoding.set_field(np.fft.ifftshift(problem.omega))
    expect('fft', distance(encoding.forward(np.fft.ifftshift(problem.image)),
                           problem.matrix(**field) @ problem.image.ravel()), 2e-9)


def law_segments_serve_too():
    problem = Problem((12, 9))
    field = {'omega': problem.omega}
    encoding = made(problem, field, 1e-4, separation='segments')
    expect_true('the report', encoding.report().separation == 'segments')
    expect('forward', distance(encoding.forward(problem.image), problem.matrix(**field) @ problem.image.ravel()), 2e-4)


def law_gram_operators_serve_too():
    problem = Problem((12, 9))
    field = {'omega': problem.omega}
    encoding = made(problem, field, 1e-4, normal='gram')
    matrix = problem.matrix(**field)
    true = matrix.conj().T @ (matrix @ problem.image.ravel())
    expect('normal', distance(encoding.normal(problem.image).ravel(), true), 2e-4)
    report = encoding.report()
    expect_true('the report', report.normal == 'gram' and report.normal_terms > report.interpolators // 2 and
                0 < report.normal_error < 1e-4 and report.normal_bytes > 0)


def law_a_gradient_may_lack_an_axis():
    problem = Problem((12, 9))
    lacking = np.stack([np.zeros((12, 9)), problem.gradient[1]])
    found = made(problem, {'gradient': [None, problem.gradient[1]], 'voxel': problem.voxel}).forward(problem.image)
    true = problem.matrix(gradient=lacking, voxel=problem.voxel) @ problem.image.ravel()
    expect('along axis 1 only', distance(found, true), 2e-9)


def law_coils_share_an_image():
    problem = Problem((12, 9))
    random, field = np.random.default_rng(6), dict(problem.fields())['field']
    maps, data, matrix = normal(random, 4, 12, 9), normal(random, 4, N), problem.matrix(**field)
    encoding = made(problem, field, batch=4).set_sensitivities(maps)
    expect('forward', distance(encoding.forward(problem.image), flat(maps * problem.image, 2) @ matrix.T), 2e-9)
    true = np.sum(maps.conj() * (data @ matrix.conj()).reshape(4, 12, 9), axis=0)
    expect('adjoint', distance(encoding.adjoint(data), true), 2e-9)
    found = encoding.solve(encoding.forward(problem.image), iterations=300, tolerance=1e-10)
    expect('solution', distance(found.image, problem.image), 1e-7)
    encoding.set_sensitivities(None)
    expect_true('removed', encoding.forward(maps).shape == (4, N))


def law_conjugate_gradients_find_the_image():
    problem = Problem((12, 9), n=600)
    field = dict(problem.fields())['all']
    encoding = made(problem, field)
    data, weights = encoding.forward(problem.image), np.linspace(0.5, 1, 600)
    for what, options in ('plain', {}), ('weights', {'weights': weights}):
        found = encoding.solve(data, iterations=200, tolerance=1e-10, **options)
        expect(f'{what}: image after {found.iterations} iterations', distance(found.image, problem.image), 1e-7)
        expect_true(f'{what}: residual {found.residual:.1e}', found.residual <= 1e-10 and found.iterations < 200)
    short = encoding.solve(data, iterations=3, tolerance=0)
    expect_true('no more iterations than asked', short.iterations == 3)
    same = encoding.solve(data, short.image, start=True, iterations=200, tolerance=1e-10)
    expect_true('in the array given', same.image is short.image)
    expect(f'from there, {same.iterations} iterations', distance(same.image, problem.image), 1e-7)
    found = encoding.solve(data, weights=weights, lambda_=70.0, iterations=200, tolerance=1e-12).image
    matrix = problem.matrix(**field)
    left = matrix.conj().T @ (weights[:, None] * matrix) + 70 * np.eye(108)
    true = np.linalg.solve(left, matrix.conj().T @ (weights * data)).reshape(12, 9)
    expect('with a penalty', distance(found, true), 1e-8)


def law_wrong_input_is_refused():
    problem = Problem((12, 9))
    field = dict(problem.fields())['all']
    new = enuf.Encoding((12, 9))
    expect_error('no samples', enuf.NoPointsSet, ['set_samples'], lambda: new.forward(problem.image))
    expect_error('no samples of a field', enuf.NoPointsSet, ['set_samples'], new.set_field)
    expect_error('no report', enuf.NoPointsSet, ['set'], new.report)
    new.set_samples(problem.k)
    expect_error('no field', enuf.NoPointsSet, ['field'], lambda: new.forward(problem.image))
    expect_error('a field without times', enuf.BadArgument, ['times'], lambda: new.set_field(problem.omega))
    expect_error('float32', enuf.ArrayError, ['kx', 'float64'], lambda: new.set_samples(problem.k.astype('f4')))
    bad = problem.k.copy()
    bad[7, 1] = np.nan
    expect_error('NaN', enuf.NotFinite, ['of sample 7'], lambda: new.set_samples(bad))
    expect_error('times', enuf.ArrayError, ['times'], lambda: new.set_samples(problem.k, times=problem.times[1:]))
    encoding = made(problem, field)
    expect_error('a gradient without a voxel', enuf.BadArgument, ['voxel'],
                 lambda: encoding.set_field(gradient=problem.gradient))
    for d in range(2):
        expect_error(f'voxel {d}', enuf.BadArgument, [f'voxel[{d}]'],
                     lambda: encoding.set_field(voxel=np.where(np.arange(2) == d, -1, 0.1)))
        slopes = problem.gradient.copy()
        slopes[d, 3, 4] = np.inf
        expect_error(f'gradient {d}', enuf.NotFinite, [f'gradient[{d}]', '31'],
                     lambda: encoding.set_field(gradient=slopes, voxel=0.1))
    expect_error('a map of another shape', enuf.ArrayError, ['decay', '(12, 9)'],
                 lambda: encoding.set_field(decay=problem.decay.T))
    omega = problem.omega.copy()
    omega[0, 3] = np.nan
    expect_error('NaN in a map', enuf.NotFinite, ['omega[3]'], lambda: encoding.set_field(omega))
    expect_error('an image of another shape', enuf.ArrayError, ['image'], lambda: encoding.forward(problem.data))
    expect_error('data of another type', enuf.ArrayError, ['data', 'complex128'],
                 lambda: encoding.adjoint(problem.data.astype('c8')))
    read_only = np.empty(N, complex)
    read_only.flags.writeable = False
    expect_error('a result that is read-only', enuf.ArrayError, ['out', 'read-only'],
                 lambda: encoding.forward(problem.image, read_only))
    expect_error('weights of another number', enuf.ArrayError, ['weights', str(N)],
                 lambda: encoding.normal(problem.image, weights=np.ones(3)))
    expect_error('negative weights', enuf.BadArgument, ['weights[0]'],
                 lambda: encoding.solve(problem.data, weights=-np.ones(N)))
    expect_error('a negative penalty', enuf.BadArgument, ['lambda'], lambda: encoding.solve(problem.data, lambda_=-1))
    expect_error('a start from nowhere', enuf.BadArgument, ['out'], lambda: encoding.solve(problem.data, start=True))
    expect_error('sensitivities', enuf.ArrayError, ['sensitivities'],
                 lambda: encoding.set_sensitivities(problem.data))
    image = problem.image.copy()
    image[2, 1] = np.nan
    expect_error('NaN in the image', enuf.NotFinite, ['finite'], lambda: encoding.forward(image))
    expect('the encoding still serves', distance(encoding.forward(problem.image),
                                                 problem.matrix(**field) @ problem.image.ravel()), 2e-9)
    for tolerance, dtype in (1e-16, 'complex128'), (1e-8, 'complex64'):
        expect_error(f'tolerance {tolerance}', enuf.UnreachableAccuracy, ['tolerance'],
                     lambda: enuf.Encoding((12, 9), tolerance, dtype=dtype))
    expect_error('dimensions', enuf.BadArgument, ['1 to 3'], lambda: enuf.Encoding((2, 2, 2, 2)))
    expect_error('an order', enuf.BadArgument, ["'fft'"], lambda: enuf.Encoding(4, mode_order='numpy'))
    expect_error('a separation', enuf.BadArgument, ['svd', 'segments'], lambda: enuf.Encoding(4, separation='pca'))


run_laws(globals())
