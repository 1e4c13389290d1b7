# Images of as many samples as pixels, forward and adjoint, beside peers at equal delivered error: the problems of
# tables I to III of Soerensen, Schaeffter, Noe, Hansen, IEEE Trans. Med. Imaging 27 (2008) 538.
#
#   imaging_peers.py [--csv FILE] [--sides 128,256,512] [--patterns radial,spiral] [--error 3e-3] [--threads 1]
#                    [--device cpu]
#
# Complex float where a package has it. 3e-3 is what table V's widest Gaussian delivers. Of the settings of a method
# that deliver the error in both directions (relative l2, against enuf at 1e-6 in double) the fastest is timed, by turns
# with the others. set_ms is what its samples take once; images_s: adjoints a second, with samples that stay. of_enuf:
# the time over that of enuf's default level, above 1 enuf is faster.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import itertools
import sys

sys.dont_write_bytecode = True
import numpy as np

from cores import use_cores
from table import Table
from timing import in_turns, milliseconds
from transform_peers import Problem, methods, ready_of

COLUMNS = ('side', 'pattern', 'samples', 'error_asked', 'method', 'setting', 'forward_error', 'adjoint_error', 'set_ms',
           'forward_ms', 'adjoint_ms', 'images_s', 'forward_of_enuf', 'adjoint_of_enuf')
ENUF = 'enuf sorted'


def samples_of(pattern, side):
    """[side^2, 2] in radians: side spokes of side samples; or side/16 spirals of constant angular velocity."""
    if pattern == 'radial':
        angle = np.repeat(np.pi * np.arange(side) / side, side)
        radius = np.tile((np.arange(side) - side // 2) / side, side)
    else:
        spirals = max(1, side // 16)
        part = np.tile(np.arange(side * side // spirals) / (side * side // spirals), spirals)
        begin = np.repeat(np.arange(spirals) / spirals, side * side // spirals)
        angle, radius = 2 * np.pi * (begin + side / 2 / spirals * part), part / 2
    return 2 * np.pi * np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def fastest(method, p, error):
    """(setting, both errors, ms of setting, transforms) of the fastest setting that delivers the error; the least
    error."""
    served, least = [], np.inf
    for setting in method.settings(error):
        set_ms, made = milliseconds(p, lambda: method.make(p, setting))
        data = made.forward()
        errors = p.error(data, p.right_data), p.error(made.back(data))
        least = min(least, max(errors))
        if max(errors) <= error:
            again = min(milliseconds(p, made.normal)[0] for _ in range(2))
            served.append((again, setting, errors, set_ms, made))
    return (min(served, key=lambda entry: entry[0])[1:], least) if served else (None, least)


def adjoint_of(made):
    data = made.forward()
    return lambda: made.back(data)


def measure(p, about, error, made, seconds, table):
    ready = ready_of(made, fastest, p, about, error, table)
    forward = in_turns(p, {name: found[3].forward for name, found in ready.items()}, seconds)
    adjoint = in_turns(p, {name: adjoint_of(found[3]) for name, found in ready.items()}, seconds)
    for name, (setting, errors, set_ms, _) in ready.items():
        text = ' '.join(f'{number:.3g}' for number in np.atleast_1d(setting))
        ratios = [f'{times[name] / times.get(ENUF, np.nan):.3g}' for times in (forward, adjoint)]
        table.add(*about, len(p.samples), f'{error:g}', name, text, *(f'{off:.2g}' for off in errors), f'{set_ms:.4g}',
                  f'{forward[name]:.4g}', f'{adjoint[name]:.4g}', f'{1e3 / adjoint[name]:.4g}', *ratios)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--sides', default='128,256,512')
    parser.add_argument('--patterns', default='radial,spiral')
    parser.add_argument('--error', type=float, default=3e-3)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=2, help='of turns for each row')
    o = parser.parse_args()
    use_cores(o.threads)
    table = Table(o.csv, COLUMNS, f'imaging_peers; {o.device}, {o.threads} thread(s) on as many cores; least of turns')
    try:
        import torch
        torch.set_num_threads(o.threads)
    except ImportError:
        pass
    made = [method for method in methods(o.threads, o.device, table) if not method.needs_no_samples]
    for side, pattern in itertools.product(map(int, o.sides.split(',')), o.patterns.split(',')):
        p = Problem((side, side), samples_of(pattern, side), o.device)
        measure(p, (side, pattern), o.error, made, o.seconds, table)


if __name__ == '__main__':
    main()
