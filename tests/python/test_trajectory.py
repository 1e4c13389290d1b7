# enuf.trajectory: columns belong to the axes of the shape, in radians, and serve a plan; numbers of samples follow the
# rule of enuf/trajectories.h. SPDX-License-Identifier: BSD-3-Clause
import numpy as np

import enuf
from expect import expect, expect_error, expect_true, run_laws


def law_numbers_follow_the_rule():
    for reduction in 1, 4, 16:
        spokes = int(np.ceil(np.pi * 62 / 2 / reduction))
        ends = int(np.ceil(np.pi * 62**2 / 2 / reduction))
        for kind, shape, n in (('radial', (62, 40), spokes * 62), ('radial', (20, 62, 40), ends * 62),
                               ('stack_of_stars', (9, 40, 62), 9 * spokes * 62),
                               ('random', (30, 20), int(np.ceil(600 / reduction))),
                               ('cartesian', (30, 20), int(np.ceil(30 / reduction)) * 20)):
            points = enuf.trajectory(kind, shape, reduction)
            expect_true(f'{kind} {shape}, R = {reduction}: {n} samples', points.shape == (n, len(shape)) and
                        points.dtype == np.float64, points.shape)
            expect_true('in the box', np.abs(points).max() <= np.pi, np.abs(points).max())


def law_columns_belong_to_axes():
    planes = enuf.trajectory('stack_of_stars', (5, 8, 8), period=1)
    expect_true('planes along the first axis', np.array_equal(np.unique(planes[:, 0]), (np.arange(5) - 2) / 5))
    grid = enuf.trajectory('cartesian', (3, 4), period=1).reshape(3, 4, 2)
    expect_true('lines along the last axis', np.array_equal(grid[:, :, 0], np.tile((np.arange(3) - 1) / 3, (4, 1)).T) and
                np.array_equal(grid[:, :, 1], np.tile((np.arange(4) - 2) / 4, (3, 1))))
    cluster = enuf.trajectory('cluster', (100, 1000), seed=3, period=1)
    expect('extent along axis 0', np.abs(cluster[:, 0]).max() / 0.02 - 1, 1e-3, '(100000 points)')
    expect('extent along axis 1', np.abs(cluster[:, 1]).max() / 0.002 - 1, 1e-3, '(100000 points)')


def law_samples_on_the_grid_give_an_fft():
    """Type 2 at Cartesian samples is a discrete Fourier transform: axes and units are those of a plan."""
    random = np.random.default_rng(2)
    shape = (6, 5, 4)
    image = random.normal(size=shape) + 1j * random.normal(size=shape)
    plan = enuf.Plan(shape, 1e-12, sign=1, threads=1).set_points(enuf.trajectory('cartesian', shape))
    expected = np.fft.fftshift(np.fft.fftn(np.fft.ifftshift(image)))
    found = plan.type2(image).reshape(shape)
    expect('against numpy.fft', np.linalg.norm(found - expected) / np.linalg.norm(expected), 1e-12, '(the tolerance)')


def law_seeds_give_bits():
    one, same = enuf.trajectory('random', 50, seed=2**64 - 1), enuf.trajectory('random', 50, 1, 2**64 - 1)
    expect_true('the same', np.array_equal(one, same) and one.shape == (50, 1))
    expect_true('another', not np.array_equal(one, enuf.trajectory('random', 50)))
    expect_true('cones have none', np.array_equal(enuf.trajectory('cones', (9, 9, 9), 2, 5),
                                                  enuf.trajectory('cones', (9, 9, 9), 2)))


def law_wrong_input_is_refused():
    for what, words, arguments in (
            ('a kind', ['radial, stack_of_stars, cones'], ('spiral', (8, 8))),
            ('dimensions of cones', ['cones needs 3'], ('cones', (8, 8))),
            ('a reduction', ['reduction is 0.5'], ('radial', (8, 8), 0.5)),
            ('no pixels', ['1 or more'], ('radial', (8, 0))),
            ('half a pixel', ['whole numbers'], ('radial', (8, 8.5))),
            ('four axes', ['1 to 3'], ('random', (8, 8, 8, 8))),
            ('a negative seed', ['seed=-1'], ('random', (8, 8), 1, -1))):
        expect_error(what, enuf.BadArgument, words, lambda arguments=arguments: enuf.trajectory(*arguments))


run_laws(globals())
