# Direct sums of signals against their formula in NumPy. SPDX-License-Identifier: BSD-3-Clause
import gc

import numpy as np

import enuf
from signals import N, SHAPES, Problem, distance, flat
from expect import expect, expect_error, expect_true, run_laws

DOUBLE, SINGLE = 1e-12, 2e-6  # rounding of the sums in NumPy; of float
TYPES = (('complex128', DOUBLE), ('complex64', SINGLE))


def made(problem, field=(), times=True, **options):
    """Sums with the samples, grid and field of a problem."""
    sums = enuf.Direct(problem.dim, threads=1, **options)
    sums.set_samples(problem.k, times=problem.times if times else None).set_pixel_grid(problem.shape)
    return sums.set_field(**dict(field))


def law_sums_are_the_formula():
    for shape in SHAPES:
        problem = Problem(shape)
        for what, field in problem.fields():
            for sign in -1, 1:
                matrix = problem.matrix(**field, sign=sign)
                data, image = matrix @ problem.image.ravel(), (matrix.conj().T @ problem.data).reshape(shape)
                for dtype, bound in TYPES:
                    sums = made(problem, field, sign=sign, dtype=dtype)
                    name = f'{len(shape)}D, {what}, {dtype}, sign {sign}'
                    found = sums.forward(problem.image.astype(dtype))
                    expect_true(f'{name}: type and shape', found.dtype == dtype and found.shape == (N,))
                    expect(f'{name}: forward', distance(found, data), bound)
                    found = sums.adjoint(problem.data.astype(dtype))
                    expect_true(f'{name}: type and shape of the adjoint', found.dtype == dtype and found.shape == shape)
                    expect(f'{name}: adjoint', distance(found, image), bound)


def law_the_adjoint_is_one():
    problem = Problem((12, 9))
    for what, field in problem.fields():
        sums = made(problem, field)
        a, b = np.vdot(problem.data, sums.forward(problem.image)), np.vdot(sums.adjoint(problem.data), problem.image)
        expect(f'{what}: <data, A image> is <A^H data, image>', abs(a - b) / abs(a), DOUBLE)


def law_pixels_may_lie_anywhere():
    for shape in SHAPES:
        problem = Problem(shape)
        for what, field in problem.fields():
            maps = {name: value if name == 'voxel' else flat(value, len(shape)) for name, value in field.items()}
            sums = enuf.Direct(len(shape), threads=1).set_samples(problem.k, times=problem.times)
            sums.set_pixels(*problem.r.T.copy()).set_field(**maps)
            true = problem.matrix(**field) @ problem.image.ravel()
            expect(f'{len(shape)}D, {what}', distance(sums.forward(problem.image.ravel()), true), DOUBLE)
            rows = problem.r if len(shape) > 1 else problem.r[:, 0]
            sums.set_pixels(rows).set_field(**maps)
            expect(f'{len(shape)}D, {what}, rows', distance(sums.forward(problem.image.ravel()), true), DOUBLE)


def law_grids_have_spacing_and_a_first_pixel():
    problem = Problem((12, 9))
    spacing, first = np.array([0.3, 0.2]), np.array([-1.1, 0.7])
    places = first + spacing * np.indices(problem.shape).reshape(2, -1).T
    sums = enuf.Direct(2, threads=1).set_samples(*problem.k.T.copy())
    sums.set_pixel_grid(problem.shape, spacing=spacing, first=first)
    true = np.exp(-2j * np.pi * problem.k @ places.T) @ problem.image.ravel()
    expect('two numbers each', distance(sums.forward(problem.image), true), DOUBLE)
    sums.set_pixel_grid(problem.shape, spacing=0.3, first=-1.1)
    places = -1.1 + 0.3 * np.indices(problem.shape).reshape(2, -1).T
    true = np.exp(-2j * np.pi * problem.k @ places.T) @ problem.image.ravel()
    expect('one number', distance(sums.forward(problem.image), true), DOUBLE)


def law_gradients_are_the_slopes_of_the_data():
    step = 1e-4
    for shape in SHAPES:
        problem = Problem(shape)
        for what, field in problem.fields():
            slopes = []
            for d in range(len(shape)):
                move = step * np.eye(len(shape))[d]
                a, b, c, e = (problem.matrix(**field, k=problem.k + m * move) @ problem.image.ravel()
                              for m in (-2, -1, 1, 2))
                slopes.append((a - 8 * b + 8 * c - e) / (12 * step))
            true = np.stack(slopes, axis=-1)
            sums = made(problem, field)
            data, found = sums.forward(problem.image, gradients=True)
            expect(f'{len(shape)}D, {what}', distance(found, true), 1e-9, '(differences of fourth order)')
            expect_true('the data are those without', distance(data, sums.forward(problem.image)) < DOUBLE)
            given = np.empty((N, len(shape)), complex)
            _, same = sums.forward(problem.image, gradients=given)
            expect_true('in the array given', same is given and np.array_equal(given, found))


def law_a_batch_is_its_images():
    for dtype, bound in TYPES:
        problem = Problem((12, 9), batch=3)
        field = dict(problem.fields())['all']
        sums = made(problem, field, batch=3, dtype=dtype)
        matrix = problem.matrix(**field)
        image, data = problem.image.astype(dtype), problem.data.astype(dtype)
        found, slopes = sums.forward(image, gradients=True)
        expect(f'{dtype}: forward', distance(found, flat(problem.image, 2) @ matrix.T), bound)
        expect_true('gradients [batch, n, dim]', slopes.shape == (3, N, 2))
        alone = made(problem, field, dtype=dtype).forward(image[1].copy(), gradients=True)[1]
        expect(f'{dtype}: gradients', distance(slopes[1], alone), bound)
        expect(f'{dtype}: adjoint', distance(flat(sums.adjoint(data), 2), problem.data @ matrix.conj()), bound)


def law_results_go_where_the_caller_says():
    problem = Problem((12, 9))
    sums = made(problem)
    data, image = np.empty(N, complex), np.empty((12, 9), complex)
    expect_true('forward', sums.forward(problem.image, data) is data and
                np.array_equal(data, sums.forward(problem.image)))
    expect_true('adjoint', sums.adjoint(problem.data, out=image) is image and
                np.array_equal(image, sums.adjoint(problem.data)))


def law_what_is_set_is_copied():
    problem = Problem((12, 9))
    field = {name: value.copy() for name, value in dict(problem.fields())['all'].items()}
    k, times = problem.k.copy(), problem.times.copy()
    sums = enuf.Direct(2, threads=1).set_samples(k, times=times).set_pixel_grid((12, 9)).set_field(**field)
    true = sums.forward(problem.image)
    for array in (k, times, *field.values()):
        array[...] = 0
    del k, times, field
    gc.collect()
    expect_true('the sums stay', np.array_equal(sums.forward(problem.image), true))


def law_strided_coordinates_serve():
    problem = Problem((12, 9))
    wide = np.zeros((N, 5))
    wide[:, :2] = problem.k
    true = made(problem).forward(problem.image)
    sums = made(problem)
    sums.set_samples(wide[:, :2], times=problem.times)
    expect_true('rows that lie apart', np.array_equal(sums.forward(problem.image), true))
    sums.set_samples(wide[:, 0], wide[:, 1], times=problem.times)
    expect_true('columns', np.array_equal(sums.forward(problem.image), true))


def law_wrong_input_is_refused():
    problem = Problem((12, 9))
    field = dict(problem.fields())['all']
    new = enuf.Direct(2)
    expect_error('no pixels', enuf.NoPointsSet, ['set_pixel'], lambda: new.forward(problem.image))
    expect_error('no pixels of a field', enuf.NoPointsSet, ['set_pixel'], lambda: new.set_field(problem.omega))
    new.set_pixel_grid((12, 9))
    expect_error('no samples', enuf.NoPointsSet, ['set_samples'], lambda: new.forward(problem.image))
    expect_error('one coordinate', enuf.BadArgument, ['2 are needed'], lambda: new.set_samples(*[np.zeros(3)] * 3))
    expect_error('float32', enuf.ArrayError, ['kx', 'float64', "astype('float64')"],
                 lambda: new.set_samples(problem.k.astype('f4')))
    for d, axis in enumerate('xy'):
        bad = problem.k.copy()
        bad[7, d] = np.nan
        expect_error(f'NaN in column {d}', enuf.NotFinite, [f'{axis} of sample 7'], lambda: new.set_samples(bad))
        expect_error(f'NaN of pixels in column {d}', enuf.NotFinite, [f'{axis} of pixel 7'],
                     lambda: enuf.Direct(2).set_pixels(bad))
        expect_error(f'voxel {d}', enuf.BadArgument, [f'voxel[{d}]', 'positive'],
                     lambda: made(problem, {'voxel': np.where(np.arange(2) == d, 0, 0.1)}))
        slopes = problem.gradient.copy()
        slopes[d, 3, 4] = np.inf
        expect_error(f'gradient {d}', enuf.NotFinite, [f'gradient[{d}]', 'pixel 31'],
                     lambda: made(problem, {**field, 'gradient': slopes}))
    expect_error('times of another number', enuf.ArrayError, ['times', str(N)],
                 lambda: new.set_samples(problem.k, times=problem.times[1:]))
    expect_error('a field without times', enuf.BadArgument, ['times'],
                 lambda: made(problem, {'omega': problem.omega}, times=False))
    expect_error('a gradient without a voxel', enuf.BadArgument, ['voxel'],
                 lambda: made(problem, {'gradient': problem.gradient}))
    sums = made(problem, field)
    expect_error('a map of another shape', enuf.ArrayError, ['omega', '(12, 9)'],
                 lambda: sums.set_field(problem.omega.T))
    expect_error('maps of one axis', enuf.BadArgument, ['gradient', '2 are needed'],
                 lambda: sums.set_field(gradient=[problem.omega], voxel=0.1))
    expect_error('an image of another shape', enuf.ArrayError, ['image', '(12, 9)'],
                 lambda: sums.forward(problem.image.T.copy()))
    expect_error('a strided image', enuf.ArrayError, ['image', 'ascontiguousarray'],
                 lambda: sums.forward(np.zeros((12, 18), complex)[:, ::2]))
    expect_error('an image in float', enuf.ArrayError, ['image', 'complex128'],
                 lambda: sums.forward(problem.image.astype('c8')))
    read_only = np.empty(N, complex)
    read_only.flags.writeable = False
    expect_error('a result that is read-only', enuf.ArrayError, ['out', 'read-only'],
                 lambda: sums.forward(problem.image, read_only))
    image = problem.image.copy()
    image[2, 1] = np.nan
    expect_error('NaN in the image', enuf.NotFinite, ['image[19]'], lambda: sums.forward(image))
    expect('the sums still serve', distance(sums.forward(problem.image),
                                            problem.matrix(**field) @ problem.image.ravel()), DOUBLE)
    expect_error('dimensions', enuf.BadArgument, ['dim'], lambda: enuf.Direct(4))
    expect_error('a sign', enuf.BadArgument, ['sign'], lambda: enuf.Direct(2, sign=2))
    expect_error('a type', enuf.BadArgument, ['complex64'], lambda: enuf.Direct(2, dtype='float64'))


run_laws(globals())
