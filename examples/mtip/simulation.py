"""Images of a molecule, as an X-ray laser would give them. SPDX-License-Identifier: BSD-3-Clause"""
import numpy as np


def rotation(turn):
    """Rotation matrices [..., 3, 3] of vectors along the axis, as long as the angle (Rodrigues)."""
    angle = np.linalg.norm(turn, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(turn, -1, 0)
    k = np.stack([0 * x, -z, y, z, 0 * x, -x, -y, x, 0 * x], -1).reshape(*x.shape, 3, 3)
    return np.eye(3) + np.sinc(angle / np.pi) * k + 0.5 * np.sinc(angle / 2 / np.pi)**2 * k @ k


def molecule(a):
    """Places [atoms, 3] in voxels, about the centre."""
    random = np.random.default_rng(a.seed)
    places = random.normal(size=(a.atoms, 3)) * [0.42, 0.26, 0.2] * a.half
    return places[np.linalg.norm(places, axis=1) < 0.8 * a.half]


def field(places, q):
    """The transform of Gaussian atoms of standard deviation 0.7 at q [..., 3]."""
    return np.exp(1j * q @ places.T).sum(axis=-1) * np.exp(-0.245 * (q**2).sum(axis=-1))


def detector(a):
    """q [pixels, 3] of a detector inside the circle of the largest q, on the Ewald sphere of wave number 4 q."""
    x, y = np.meshgrid(*2 * [np.linspace(-a.q, a.q, a.pixels)], indexing='ij')
    x, y = (c[x**2 + y**2 <= a.q**2] for c in (x, y))
    return np.stack([x, y, 4 * a.q - np.sqrt(16 * a.q**2 - x**2 - y**2)], -1)


def measure(a, places, flat, numbers):
    """True orientations [images, 3, 3] and noisy images [images, pixels] of these numbers: of any ranks the same."""
    true, images = [], []
    for k in numbers:
        random = np.random.default_rng([a.seed, k])
        turn = random.normal(size=(2, 4))  # quaternions are uniform on their sphere
        w, x, y, z = turn[0] / np.linalg.norm(turn[0])
        r = 2 * np.array([[x * x + w * w - 0.5, x * y - w * z, x * z + w * y],
                          [x * y + w * z, y * y + w * w - 0.5, y * z - w * x],
                          [x * z - w * y, y * z + w * x, z * z + w * w - 0.5]])
        exact = np.abs(field(places, flat @ r.T))**2
        true.append(r)
        images.append(random.poisson(a.photons * exact) / a.photons)
    return np.array(true), np.array(images)
