# Transforms of the same samples many times: enuf's levels of precomputation and its Gram operator against the sparse
# matrices, tables and Toeplitz operators of peers, at equal delivered error, in one run.
#
#   tuning_peers.py [--csv FILE] [--sides 62] [--dims 2,3] [--patterns radial,random] [--reductions 1,4] [--threads 1]
#                   [--precision single] [--errors 1e-2,1e-3] [--device cpu] [--seconds 2] [--limit inf]
#
# Complex float; with --precision double complex double, at 1e-5 and 1e-9. A round is A^H A of an image: type 2 and its
# adjoint, or one operator that needs no samples. Of the settings of a method that deliver the error (relative l2 of
# A^H A, against enuf in double at 1e-6, of double 1e-13) the fastest is timed, in turns with the others; set_ms is what
# its samples take once. of_gram, of_best: the time over that of enuf.Gram and of enuf's fastest level: above 1 enuf is
# faster. What is not installed, has no such precision, delivers no such error, or takes more than --limit seconds to be
# set and run once, is named and left out; what takes more for nine rounds has the time that it was chosen by.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import functools
import itertools
import sys

sys.dont_write_bytecode = True
import numpy as np

import enuf
from cores import use_cores
from limits import at_most
from table import Table
from timing import in_turns, milliseconds
from transform_peers import Problem, methods, ready_of

COLUMNS = ('dim', 'side', 'pattern', 'R', 'samples', 'error_asked', 'method', 'setting', 'error', 'set_ms', 'round_ms',
           'of_gram', 'of_best')


def fastest(method, p, error, limit):
    """(ms, setting, error, ms of setting, round) of the fastest setting that delivers the error; the least error."""
    best, least, gap, done = None, np.inf, None, set()
    for setting in method.settings(error):
        if isinstance(setting, tuple) and setting[1:] in done:  # a wider window on the same grid is slower
            continue
        try:
            with at_most(limit):
                set_ms, made = milliseconds(p, lambda: method.make(p, setting))
                function = made.normal
                first, found = milliseconds(p, function)
        except Exception as failure:  # whatever a package raises; other settings are tried
            gap = failure.with_traceback(None)  # which holds memory
            if isinstance(gap, TimeoutError):
                break
            continue
        off = p.error(found)
        least = min(least, off)
        if off <= error:
            done.add(setting[1:] if isinstance(setting, tuple) else setting)
            again = min(first, *(milliseconds(p, function)[0] for _ in range(2 if first < 2000 else 1)))
            if not best or again < best[0]:
                best = again, setting, off, set_ms, function
        del made, function, found
    if gap and not best:
        raise gap
    return best, least


def unless_failed(name, function, failed):
    """The function, or nothing once it has failed."""
    def call():
        if name not in failed:
            try:
                function()
            except Exception as failure:  # whatever a package raises; the others are measured
                failed[name] = f'{type(failure).__name__}: {failure}'
    return call


def measure(p, about, error, made, seconds, limit, table):
    ready = ready_of(made, functools.partial(fastest, limit=limit), p, about, error, table)
    failed = {}
    quick = {name: unless_failed(name, found[4], failed) for name, found in ready.items()
             if 9e-3 * found[0] <= limit}
    times = {name: found[0] for name, found in ready.items()}
    times.update(in_turns(p, quick, seconds))
    for name, failure in failed.items():
        table.note(f'{about}, {error:g}: {name}: {failure}')
        del times[name], ready[name]
    best = min((ms for name, ms in times.items() if name.startswith('enuf ')), default=np.nan)
    for name, (_, setting, off, set_ms, _) in ready.items():
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
    parser.add_argument('--precision', choices=('single', 'double'), default='single')
    parser.add_argument('--errors', help='default: 1e-2,1e-3, of double 1e-5,1e-9')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=2, help='of turns for each row')
    parser.add_argument('--limit', type=float, default=float('inf'), help='seconds to set a setting and run it once')
    o = parser.parse_args()
    errors = o.errors or {'single': '1e-2,1e-3', 'double': '1e-5,1e-9'}[o.precision]
    use_cores(o.threads)
    table = Table(o.csv, COLUMNS, f'tuning_peers; {o.device}, {o.precision}, {o.threads} thread(s) on as many cores; '
                                  'least of turns')
    try:
        import torch
        torch.set_num_threads(o.threads)
    except ImportError:
        pass
    made = methods(o.threads, o.device, table, o.precision)
    for dim, side, pattern, reduction in itertools.product(
            map(int, o.dims.split(',')), map(int, o.sides.split(',')), o.patterns.split(','),
            map(float, o.reductions.split(','))):
        shape = dim * (side,)
        p = Problem(shape, enuf.trajectory(pattern, shape, reduction, 1), o.device, o.precision)
        for error in map(float, errors.split(',')):
            measure(p, (dim, side, pattern, f'{reduction:g}'), error, made, o.seconds, o.limit, table)


if __name__ == '__main__':
    main()
