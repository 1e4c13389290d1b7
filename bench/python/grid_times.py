# Times of transforms in 3D on every grid that a plan may have and, on a GPU, by each way between points and cells: what
# nufft/plan/cost.c, nufft/cuda/spread/spread.c and nufft/cuda/interpolate/interpolate.c choose by.
#
#   grid_times.py [--csv FILE] [--sides 62,94] [--patterns radial,random,cones] [--reductions 16,4,1]
#                 [--single 1e-2,1e-3,1e-5] [--double 1e-5,1e-9] [--device cpu] [--threads 1] [--repeats 1000]
#                 [--trials 2]
#
# us: of a call of type 1 or type 2, the least of trials; set_points() is a part of it, over repeats. predicted_us: the
# same by the cost model, which knows no ways. Arrays are where the device is (CuPy). Complex strengths.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import itertools
import sys

sys.dont_write_bytecode = True

import enuf
from cores import use_cores
from table import Table

WAYS = {'cpu': {1: ('auto',), 2: ('auto',)}, 'cuda': {1: ('tiles', 'slide'), 2: ('tiles', 'gather', 'points')}}
COLUMNS = 'pattern side R points dtype tolerance type way width grid predicted_us us'.split()


def candidates(modes, tolerance, points, dtype, kind, way, o):
    """Those that were timed with the way."""
    name = 'spreading' if kind == 1 else 'interpolation'
    calls = {f'type{k}': o.repeats * (k == kind) for k in (1, 2)}
    found = enuf.tune_plan(modes, tolerance, points, effort='exhaustive', any_window=False, level='sorted', dtype=dtype,
                           trials=o.trials, threads=o.threads, backend=o.device, **calls, **{name: way})
    return [c for c in found.candidates if c.measured_seconds and getattr(c, name) == way]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--sides', default='62,94')
    parser.add_argument('--patterns', default='radial,random,cones')
    parser.add_argument('--reductions', default='16,4,1')
    parser.add_argument('--single', default='1e-2,1e-3,1e-5', help='tolerances of float')
    parser.add_argument('--double', default='1e-5,1e-9', help='tolerances of double')
    parser.add_argument('--device', default='cpu', choices=list(WAYS))
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--repeats', type=int, default=1000)
    parser.add_argument('--trials', type=int, default=2)
    o = parser.parse_args()
    use_cores(o.threads)
    table = Table(o.csv, COLUMNS, f'grid_times; {o.device}, {o.threads} thread(s) on as many cores')
    cases = [('complex64', tolerance) for tolerance in o.single.split(',') if tolerance]
    cases += [('complex128', tolerance) for tolerance in o.double.split(',') if tolerance]
    for side, reduction, pattern in itertools.product(map(int, o.sides.split(',')), map(float, o.reductions.split(',')),
                                                      o.patterns.split(',')):
        modes = (side,) * 3
        points = enuf.trajectory(pattern, modes, reduction)
        if o.device == 'cuda':
            import cupy
            points = cupy.asarray(points)
        for (dtype, tolerance), (kind, ways) in itertools.product(cases, WAYS[o.device].items()):
            for way in ways:
                for c in candidates(modes, float(tolerance), points, dtype, kind, way, o):
                    table.add(pattern, side, f'{reduction:g}', len(points), dtype, tolerance, kind, way, c.width,
                              c.fine_grid[0], *(f'{1e6 * s / o.repeats:.2f}' for s in (c.predicted_seconds,
                                                                                        c.measured_seconds)))


if __name__ == '__main__':
    main()
