#!/usr/bin/env python3
"""Images from the arrays of a folder, as `imaging reconstruct` makes them, in Python on a CPU or a GPU.

    imaging simulate FOLDER ...             writes trajectory.npy, weights.npy, data.npy, maps.npy, truth.npy
    reconstruct.py FOLDER [options]         writes image.npy and image.png

Gridding is the adjoint with weights. Conjugate gradients solve (sum_c conj(s_c) G s_c + lambda tr) image =
sum_c conj(s_c) A^H W data_c, with the maps s_c of the coils and G = A^H W A of enuf.Gram, which needs no samples
(Pruessmann, Weiger, Boernert, Boesiger, Magn. Reson. Med. 46 (2001) 638). Weights by iteration: Pipe, Menon, Magn.
Reson. Med. 41 (1999) 179. SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import os
import sys
from pathlib import Path

import numpy as np

import enuf

sys.path.append(str(Path(__file__).resolve().parent.parent))
from pictures import write_png  # noqa: E402, of examples


def read(folder, name, dtype, axes):
    path = Path(folder, name)
    try:
        array = np.load(path)
    except (OSError, ValueError) as error:
        sys.exit(f'{path}: {error}')
    if array.dtype != np.dtype(dtype) or array.ndim != axes:
        sys.exit(f'{path}: {array.dtype} of shape {array.shape}: {dtype} with {axes} axes is needed')
    if not np.isfinite(array).all():
        sys.exit(f'{path}: element {tuple(map(int, np.argwhere(~np.isfinite(array))[0]))} is not finite')
    return np.ascontiguousarray(array)


def measurement(folder, has_weights):
    """(k [trajectories, samples, 2], weights [trajectories, samples], data [frames, coils, samples], maps [coils, side,
    side]); without weights they are 1."""
    k = read(folder, 'trajectory.npy', 'float64', 3)
    weights = read(folder, 'weights.npy', 'float64', 2) if has_weights else np.ones(k.shape[:2])
    data, maps = read(folder, 'data.npy', 'complex128', 3), read(folder, 'maps.npy', 'complex128', 3)
    frames, coils, samples = data.shape
    for name, found, needed in (('trajectory', k.shape, (samples, 2)), ('weights', weights.shape, (samples,))):
        if found[1:] != needed or found[0] not in (1, frames):
            sys.exit(f'{folder}/{name}.npy has the shape {found}: data.npy has {frames} frames of {samples} samples')
    if len(weights) != len(k) or len(maps) != coils or maps.shape[1] != maps.shape[2]:
        sys.exit(f'{folder}: weights.npy {weights.shape}, trajectory.npy {k.shape}, maps.npy {maps.shape}: as many '
                 f'weights as trajectories, and {coils} square maps, are needed')
    if abs(k).max() > maps.shape[1] / 2:
        sys.exit(f'{folder}/trajectory.npy: {abs(k).max():g} cycles: at most {maps.shape[1] / 2:g}, half of the pixels')
    return k, weights, data, maps


def spreading(a, side, k):
    """A plan that serves for spreading and interpolation of real numbers, by a window of seven of twice `side` cells.
    An odd width: rounding of a coordinate does not change which cells the window meets."""
    plan = enuf.Plan(2 * (side,), 0, real=True, period=side, width=7, fine_grid=2 * (2 * side,), backend=a.backend)
    return plan.set_points(k[:, 1], k[:, 0])


def weights_by_iteration(a, side, k, move):
    """w <- w / interpolate(spread(w)), from w = 1; in units of what the samples of the full Cartesian grid see."""
    rows, columns = np.divmod(np.arange(side**2), side)
    cartesian = move(np.stack([columns, rows], axis=1) - side // 2.0)
    plan = spreading(a, side, cartesian)
    unit = float(plan.interpolate(plan.spread(0 * cartesian[:, 0] + 1))[0])
    k = move(k)
    plan, weights = spreading(a, side, k), 0 * k[:, 0] + 1
    for _ in range(a.iterations):
        weights = weights * (unit / plan.interpolate(plan.spread(weights)))
    return weights.cpu().numpy() if hasattr(weights, 'cpu') else weights


def square(a):
    return float((a.conj() * a).real.sum())


def solve(gram, maps, right, shift, iterations):
    """Conjugate gradients from 0; maps [coils, side, side], right [side, side]. Arrays of NumPy or PyTorch."""
    image, residual = 0 * right, right
    along, size = right, square(right)
    smallest = 1e-30 * size
    for _ in range(iterations):
        if size <= smallest:
            break
        product = (maps.conj() * gram(maps * along[None])).sum(0) + shift * along
        step = size / float((along.conj() * product).real.sum())
        image, residual = image + step * along, residual - step * product
        size, before = square(residual), size
        along = residual + size / before * along
    return image


def reconstruct(a, k, weights, data, maps, move):
    """Images [frames, side, side]; move: from NumPy to where the work is done."""
    coils, side = maps.shape[:2]
    plan = enuf.Plan((side, side), a.tolerance, sign=1, period=side, batch=coils, backend=a.backend)
    images, maps, gram = [], move(maps), None
    for f, frame in enumerate(data):
        t = f if len(k) > 1 else 0
        if f == 0 or len(k) > 1:
            y, x, w = (move(np.ascontiguousarray(array)) for array in (k[t, :, 1], k[t, :, 0], weights[t]))
            plan.set_points(y, x)
            if a.method == 'cg':
                gram = enuf.Gram((side, side), a.tolerance, sign=1, period=side, batch=coils, backend=a.backend)
                gram.set_points(y, x, weights=w)
        of_coils = plan.type1(move(frame[0] if coils == 1 else frame) * (w if coils == 1 else w[None]))
        gathered = (maps.conj() * of_coils.reshape(maps.shape)).sum(0)
        if a.method == 'gridding':
            image = gathered / (maps.conj() * maps).real.sum(0)
        else:
            def normal(stack):
                return gram(stack.reshape(maps.shape if coils > 1 else (side, side))).reshape(maps.shape)
            image = solve(normal, maps, side**2 * gathered, a.lambda_ * float(w.sum()), a.iterations)
        images.append(image.cpu().numpy() if hasattr(image, 'cpu') else image)
    return np.stack(images)


def arrays_of(backend):
    """Moves arrays of NumPy to where the work is done. A plan on a GPU takes arrays of the host, too."""
    usable, reason = enuf.usable(backend) if backend == 'cuda' else (True, '')
    if not usable:
        sys.exit(f'reconstruct.py: --backend cuda: {reason}; without one use --backend cpu')
    try:
        import torch
    except ImportError:
        torch = None
    if backend != 'cuda' or not torch or not torch.cuda.is_available():
        return np.asarray
    return lambda array: torch.as_tensor(array, device='cuda')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=Path)
    parser.add_argument('--method', choices=('gridding', 'cg'), default='cg')
    parser.add_argument('--density', choices=('file', 'iterative'), default='file',
                        help='weights: weights.npy, or found from the samples by iteration [file]')
    parser.add_argument('--iterations', type=int, default=20, help='of conjugate gradients, and of the weights [20]')
    parser.add_argument('--lambda', dest='lambda_', type=float, default=1e-3, help='regularisation [1e-3]')
    parser.add_argument('--tolerance', type=float, default=1e-6, help='of the transforms [1e-6]')
    parser.add_argument('--backend', choices=('auto', 'cpu', 'cuda'), default='auto',
                        help='of the transforms; cuda: with PyTorch its arrays on the GPU, else those of NumPy [auto]')
    a = parser.parse_args()
    if a.iterations < 1 or not a.lambda_ >= 0:
        parser.error('--iterations 1 or more, --lambda 0 or more')
    k, weights, data, maps = measurement(a.folder, a.density == 'file')
    move = arrays_of(a.backend)
    try:
        if a.density == 'iterative':
            weights = np.stack([weights_by_iteration(a, maps.shape[1], samples, move) for samples in k])
        images = reconstruct(a, k, weights, data, maps, move)
    except enuf.Error as error:
        sys.exit(f'{a.folder}: {error}')
    text = f'{a.folder}: {len(images)} frames of {maps.shape[1]} x {maps.shape[2]} pixels, {a.method}'
    truth = a.folder / 'truth.npy'
    if truth.exists():
        right = read(a.folder, 'truth.npy', 'float64', 3)
        text += f', relative error {np.linalg.norm(images - right) / np.linalg.norm(right):.3f} against truth.npy'
    print(text)
    with open(a.folder / 'image.part', 'wb') as file:
        np.save(file, images)
    os.replace(a.folder / 'image.part', a.folder / 'image.npy')
    write_png(a.folder / 'image.png', np.concatenate(abs(images) / abs(images).max(), axis=1))


if __name__ == '__main__':
    main()
