# Draws what tuning a plan gives, from the measurements in a folder: draw_tuning.py RESULTS FILE.svg.
# SPDX-License-Identifier: BSD-3-Clause
import math
import sys

sys.dont_write_bytecode = True
import figures
import panels

LEVELS = ('none', 'sorted', 'weights', 'matrix')


def rows(name):
    """The rows of the newest tables of that name: 62^3 modes, if sizes differ."""
    found = [row for table in figures.newest(sys.argv[1], name) for row in figures.read(sys.argv[1], table)]
    return [row for row in found if row['side'] == '62']


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def sweep(tolerance, **of):
    """Rows of the sweep that were timed."""
    return [row for row in rows('tuning_sweep*') if float(row['tolerance']) == tolerance and row['round_s'] and
            all(row[name] == value for name, value in of.items())]


def against_upsampling(reduction):
    return [(level, [(float(row['upsampling']), float(row['round_s']))
                     for row in sweep(1e-3, trajectory='radial', R=reduction, level=level)]) for level in LEVELS]


def best_upsampling():
    def best(level, reduction):
        return min(sweep(1e-3, trajectory='radial', R=reduction, level=level), key=lambda row: float(row['round_s']))
    return [(level, [(int(r), float(best(level, r)['upsampling'])) for r in ('1', '4', '16')]) for level in LEVELS]


def gram():
    found = rows('tuning_gram*')
    return [(f'{float(tolerance):g}',
             [(int(r), mean([float(row['ratio']) for row in found if (row['tolerance'], row['R']) == (tolerance, r)]))
              for r in ('1', '4', '16')])
            for tolerance in sorted({row['tolerance'] for row in found}, key=float, reverse=True)]


def entries():
    return [(level, [(float(row['row_mean']), float(row['spread_ns'])) for tolerance in (1e-2, 1e-3)
                     for row in sweep(tolerance, level=level)]) for level in LEVELS]


def seconds_of_tuning():
    found = rows('tuning_efforts_[0-9]*')  # those of a CPU
    lines = [(effort, [(int(row['points']), float(row['tune_s'])) for row in found if row['effort'] == effort])
             for effort in ('estimate', 'measure', 'exhaustive')]
    return lines + [('a round', [(int(row['points']), float(row['round_s'])) for row in found
                                 if row['effort'] == 'measure'])]


with open(sys.argv[2], 'w') as svg:
    svg.write(panels.page((
        ('Radial, all spokes (R = 1), 1e-3', 'upsampling', 's a round', against_upsampling('1')),
        ('Radial, a sixteenth (R = 16), 1e-3', 'upsampling', 's a round', against_upsampling('16')),
        ('The best upsampling, radial, 1e-3', 'R', 'upsampling', best_upsampling()),
        ('Two transforms / Gram operator, means', 'R', 'ratio', gram()),
        ('Spreading an entry of the matrix', 'entries of a row, mean', 'ns', entries(), False),
        ('Time of tuning', 'points', 's', seconds_of_tuning(), False))))
