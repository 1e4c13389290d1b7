# enuf.compat.cufinufft does what cuFINUFFT does, here with arrays of the host. SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np

import enuf.compat.cufinufft as cufinufft
from expect import expect, expect_error, expect_true, run_laws

SHAPE, N = (12, 9), 40
RANDOM = np.random.default_rng(8)
X, Y = RANDOM.uniform(-5, 5, (2, N)).astype('f4')
C = (RANDOM.normal(size=N) + 1j * RANDOM.normal(size=N)).astype('c8')
F = (RANDOM.normal(size=SHAPE) + 1j * RANDOM.normal(size=SHAPE)).astype('c8')
GRIDS = np.meshgrid(*[np.arange(-(n // 2), (n + 1) // 2) for n in SHAPE], indexing='ij')
WAVES = np.exp(1j * sum(grid.ravel()[:, None] * x.astype(float) for grid, x in zip(GRIDS, (X, Y))))


def error(found, true):
    return np.linalg.norm(np.ravel(found) - np.ravel(true)) / np.linalg.norm(true)


def law_signs_and_shapes_are_cufinuffts():
    expect('type 1: exp(+i k x)', error(cufinufft.nufft2d1(X, Y, C, SHAPE, eps=1e-5), WAVES @ C), 1e-4)
    expect('type 2: exp(-i k x)', error(cufinufft.nufft2d2(X, Y, F, eps=1e-5), WAVES.conj().T @ F.ravel()), 1e-4)
    phases = np.exp(1j * (np.outer(Y, X) + np.outer(X, Y)).astype(float))
    expect('type 3', error(cufinufft.nufft2d3(X, Y, C, Y, X, eps=1e-4), phases @ C), 1e-3)
    plan = cufinufft.Plan(1, SHAPE, n_trans=2, eps=1e-5, gpu_method=2, gpu_maxbatchsize=1)
    plan.setpts(X, Y)
    expect('two vectors', error(plan.execute(np.stack([C, 2 * C]))[1], WAVES @ (2 * C)), 1e-4)
    expect_true('an axis of one vector stays', cufinufft.nufft2d1(X, Y, C[None], SHAPE).shape == (1, *SHAPE))
    expect_true('single precision is the default', plan.dtype == np.complex64)
    found = cufinufft.nufft2d1(X, Y, C, SHAPE, modeord=1)
    expect('modeord', error(np.fft.fftshift(found), WAVES @ C), 1e-4)


def law_errors_are_cufinuffts():
    plan = cufinufft.Plan(1, SHAPE)
    expect_error('an option', TypeError, ["Invalid option 'colour'"], lambda: cufinufft.Plan(1, SHAPE, colour='red'))
    expect_error('dtype', TypeError, ['complex64 or complex128'], lambda: cufinufft.Plan(1, SHAPE, dtype='float32'))
    expect_error('a dimension', ValueError, ['1, 2, and 3'], lambda: cufinufft.Plan(1, (2, 2, 2, 2)))
    expect_error('points of another type', TypeError, ['`x`', 'float64'], lambda: plan.setpts(X.astype(float), Y))
    expect_error('of another length', TypeError, ['`y` must be of shape (40,)'], lambda: plan.setpts(X, Y[1:]))
    expect_error('too many', TypeError, ['is 2, but `z` was specified'], lambda: plan.setpts(X, Y, X))
    plan.setpts(X, Y)
    expect_error('strengths of another shape', TypeError, ['`data`', '(1, 40)'], lambda: plan.execute(C[1:]))
    expect_error('out in Fortran order', TypeError, ['requirement: C'],
                 lambda: plan.execute(C, np.empty(SHAPE, 'c8', order='F')))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        cufinufft.Plan(1, SHAPE, eps=1e-9)
    expect_true('a tolerance out of reach warns', len(caught) == 1 and '1e-09' in str(caught[0].message))


run_laws(globals())
