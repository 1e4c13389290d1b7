# Transforms of the same samples many times: enuf's levels of precomputation and its Gram operator against the sparse
# matrices, tables and Toeplitz operators of peers, at equal delivered error, in one run.
#
#   tuning_peers.py [--csv FILE] [--sides 62] [--dims 2,3] [--patterns radial,random] [--reductions 1,4] [--threads 1]
#                   [--errors 1e-2,1e-3] [--device cpu]
#
# Complex float. A round is A^H A of an image: type 2 and its adjoint, or one operator that needs no samples. Of the
# settings of a method that deliver the error (relative l2 of A^H A, against enuf at 1e-6 in double) the fastest is
# timed, in turns with the others; set_ms is what its samples take once. of_gram, of_best: the time over that of
# enuf.Gram and of enuf's fastest level: above 1 enuf is faster. A package that is not installed is named and left out.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import itertools
import sys

sys.dont_write_bytecode = True
import numpy as np

import enuf
from cores import use_cores
from table import Table
from timing import in_turns, milliseconds
from transform_peers import Problem, methods, ready_of

COLUMNS = ('dim', 'side', 'pattern', 'R', 'samples', 'error_asked', 'method', 'setting', 'error', 'set_ms', 'round_ms',
           'of_gram', 'of_best')


def fastest(method, p, error):
    """(round, setting, error, ms of setting) of the fastest setting that delivers the error, or the least error."""
    served, least = [], np.inf
    for setting in method.settings(error):
        set_ms, made = milliseconds(p, lambda: method.make(p, setting))
        function = made.normal
        first, found = milliseconds(p, function)
        off = p.error(found)
        least = min(least, off)
        if off <= error:
            again = min(milliseconds(p, function)[0] for _ in range(2)) if first < 2000 else first
            served.append((again, setting, off, set_ms, function))
    return (min(served, key=lambda entry: entry[0])[1:], least) if served else (None, least)


def measure(p, about, error, made, seconds, table):
    ready = ready_of(made, fastest, p, about, error, table)
    times = in_turns(p, {name: found[3] for name, found in ready.items()}, seconds)
    best = min((ms for name, ms in times.items() if name.startswith('enuf ')), default=np.nan)
    for name, (setting, off, set_ms, _) in ready.items():
        text = ' '.join(f'{number:.3g}' for number in np.atleast_1d(setting))
        table.add(*about, len(p.samples), f'{error:g}', name, text, f'{off:.2g}', f'{set_ms:.4g}', f'{times[name]:.4g}',
                  f'{times[name] / times.get("enuf.Gram", np.nan):.3g}', f'{times[name] / best:.3g}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--dims', default='2,3')
    parser.add_argument('--sides', default='62')
    parser.add_argument('--patterns', default='radial,random')
    parser.add_argument('--reductions', default='1,4')
    parser.add_argument('--errors', default='1e-2,1e-3')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=2, help='of turns for each row')
    o = parser.parse_args()
    use_cores(o.threads)
    table = Table(o.csv, COLUMNS, f'tuning_peers; {o.device}, {o.threads} thread(s) on as many cores; least of turns')
    try:
        import torch
        torch.set_num_threads(o.threads)
    except ImportError:
        pass
    made = methods(o.threads, o.device, table)
    for dim, side, pattern, reduction in itertools.product(
            map(int, o.dims.split(',')), map(int, o.sides.split(',')), o.patterns.split(','),
            map(float, o.reductions.split(','))):
        shape = dim * (side,)
        p = Problem(shape, enuf.trajectory(pattern, shape, reduction, 1), o.device)
        for error in map(float, o.errors.split(',')):
            measure(p, (dim, side, pattern, f'{reduction:g}'), error, made, o.seconds, table)


if __name__ == '__main__':
    main()
