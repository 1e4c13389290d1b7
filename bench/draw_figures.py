# Draws the figures of cuFINUFFT's paper with enuf beside, its transforms of M-TIP on ranks too, from the measurements
# in a folder: draw_figures.py RESULTS FILE.svg. Of several methods of the peer, the fastest of a point counts but where
# all are shown. SPDX-License-Identifier: BSD-3-Clause
import sys

sys.dont_write_bytecode = True
import figures
import panels

METHODS = (('enuf', 'auto'), ('cuFINUFFT', 'GM'), ('cuFINUFFT', 'GM-sort'), ('cuFINUFFT', 'SM'), ('cuFINUFFT', 'OD'))
LIBRARIES = ('enuf', 'cuFINUFFT')


def rows(part, **of):
    """Rows of the newest table of a part with these values."""
    found = figures.read(sys.argv[1], figures.newest(sys.argv[1], f'nufft_gpu_figures_{part}_h*')[-1])
    return [row for row in found if all(row[name] == value for name, value in of.items())]


def line(found, x_of, y_of):
    """[(x, the least y)] of rows with equal x, sorted."""
    least = {}
    for row in found:
        x, y = x_of(row), y_of(row)
        least[x] = min(y, least.get(x, y))
    return sorted(least.items())


def per_point(column):
    return lambda row: 1e6 * float(row[column]) / float(row['n'])


def alone(dim, kind, points):
    """Methods by number of cells, points set."""
    lines = [(f'{library} {method}' if method != 'auto' else library,
              line(rows('alone', dim=dim, type=kind, points=points, library=library, method=method),
                   lambda row: int(row['n']), per_point('exec_ms'))) for library, method in METHODS]
    return [entry for entry in lines if entry[1]]


def by_error(dim, kind):
    """New points; of each tolerance the fastest method, with its error."""
    lines = []
    for library in LIBRARIES:
        for precision in ('float', 'double'):
            fastest = {}
            for row in rows('error', dim=dim, type=kind, library=library, precision=precision):
                best = fastest.get(row['tol'])
                if not best or float(row['total_ms']) < float(best['total_ms']):
                    fastest[row['tol']] = row
            lines.append((f'{library}, {precision}', sorted((float(row['error']), per_point('total_ms')(row))
                                                            for row in fastest.values())))
    return lines


def by_modes(dim, kind):
    timings = (('points set', 'exec_ms'), ('new points', 'total_ms'), ('copies too', 'memory_ms'))
    return [(f'{library}, {timing}', line(rows('modes', dim=dim, type=kind, library=library, precision='float'),
                                          lambda row: int(row['side']), per_point(column)))
            for timing, column in timings for library in LIBRARIES]


def by_ranks(step, table):
    """M-TIP with all ranks at work, arrays in host memory: ranks that share one GPU, or have one each."""
    found = [row for row in figures.read(sys.argv[1], figures.newest(sys.argv[1], table)[-1])
             if row['step'] == step and row['memory'] == 'host']
    lines = []
    for label, kind, column in (('real', 'real', 'all_ms'), ('complex', 'complex', 'all_ms'),
                                ('cuFINUFFT', 'complex', 'peer_all_ms')):
        for owners, where in ((False, 'one GPU'), (True, 'own GPU')):
            points = sorted((int(row['ranks']), float(row[column])) for row in found if row['kind'] == kind and
                            row['GPUs'] == (row['ranks'] if owners else '1'))
            if len(points) > 1:
                lines.append((f'{label}, {where}', points))
    return lines


KINDS = {'1': 'Spreading', '2': 'Interpolation'}
PANELS = [(f'{KINDS[kind]} alone, {dim}D, {points}', 'cells', 'ns a point', alone(dim, kind, points))
          for kind, points in (('1', 'rand'), ('1', 'cluster'), ('2', 'rand')) for dim in '23']
PANELS += [(f'Type {kind}, {dim}D, new points', 'relative error', 'ns a point', by_error(dim, kind))
           for kind in '12' for dim in '23']
PANELS += [(f'Type {kind}, {dim}D, float, 1e-5', 'modes along an axis', 'ns a point', by_modes(dim, kind))
           for kind in '12' for dim in '23']
PANELS += [(f'M-TIP, {step}, with copies', 'ranks', 'ms', by_ranks(step, f'nufft_gpus_{table}_h*'))
           for step, table in (('slicing', 'slices'), ('merging', 'merging'))]

with open(sys.argv[2], 'w') as svg:
    svg.write(panels.page(PANELS))
