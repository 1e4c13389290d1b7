# Draws the time line of a step: draw_step.py TIMELINE.csv FILE.svg. Top: the whole step; bottom: its beginning.
# SPDX-License-Identifier: BSD-3-Clause
import csv
import sys

WIDTH, LEFT, ROW = 900, 70, 26
COLOURS = {'begin': '#c46210', 'pairs and communication': '#9db4c0', 'collect': '#c46210', 'copy in': '#5c6b73',
           'copy out': '#5c6b73', 'check': '#cccccc', 'sort': '#e0c068', 'spread': '#3a7d44', 'FFT': '#7353a0',
           'modes': '#b091d6', 'interpolate': '#69a86f', 'deliver': '#cccccc'}


def bars(rows, top, until, ticks, unit, scale):
    """One panel: a row for task and GPU, bars to scale, with their names if they fit."""
    factor = (WIDTH - LEFT - 20) / until
    places = ['task', 'gpu']
    out = []
    for row in rows:
        begin, end = float(row['begin_us']), min(float(row['end_us']), until)
        if begin >= until:
            continue
        x, w = LEFT + begin * factor, max((end - begin) * factor, 0.8)
        y = top + ROW * places.index(row['where'])
        out.append(f'<rect x="{x:.1f}" y="{y}" width="{w:.1f}" height="{ROW - 6}" fill="{COLOURS[row["what"]]}">'
                   f'<title>{row["what"]}: {(end - begin):.0f} us</title></rect>')
        if w > 7 * len(row['what']):
            out.append(f'<text x="{x + w / 2:.1f}" y="{y + 14}" text-anchor="middle">{row["what"]}</text>')
    for k, place in enumerate(('task 0', 'GPU')):
        out.append(f'<text x="8" y="{top + ROW * k + 14}">{place}</text>')
    bottom = top + 2 * ROW
    for t in ticks:
        x = LEFT + t * factor
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 4}" y2="{bottom}" stroke="#888" stroke-width="0.5"/>'
                   f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{t / scale:g} {unit}</text>')
    return out


with open(sys.argv[1]) as file:
    lines = [line for line in file if not line.startswith('#')]
rows = list(csv.DictReader(lines))
end = max(float(row['end_us']) for row in rows)
first = max(float(row['end_us']) for row in rows if row['where'] == 'gpu')
shown = [row for row in rows if row['what'] in COLOURS]
parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="900" height="210" font-family="sans-serif" font-size="11">',
         '<rect width="900" height="210" fill="white"/>']
parts += bars(shown, 16, end * 1.02, range(0, int(end) + 1, 20000), 'ms', 1000)
names = sorted({(float(row['begin_us']), row['what']) for row in shown if row['where'] == 'gpu'})
parts += bars(shown, 116, first * 1.05, range(0, int(first) + 1, 50), 'us', 1)
seen = []
for _, what in names:
    if what not in seen:
        seen.append(what)
for k, what in enumerate(seen):
    parts.append(f'<rect x="{8 + 96 * k}" y="190" width="10" height="10" fill="{COLOURS[what]}"/>'
                 f'<text x="{22 + 96 * k}" y="199">{what}</text>')
with open(sys.argv[2], 'w') as out:
    out.write('\n'.join(parts + ['</svg>']) + '\n')
