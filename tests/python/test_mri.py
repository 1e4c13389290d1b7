# The backend of mri-nufft does what that of NumPy does, which sums directly. SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import sys

import numpy as np

if not importlib.util.find_spec('mrinufft'):
    print('skipped: mri-nufft is not installed here')
    sys.exit(77)
from mrinufft import get_operator, list_backends

import enuf.mri
from expect import expect, expect_true, run_laws

SHAPE, N = (12, 10), 70
RANDOM = np.random.default_rng(3)
SAMPLES = RANDOM.uniform(-0.5, 0.5, (N, 2)).astype(np.float32)


def complex_array(*shape):
    return (RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)).astype(np.complex64)


def distance(a, b):
    return np.linalg.norm(np.asarray(a) - np.asarray(b)) / np.linalg.norm(np.asarray(b))


def law_operators_are_those_of_direct_sums():
    expect_true('the backend is registered', 'enuf' in list_backends(available_only=True))
    maps = complex_array(4, *SHAPE)
    for what, options in (('one coil', {}), ('four coils', {'n_coils': 4}),
                          ('coils with maps', {'n_coils': 4, 'smaps': maps}),
                          ('coils, two at once', {'n_coils': 4, 'n_trans': 2, 'smaps': maps})):
        mine = get_operator('enuf')(SAMPLES, SHAPE, **options)
        its = get_operator('numpy')(SAMPLES, SHAPE, **{k: v for k, v in options.items() if k != 'n_trans'})
        coils = () if mine.n_coils == 1 or 'smaps' in options else (mine.n_coils,)
        image = complex_array(*coils, *SHAPE)
        data = its.op(image)
        expect(f'{what}: forward', distance(mine.op(image), data), 1e-5)
        expect(f'{what}: adjoint', distance(mine.adj_op(data), its.adj_op(data)), 1e-5)
        expect(f'{what}: data consistency', distance(mine.data_consistency(image, 0.5 * data),
                                                     its.data_consistency(image, 0.5 * data)), 1e-4)


def law_a_density_weighs_the_samples():
    weights, data = np.linspace(1, 2, N, dtype=np.float32), complex_array(N)
    found = get_operator('enuf')(SAMPLES, SHAPE, density=weights).adj_op(data)
    expect('adjoint', distance(found, get_operator('numpy')(SAMPLES, SHAPE).adj_op(weights * data)), 1e-5)
    images = complex_array(3, 2, *SHAPE)
    found = get_operator('enuf')(SAMPLES, SHAPE, n_coils=2, n_batchs=3).op(images)
    one = get_operator('enuf')(SAMPLES, SHAPE, n_coils=2).op(images[1])
    expect('a batch of images', distance(found[1], one), 1e-6)


def law_a_trajectory_may_change():
    mine, other = get_operator('enuf')(SAMPLES, SHAPE), SAMPLES[::-1] * np.float32(0.7)
    mine.update_samples(other)
    image = complex_array(*SHAPE)
    expect('forward', distance(mine.op(image), get_operator('numpy')(other, SHAPE).op(image)), 1e-5)


def law_three_dimensions():
    samples, image = RANDOM.uniform(-0.5, 0.5, (N, 3)).astype(np.float32), complex_array(6, 7, 8)
    operator = get_operator('enuf')(samples, (6, 7, 8))
    true = enuf.direct_type2(2 * np.pi * samples.astype(float), image, sign=-1) / operator.norm_factor
    expect('forward', distance(operator.op(image), true), 1e-5, '(sums of mri-nufft have other modes at odd sizes)')


def law_gradients_by_data_and_trajectory():
    if not importlib.util.find_spec('torch') or not importlib.util.find_spec('deepinv'):
        print('left out: PyTorch or deepinv, which mri-nufft needs for gradients, is not here')
        return
    import torch
    weights = torch.tensor(complex_array(N))
    image = torch.tensor(complex_array(*SHAPE))
    gradients = []
    for wrt_data, wrt_traj in (True, False), (False, True):
        operator = get_operator('enuf', wrt_data=wrt_data, wrt_traj=wrt_traj)(SAMPLES, SHAPE, squeeze_dims=False)
        x = image.clone().requires_grad_(wrt_data)
        loss = (weights.conj() * operator.op(x[None, None])).real.sum()
        loss.backward()
        gradients.append(x.grad if wrt_data else operator.samples.grad)
    scale = 1 / get_operator('enuf')(SAMPLES, SHAPE).norm_factor

    def loss_of(radians, image):
        sums = enuf.direct_type2(radians, image, sign=-1) * scale
        return np.sum(weights.numpy().conj() * sums).real

    def slope(step, by_data, by_samples):
        radians, whole = 2 * np.pi * SAMPLES.astype(float), image.numpy().astype(complex)
        return (loss_of(radians + step * by_samples, whole + step * by_data) -
                loss_of(radians - step * by_samples, whole - step * by_data)) / (2 * step)
    direction, move = complex_array(*SHAPE).astype(complex), RANDOM.normal(size=(N, 2))
    found = np.sum(gradients[0].numpy().conj() * direction).real
    expect('by the data', abs(found / slope(1.0, direction, 0) - 1), 1e-4, '(float)')
    found = np.sum(gradients[1].numpy() * move)
    expect('by the trajectory', abs(found / slope(1e-4, 0, move) - 1), 1e-4, '(float)')


run_laws(globals())
