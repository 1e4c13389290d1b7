#!/usr/bin/env python3
"""M-TIP: a molecule from X-ray images of single particles in unknown orientations, on any number of ranks.

    mtip.py --out FOLDER [options]          mpirun -n 4 python3 mtip.py --out FOLDER [options]

Images of a seeded molecule are simulated: slices of its intensity along the Ewald sphere, with noise. From orientations
that are wrong by some degrees, rounds of slicing (type 2), matching and merging (conjugate gradients with a Gram
operator) find orientations and intensity; phasing (hybrid input-output, shrinking support) finds the density. The
method is Donatelli, Sethian, Zwart, PNAS 114 (2017) 7222; its transforms, arXiv:2102.08463, section V.

Intensities are I(q) = sum_m A(m) exp(i q m), A the autocorrelation of the density on voxels m. SPDX-License-Identifier:
BSD-3-Clause
"""
import argparse
import ctypes
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import enuf
from results import save, shell_correlation
from simulation import detector, field, measure, molecule, rotation

try:
    from mpi4py import MPI
    COMM = MPI.COMM_WORLD
except ImportError:  # one rank
    COMM = SimpleNamespace(rank=0, size=1, allreduce=lambda x: x, allgather=lambda x: [x])
TOLERANCE = 1e-6  # of the transforms, relative


def say(text):
    if COMM.rank == 0 and sys.stderr.isatty():
        print(text, end='\033[K\r', file=sys.stderr, flush=True)


def merge(a, plan, q, images, start):
    """A from all ranks' intensities: weighted least squares, weights |q|^2 against the crowd at the centre."""
    points, weights = q.reshape(-1, 3), (q**2).sum(axis=-1).ravel()
    gram = enuf.Gram(3 * (a.side,), TOLERANCE, **a.where).set_points(points, weights=weights)
    half = plan.set_points(points).type1(weights * images.ravel())
    whole = np.concatenate([np.conj(half[::-1, ::-1, :0:-1]), half], axis=-1)  # A(-m) is the conjugate of A(m)
    x, residual = start.copy(), COMM.allreduce(whole) - COMM.allreduce(gram(start))
    p, size = residual.copy(), np.vdot(residual, residual).real
    for _ in range(a.iterations):
        along = COMM.allreduce(gram(p))
        step = size / np.vdot(p, along).real
        x += step * p
        residual -= step * along
        size, before = np.vdot(residual, residual).real, size
        p = residual + size / before * p
    return x.real.astype(complex)  # densities are real


def match(a, plan, whole, flat, r, images, degrees):
    """Orientations: of each image's own and six turns by some degrees, the one whose slice is most alike."""
    turns = rotation(np.radians(degrees) * np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)]))
    candidates = r[:, None] @ turns
    q = flat @ np.swapaxes(candidates, -1, -2)
    slices = plan.set_points(q.reshape(-1, 3)).type2(whole[..., a.side // 2:].copy()).reshape(q.shape[:3])
    apart = ((np.sqrt(np.maximum(slices, 0)) - np.sqrt(images[:, None]))**2).sum(axis=-1)  # of roots noise is even
    return candidates[np.arange(len(r)), apart.argmin(axis=1)]


def phase(a, amplitude, known, seed):
    """A density [side]^3 with these amplitudes where they are known, and its distance from them."""
    random, numbers = np.random.default_rng([a.seed, seed]), np.arange(a.side) - a.side // 2
    radius2 = sum(g**2 for g in np.meshgrid(*3 * [numbers], indexing='ij'))
    blur = np.fft.fftn(np.fft.ifftshift(np.exp(-radius2 / 4)))
    support, density = radius2 <= a.half**2, random.random(3 * (a.side,))
    for k in range(a.phasing):
        there = np.fft.fftn(np.fft.ifftshift(density))
        there[known] = amplitude[known] * np.exp(1j * np.angle(there[known]))
        found = np.fft.fftshift(np.fft.ifftn(there).real)
        good, last = support & (found > 0), k > 0.8 * a.phasing or k % 50 > 40
        density = np.where(good, found, 0 if last else density - 0.9 * found)
        if k % 50 == 49:  # shrink
            smooth = np.fft.ifftn(np.fft.fftn(np.maximum(found * support, 0)) * blur).real
            support = smooth > 0.08 * smooth.max()
    density = np.where(good, found, 0)
    there = np.abs(np.fft.fftn(density))
    return np.linalg.norm((there - amplitude)[known]) / np.linalg.norm(amplitude[known]), density


def gpu_of_rank():
    """The ranks of a machine take its GPUs in turn."""
    usable, reason = enuf.usable('cuda')
    if not usable:
        sys.exit(f'mtip.py: --backend cuda: {reason}; without one use --backend cpu' if COMM.rank == 0 else 1)
    driver, gpus = ctypes.CDLL('libcuda.so.1'), ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(gpus)):
        return 0
    here = COMM.Split_type(MPI.COMM_TYPE_SHARED).rank if COMM.size > 1 else 0
    return here % gpus.value


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default, text in (
            ('images', 300, 'their number'), ('pixels', 25, 'of an edge of the detector'),
            ('photons', 1.0, 'counted where the intensity is 1; its largest is the square of the atoms'),
            ('atoms', 60, 'of the molecule'), ('half', 8, 'voxels of the largest radius of the molecule'),
            ('wrong', 5.0, 'largest error of the orientations at the start, degrees'), ('rounds', 12, 'of merging'),
            ('iterations', 12, 'of conjugate gradients'), ('phasing', 400, 'iterations'), ('starts', 4, 'of phasing'),
            ('seed', 1, 'of all random numbers'), ('q', 2.2, 'largest q, radians a voxel, below pi')):
        parser.add_argument('--' + name, type=type(default), default=default, help=f'{text} [{default}]')
    parser.add_argument('--backend', choices=('auto', 'cpu', 'cuda'), default='auto',
                        help='of the transforms; ranks of a machine share its GPUs [auto]')
    parser.add_argument('--out', type=Path, required=True, help='folder of the results')
    a = parser.parse_args()
    if not (0 < a.q < np.pi and a.images >= COMM.size and a.half >= 2 and a.pixels >= 3 and a.photons > 0):
        parser.error('--q between 0 and pi, an image or more for each rank, --half 2, --pixels 3, --photons above 0')
    a.side = 4 * a.half + 1  # of the autocorrelation
    a.where = {'backend': a.backend}
    if a.backend == 'cuda':
        a.where['device'] = gpu_of_rank()
    return a


def main():
    a = read_arguments()
    places, flat = molecule(a), detector(a)
    mine = range(COMM.rank, a.images, COMM.size)  # this rank's share of the images
    true, images = measure(a, places, flat, mine)
    wrong = [np.random.default_rng([a.seed, k, 1]) for k in mine]
    turns = np.array([(t := random.normal(size=3)) / np.linalg.norm(t) * random.random() for random in wrong])
    r = true @ rotation(np.radians(a.wrong) * turns)
    plan = enuf.Plan(3 * (a.side,), TOLERANCE, real=True, **a.where)
    whole, degrees = np.zeros(3 * (a.side,), complex), a.wrong / 2
    for k in range(a.rounds):
        say(f'round {k + 1} of {a.rounds}: merging')
        whole = merge(a, plan, flat @ np.swapaxes(r, -1, -2), images, whole)
        say(f'round {k + 1} of {a.rounds}: slicing and matching')
        for step in (degrees, degrees / 2) if k + 1 < a.rounds else ():
            r = match(a, plan, whole, flat, r, images, step)
        degrees = max(0.8 * degrees, 0.3)
    numbers = 2 * np.pi * np.fft.fftfreq(a.side)
    q = np.stack(np.meshgrid(*3 * [numbers], indexing='ij'), -1)
    amplitude = np.sqrt(np.maximum(np.fft.fftn(np.fft.ifftshift(whole)).real, 0))
    known = np.linalg.norm(q, axis=-1) <= a.q
    say('phasing')
    found = [phase(a, amplitude, known, k) for k in range(COMM.rank, a.starts, COMM.size)]
    distance, density = min(sum(COMM.allgather(found), []), key=lambda pair: pair[0])
    angles = [np.degrees(np.arccos(np.clip((np.trace(b.T @ c) - 1) / 2, -1, 1))) for b, c in zip(r, true)]
    angle = np.sqrt(COMM.allreduce(np.sum(np.square(angles))) / a.images)
    if COMM.rank == 0:
        shells, correlation, density = shell_correlation(a, q, density, field(places, q))
        right = np.fft.fftshift(np.fft.ifftn(field(places, q) * known).real)
        save(a.out, a, whole, density, right, shells, correlation, flat, r, images)
        inside = correlation[1:][shells[1:] <= a.q]
        print(f'orientations: {angle:.2f} degrees RMS; amplitudes: {distance:.3f}; shell correlation to q {a.q:g}: '
              f'{inside.min():.3f} at least')


if __name__ == '__main__':
    main()
