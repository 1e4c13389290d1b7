# Evaluations by what Ewald.tune() chooses: by the accuracy alone (untuned), by calibrated errors and the cost model
# (estimate), by timings near the best of the model (measure), and by timings of all candidates (exhaustive).
#
#   ewald_tuning.py [--csv FILE] [--ions 1000,10000] [--errors 1e-4,1e-6] [--arithmetics mixed,double] [--threads 1]
#                   [--device cpu] [--seconds 2]
#
# The salt of systems.py. evaluation_ms: energy and forces, the least over turns, arrays where the device is; on a CPU
# with one thread processor time. of_exhaustive: the median, over the turns, of the time over that of the exhaustive
# choice in the same turn; of_untuned likewise. timings: evaluations that the search timed. error: of forces of 20
# to 200 ions against exact sums at the positions, over what was asked for.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import itertools
import sys
import time

sys.dont_write_bytecode = True
import numpy as np

import enuf
from cores import use_cores
from systems import salt
from table import Table

EFFORTS = ('untuned', 'estimate', 'measure', 'exhaustive')
COLUMNS = ('ions', 'error_asked', 'arithmetic', 'threads', 'effort', 'candidates', 'timings', 'tune_s', 'split',
           'cutoff', 'grid', 'width', 'error', 'evaluation_ms', 'of_exhaustive', 'of_untuned')


def tuned(system, x, effort, options):
    """(object, seconds of its tuning)."""
    ewald = enuf.Ewald(system.cell, system.charges, **options)
    begin = time.perf_counter()
    if effort != 'untuned':
        ewald.tune(x, effort)
    return ewald, time.perf_counter() - begin


def in_turns(functions, seconds, clock):
    """[turns, functions] times; in a turn each is called twice, and the second call counts, since the others have
    emptied the caches."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < 9 or time.perf_counter() < end and len(times) < 400:
        times.append([])
        for function in functions:
            function()
            begin = clock()
            function()
            times[-1].append(clock() - begin)
    return np.array(times)


def measure(ions, error, options, seconds, device, table):
    system = salt(ions)
    x = system.positions
    if device != 'cpu':
        import torch
        x = torch.as_tensor(x, device=device)
    options = {**options, 'accuracy': error, 'backend': 'cpu' if device == 'cpu' else 'cuda'}
    objects, spent = zip(*(tuned(system, x, effort, options) for effort in EFFORTS))
    clock = time.process_time if device == 'cpu' and options['threads'] == 1 else time.perf_counter
    # the energy is on the host: a call ends when the GPU has
    times = in_turns([lambda ewald=ewald: ewald.compute(x) for ewald in objects], seconds, clock)
    sample = min(200, max(20, 10**7 // len(system.charges)))  # exact sums take time
    for k, (effort, ewald) in enumerate(zip(EFFORTS, objects)):
        report, candidates = ewald.report(), ewald.tuning.candidates if ewald.tuning else []
        table.add(len(system.charges), f'{error:g}', report.arithmetic, report.threads, effort, len(candidates),
                  sum(candidate.timings for candidate in candidates), f'{spent[k]:.3g}', report.split,
                  f'{report.cutoff:.4g}', 'x'.join(map(str, report.grid)), report.width,
                  f'{ewald.measure_error(x, sample).accuracy / error:.2f}', f'{1e3 * times[:, k].min():.4g}',
                  f'{np.median(times[:, k] / times[:, -1]):.3f}', f'{np.median(times[:, k] / times[:, 0]):.3f}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--ions', default='1000,10000')
    parser.add_argument('--errors', default='1e-4,1e-6')
    parser.add_argument('--arithmetics', default='mixed,double')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=2, help='of turns for each problem')
    o = parser.parse_args()
    use_cores(o.threads)
    table = Table(o.csv, COLUMNS, f'ewald_tuning; {o.device}, {o.threads} thread(s) on as many cores')
    for ions, error, arithmetic in itertools.product(map(int, o.ions.split(',')), map(float, o.errors.split(',')),
                                                     o.arithmetics.split(',')):
        measure(ions, error, {'arithmetic': arithmetic, 'threads': o.threads}, o.seconds, o.device, table)


if __name__ == '__main__':
    main()
