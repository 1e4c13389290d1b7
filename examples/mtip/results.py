"""Results of M-TIP: the shell correlation with the true molecule, arrays and pictures. SPDX-License-Identifier:
BSD-3-Clause
"""
import csv
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent))
from pictures import write_png  # noqa: E402, of examples


def shell_correlation(a, q, density, true):
    """(q, correlation) of shells of the density's transform and the true one, and the density: shifted and inverted to
    agree."""
    best = None
    for found in np.fft.fftn(np.fft.ifftshift(density)), np.conj(np.fft.fftn(np.fft.ifftshift(density))):
        at = np.unravel_index(np.fft.ifftn(found.conj() * true).real.argmax(), found.shape)
        shift = np.array(at, float)
        for step in 0.5, 0.25, 0.12, 0.06:
            for d in np.repeat(np.arange(3), 2):
                tries = shift + np.outer([-step, 0, step], np.eye(3)[d])
                shift = max(tries, key=lambda s: (found * np.exp(-1j * q @ s) * true.conj()).real.sum())
        found = found * np.exp(-1j * q @ shift)
        value = (found * true.conj()).real.sum()
        best = max(best or (-np.inf, None), (value, found), key=lambda pair: pair[0])
    found, shell = best[1], np.rint(np.linalg.norm(q, axis=-1) / (2 * np.pi / a.side)).astype(int)
    sums = [np.bincount(shell.ravel(), w.ravel()) for w in ((found * true.conj()).real, abs(found)**2, abs(true)**2)]
    density = np.fft.fftshift(np.fft.ifftn(found).real)
    return np.arange(len(sums[0])) * 2 * np.pi / a.side, sums[0] / np.sqrt(sums[1] * sums[2]), density


def _with_frame(pictures):
    """Pictures of one height side by side, each from 0 to its largest value, with a line between them."""
    parts = []
    for picture in pictures:
        parts += [np.maximum(picture, 0) / picture.max(), np.ones((len(picture), 1))]
    return np.concatenate(parts[:-1], axis=1)


def _on_detector(a, values):
    """Values of the pixels inside the circle, on the square."""
    line = np.linspace(-a.q, a.q, a.pixels)
    square = np.zeros((a.pixels, a.pixels))
    square[line[:, None]**2 + line**2 <= a.q**2] = values
    return square


def _curve(shells, correlation, largest, height=100, step=8):
    """Bars of the correlation of shells up to the largest q, gray beyond, with a line at 0.5."""
    picture = np.full((height, step * len(shells)), 1.0)
    for k, value in enumerate(correlation):
        top = height - int(round(height * min(max(value, 0), 1)))
        picture[top:, step * k:step * k + step - 2] = 0.2 if shells[k] <= largest else 0.6
    picture[height // 2] = 0
    return picture


def save(folder, a, whole, density, true, shells, correlation, flat, r, images):
    """density.npy, autocorrelation.npy, shell_correlation.csv; slices.png, density.png, shell_correlation.png."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / 'density.npy', density)
    np.save(folder / 'autocorrelation.npy', whole.real)
    with open(folder / 'shell_correlation.csv', 'w', newline='') as file:
        csv.writer(file).writerows([('q', 'correlation'), *zip(shells, correlation)])
    numbers, n = np.arange(a.side) - a.side // 2, min(4, len(images))
    grid = np.stack(np.meshgrid(*3 * [numbers], indexing='ij'), -1).reshape(-1, 3)
    rows = []
    for k in range(n):
        model = (np.exp(1j * (flat @ r[k].T) @ grid.T) @ whole.ravel()).real
        rows.append(_with_frame([_on_detector(a, np.log1p(np.maximum(v, 0))) for v in (images[k], model)]))
    write_png(folder / 'slices.png', np.repeat(np.repeat(np.concatenate(rows), 4, 0), 4, 1))
    middle = 3 * (slice(a.side // 2 - a.half, a.side // 2 + a.half + 1),)
    views = np.concatenate([_with_frame([d[middle].sum(axis=k) for k in range(3)]) for d in (density, true)])
    write_png(folder / 'density.png', np.repeat(np.repeat(views, 8, 0), 8, 1))
    write_png(folder / 'shell_correlation.png', _curve(shells, correlation, a.q))
