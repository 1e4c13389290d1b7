# Draws a page of plots, two in a row, as SVG. Both axes of a plot are logarithmic.
# SPDX-License-Identifier: BSD-3-Clause
import math

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 460, 330, 56, 34, 144, 44
COLOURS = ('#1b6ca8', '#c46210', '#3a7d44', '#8e44ad', '#7f7f7f', '#b8860b')


def ticks(least, most):
    """Powers of ten, 2 and 5 times powers of ten if the range is small, and more if it is within a factor of 2.8; every
    second or third power of ten if there are more than seven. Powers of ten alone where numbers are long."""
    span = math.log10(most / least)
    first, step = math.floor(math.log10(least)), math.ceil(span / 7)
    decades = range(first - first % step, math.ceil(math.log10(most)) + 1, step)
    factors = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7) if span < 0.45 else (1, 2, 5) if span < 2.2 and most < 1e6 else (1,)
    return [f * 10.0**d for d in decades for f in factors if least * 0.999 <= f * 10.0**d <= most * 1.001]


def panel(title, x_title, y_title, lines, joined=True):
    """A plot of lines (label, [(x, y)]); not joined: of their points alone."""
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
        if joined:
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3" fill="{colour}">'
                f'<title>{x:g}: {y:.3g}</title></circle>' for x, y in line]
        out.append(f'<text x="{right + 10}" y="{level}" fill="{colour}">{label}</text>')
    return '\n'.join(out)


def page(panels):
    """The text of the file; a panel is the arguments of panel()."""
    body = []
    for place, arguments in enumerate(panels):
        body.append(f'<g transform="translate({place % 2 * WIDTH} {place // 2 * HEIGHT})">{panel(*arguments)}</g>')
    height = (len(panels) + 1) // 2 * HEIGHT
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{height}" '
            f'font-family="sans-serif" font-size="12">\n'
            f'<rect width="{2 * WIDTH}" height="{height}" fill="white"/>\n' + '\n'.join(body) + '\n</svg>\n')
