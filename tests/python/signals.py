# Samples, images and fields, and their sums in NumPy: sum_k image[k] B(j,k) exp(sign i p(j,k) - R_k t_j) with
# p(j,k) = 2 pi k_j . r_k + w_k t_j and B(j,k) = prod_d sinc(k_jd v_d + G_kd t_j), as in enuf/direct.h.
# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

SHAPES = [(19,), (12, 9), (7, 6, 5)]
N = 90


class Problem:
    """A seeded image [batch, ...] on a grid, samples k [n, dim] with times, and maps of the field."""

    def __init__(self, shape, seed=4, batch=1, n=N):
        random = np.random.default_rng(seed)
        self.shape, self.dim = shape, len(shape)
        self.k = np.stack([random.uniform(-m / 2, m / 2, n) for m in shape], axis=1)
        self.times = np.sort(random.uniform(-0.002, 0.02, n))
        self.omega = random.uniform(-300, 500, shape)
        self.decay = random.uniform(0, 60, shape)
        self.gradient = random.uniform(-30, 30, (self.dim, *shape))
        self.voxel = 1 / np.array(shape)
        batched = (batch,) if batch > 1 else ()
        self.image = normal(random, *batched, *shape)
        self.data = normal(random, *batched, n)
        axes = [(np.arange(m) - m // 2) / m for m in shape]
        self.r = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing='ij')], axis=1)

    def fields(self):
        """(name, maps for set_field)."""
        return [('plain', {}), ('field', {'omega': self.omega}), ('decay', {'decay': self.decay}),
                ('voxels', {'voxel': self.voxel}), ('all', {
                    'omega': self.omega, 'decay': self.decay, 'gradient': self.gradient, 'voxel': self.voxel})]

    def matrix(self, omega=None, decay=None, gradient=None, voxel=None, sign=-1, k=None):
        """[n][pixels]"""
        k = self.k if k is None else k
        phase = 2 * np.pi * k @ self.r.T
        exponent = np.zeros((len(k), len(self.r)))
        if omega is not None:
            phase = phase + np.outer(self.times, omega.ravel())
        if decay is not None:
            exponent -= np.outer(self.times, decay.ravel())
        product = np.exp(sign * 1j * phase + exponent)
        for d in range(self.dim if voxel is not None else 0):
            turns = np.zeros(len(self.r)) if gradient is None else gradient[d].ravel()
            product = product * np.sinc(k[:, d, None] * voxel[d] + np.outer(self.times, turns))
        return product


def normal(random, *shape):
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def flat(image, dim):
    """[batch..., pixels] of [batch..., n1, ...]."""
    return image.reshape(*image.shape[:image.ndim - dim], -1)


def distance(a, b):
    """Relative l2."""
    return float(np.linalg.norm(np.asarray(a) - b) / np.linalg.norm(b))
