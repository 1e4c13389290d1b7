# Ewald sums in Python at equal delivered error: enuf, torch-pme, jax-pme and nvalchemi-toolkit-ops in one run.
#
#   ewald_peers.py [--csv FILE] [--atoms 100,1000,10000,100000] [--errors 1e-4,1e-5] [--threads 1] [--device cpu]
#                  [--settings CSV] [--memory] [--alone SECONDS]
#
# Each one computes energy and forces, and then the gradient of a loss of forces, sum F^2, with respect to positions and
# charges: the derivative of a derivative. At up to 1000 atoms all settings of a peer (peers.py) are tried; beyond, its
# five fastest of the size before; with --settings those of an earlier table. Those count whose forces are off by no
# more than the error asked for: RMS of the force vector over F_ref, against exact sums up to 1000 atoms, else against
# enuf at 1e-11 with the Gaussian splitting. Of these the fastest is measured, in turns with the others. Times are the
# least of all turns.
#
# enuf finds its pairs itself, within the time of its forces. The others are given them: list_ms, by vesin, is not in
# forces_ms. One process runs on as many cores as there are threads, whatever pools of threads a peer has.
# --device cuda: tensors of PyTorch, and JAX where it has a GPU. The energy is read; forces stay there.
# --memory: each one in a process of its own, by its setting: MB of the GPU, or of the process, that forces and then the
# loss take at most, with what its allocator keeps, beyond those of 64 ions.
# --alone: each one is measured in a process of its own, which has these seconds, imports and lists included; with the
# first of its settings. A row says what it ran out of. So large systems are measured, one after the other.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial

sys.dont_write_bytecode = True
import numpy as np
import torch

import enuf
import enuf.torch
import peers
from cores import use_cores
from systems import salt
from table import Table

COLUMNS = ('atoms', 'error_asked', 'method', 'setting', 'error', 'list_ms', 'forces_ms', 'of_enuf', 'loss_ms',
           'loss_of_enuf', 'loss_difference', 'forces_MB', 'loss_MB')
ALL_SETTINGS, FINEST = 1000, 0.16  # atoms; Angstrom between points of a mesh


def milliseconds(function):
    begin = time.perf_counter()
    function()
    return 1e3 * (time.perf_counter() - begin)


def in_turns(functions, seconds):
    """The least time of each function, over three turns or more."""
    least, end, turns = {name: np.inf for name in functions}, time.perf_counter() + seconds, 0
    while turns < 3 or time.perf_counter() < end and turns < 200:
        for name, function in functions.items():
            least[name] = min(least[name], milliseconds(function))
        turns += 1
    return least


def reference(system, device):
    """Forces, and the gradient of sum F^2; on the CPU up to 200,000 atoms."""
    options = {'accuracy': 1e-11, 'split': 'gaussian'}
    device = device if len(system.charges) > 200000 else 'cpu'
    x, q, h = (torch.tensor(array, device=device) for array in (system.positions, system.charges, system.cell))
    x.requires_grad_(True)
    slope, = torch.autograd.grad(enuf.torch.energy(x, q, h, **options), x, create_graph=True)
    if len(system.charges) <= 1000:
        forces = enuf.exact_ewald(system.positions, system.charges, system.cell).forces
    else:
        forces = -slope.detach().cpu().numpy()
    return forces, torch.autograd.grad(slope.square().sum(), x)[0].cpu().numpy()


def settings_of(name):
    """{(peer, error asked): {atoms: setting}} of a table."""
    found = {}
    with open(name) as file:
        for row in csv.DictReader(line for line in file if not line.startswith('#')):
            of_row = dict(part.split('=') for part in row['setting'].split())
            setting = {key: text if key == 'kind' else int(text) if key == 'order' else float(text)
                       for key, text in of_row.items()}
            found.setdefault((row['method'], float(row['error_asked'])), {})[int(row['atoms'])] = setting
    return found


class Search:
    """Looks for the fastest setting of each peer that delivers an error, and keeps the best ones for larger systems.

    known  of settings_of(): tried alone; of sizes that are not there, those of the nearest one
    """

    def __init__(self, error, known):
        self.error, self.known = error, known
        self.best = {}  # of each peer: [(ms, error, setting)], the fastest first

    def settings(self, peer, system):
        known = self.known.get((peer.name, self.error))
        if known:
            return [known[min(known, key=lambda n: abs(np.log(n / len(system.charges))))]]
        if peer.tuned_by:
            return [entry[2] for entry in self.best.get(peer.tuned_by, []) if peer.serves(entry[2])][:5]
        if len(system.charges) <= ALL_SETTINGS or peer.name not in self.best:
            return [s for s in peer.settings(system, self.error) if s.get('spacing', FINEST) >= FINEST]
        return [entry[2] for entry in self.best[peer.name]][:5]

    def fastest(self, peer, system, exact):
        """(setting, error); (None, the least error) where no setting serves."""
        served, least = [], np.inf
        for setting in self.settings(peer, system):
            peer.use(system, setting)
            off = np.sqrt(np.mean(np.sum((peers.in_numpy(peer.forces()[1]) - exact)**2, axis=1))) / system.f_ref
            least = min(least, off)
            if off <= self.error:
                served.append((min(milliseconds(lambda: peer.measured('forces')) for _ in range(2)), off, setting))
        if not served:
            return None, least
        self.best[peer.name] = sorted(served, key=lambda entry: entry[0])
        return self.best[peer.name][0][2], self.best[peer.name][0][1]


def text_of(setting):
    return ' '.join(f'{name}={value:.4g}' if isinstance(value, float) else f'{name}={value}'
                    for name, value in setting.items())


def measure(n, search, made, seconds, table, with_memory):
    system = salt(n)
    exact, exact_loss = reference(system, made[0].device)
    ready, functions, losses = {}, {}, {}
    for peer in made:
        try:
            setting, off = search.fastest(peer, system, exact)
            if setting is None:
                table.note(f'{len(system.charges)} atoms, {search.error:g}: no setting of {peer.name} delivers it, {off:.1e} at best')
                continue
            peer.use(system, setting)
            peer.forces()
            ready[peer.name] = peer, setting, off
            functions[peer.name] = partial(peer.measured, 'forces')
            if peer.loss:
                found = peers.in_numpy(peer.loss())
                losses[peer.name] = partial(peer.measured, 'loss'), np.linalg.norm(found - exact_loss) / np.linalg.norm(exact_loss)
        except Exception as gap:  # whatever a package raises; the others are measured
            table.note(f'{len(system.charges)} atoms: {"loss of " if peer.name in ready else ""}forces with {peer.name}: '
                       f'{type(gap).__name__}: {(str(gap).splitlines() or [""])[0]}')
    times = in_turns(functions, seconds)
    loss_times = in_turns({name: loss for name, (loss, _) in losses.items()}, seconds) if losses else {}
    for name, (peer, setting, off) in ready.items():
        turns = 3 if n <= 200000 else 1
        pairs = f'{min(milliseconds(peer.find_pairs) for _ in range(turns)):.3g}' if peer.find_pairs else ''
        row = [len(system.charges), f'{search.error:g}', name, text_of(setting), f'{off:.2g}', pairs,
               f'{times[name]:.4g}', ratio(times, name)]
        if name in losses:
            row += [f'{loss_times[name]:.4g}', ratio(loss_times, name), f'{losses[name][1]:.1e}']
        else:
            row += ['', '', '']
        table.add(*row, *(memory_of(name, n, setting, peer.device) if with_memory else ['', '']))


def held(device, begin=False):
    """MB that this process holds: of the GPU now, or of the host at most since the call with `begin`."""
    if device != 'cpu':
        free, all_of_it = torch.cuda.mem_get_info()
        return (all_of_it - free) / 1e6
    if begin:
        with open('/proc/self/clear_refs', 'w') as file:
            file.write('5')
    with open('/proc/self/status') as file:
        return next(int(line.split()[1]) / 1e3 for line in file if line.startswith('VmRSS' if begin else 'VmHWM'))


def measure_alone(name, n, setting, device, folder):
    """What a process of its own does for alone(): prints figures as JSON, and leaves forces and loss in a folder."""
    peer = next(kind for kind in peers.PEERS if kind.name == name)(device)
    wanted = ['forces', 'loss'] if peer.loss else ['forces']
    peer.use(salt(64), setting)  # loads what a package loads at its first call
    for what in wanted:
        peer.measured(what)
    system, before = salt(n), held(device, begin=True)
    spent = milliseconds(partial(peer.use, system, setting))
    found = {'list_ms': spent if peer.find_pairs else ''}
    for what in wanted:
        result = peer.measured(what)
        found[f'{what}_MB'] = held(device) - before
        if folder:
            np.save(os.path.join(folder, what), peers.in_numpy(result[1] if what == 'forces' else result))
            found[f'{what}_ms'] = min(milliseconds(partial(peer.measured, what)) for _ in range(3))
    print(json.dumps(found), flush=True)


OUT_OF_MEMORY = 'out of memory', 'RESOURCE_EXHAUSTED', 'OutOfMemoryError', 'MemoryError'


def alone(name, n, setting, device, seconds=None, folder=''):
    """({figures of measure_alone()}, ''), or ({}, what the process ran out of)."""
    command = [sys.executable, __file__, '--device', device, '--atoms', str(n), '--threads',
               str(torch.get_num_threads()), '--of', name, json.dumps(setting, default=float), folder]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds,
                             env={**os.environ, 'XLA_PYTHON_CLIENT_PREALLOCATE': 'false'})
    except subprocess.TimeoutExpired:
        return {}, f'longer than {seconds:g} s'
    if run.returncode == 0:
        return json.loads(run.stdout.splitlines()[-1]), ''
    print(f'{name}, {n} atoms:\n{run.stderr}', file=sys.stderr)
    ended = any(word in run.stderr for word in OUT_OF_MEMORY) or run.returncode == -9
    return {}, 'out of memory' if ended else (run.stderr.splitlines() or ['?'])[-1]


def memory_of(name, n, setting, device):
    """MB of forces, and of the loss after them; empty where there is none."""
    found, _ = alone(name, n, setting, device)
    return [f'{found[what]:.4g}' if what in found else '' for what in ('forces_MB', 'loss_MB')]


def measure_each_alone(n, search, made, seconds, table):
    system = salt(n)
    exact, exact_loss = reference(system, made[0].device)
    own = {}  # times of enuf.torch
    for peer in made:
        setting = search.settings(peer, system)[0]
        with tempfile.TemporaryDirectory() as folder:
            found, gap = alone(peer.name, n, setting, peer.device, seconds, folder)
            if gap:
                table.add(len(system.charges), f'{search.error:g}', peer.name, text_of(setting), gap, *[''] * 8)
                continue
            off = np.load(os.path.join(folder, 'forces.npy')) - exact
            row = [len(system.charges), f'{search.error:g}', peer.name, text_of(setting),
                   f'{np.sqrt(np.mean(np.sum(off**2, axis=1))) / system.f_ref:.2g}',
                   f'{found["list_ms"]:.3g}' if found['list_ms'] else '']
            difference = ''
            if peer.loss:
                loss = np.load(os.path.join(folder, 'loss.npy'))
                difference = f'{np.linalg.norm(loss - exact_loss) / np.linalg.norm(exact_loss):.1e}'
        own = own or (found if peer.name == 'enuf.torch' else {})
        for what in ('forces', 'loss'):
            ms = f'{what}_ms'
            row += [f'{found[ms]:.4g}' if ms in found else '',
                    f'{found[ms] / own[ms]:.3g}' if ms in found and ms in own else '']
        table.add(*row, difference, *(f'{found[key]:.4g}' if key in found else '' for key in ('forces_MB', 'loss_MB')))


def ratio(times, name):
    """The time over that of enuf.torch."""
    return f'{times[name] / times["enuf.torch"]:.3g}' if 'enuf.torch' in times else ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--atoms', default='100,1000,10000,100000')
    parser.add_argument('--errors', default='1e-4,1e-5')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=4, help='of turns for each group of figures')
    parser.add_argument('--peers', default='', help='names, to leave out the others')
    parser.add_argument('--settings', help='a table of an earlier run, whose settings are tried alone')
    parser.add_argument('--memory', action='store_true')
    parser.add_argument('--alone', type=float, metavar='SECONDS', help='a process for each row, which has so long')
    parser.add_argument('--of', nargs=3, metavar=('PEER', 'SETTING', 'FOLDER'), help=argparse.SUPPRESS)
    o = parser.parse_args()
    use_cores(o.threads)
    torch.set_num_threads(o.threads)
    if o.of:
        measure_alone(o.of[0], int(o.atoms), json.loads(o.of[1]), o.device, o.of[2])
        return
    made, missing = [], []
    for kind in peers.PEERS:
        if o.peers and kind.name not in o.peers.split(','):
            continue
        try:
            made.append(kind(o.device))
        except ImportError as absent:
            missing.append(f'{kind.name}: {absent}')
    versions = [f'{peer.name} {peer.version}' for peer in made if peer.package] + [
        f'{name} {importlib.metadata.version(name)}' for name in ('torch', 'vesin')]
    table = Table(o.csv, COLUMNS, f'energy and forces, then the gradient of sum F^2; double; {o.device}, {o.threads} '
                  f'thread(s) on as many cores; least of turns; {", ".join(versions)}')
    for line in missing:
        table.note(f'not here: {line}')
    if o.device == 'cpu':
        table.note('not run: --device cuda')
    for error in map(float, o.errors.split(',')):
        search = Search(error, settings_of(o.settings) if o.settings else {})
        for n in map(int, o.atoms.split(',')):
            if o.alone:
                measure_each_alone(n, search, made, o.alone, table)
            else:
                measure(n, search, made, o.seconds, table, o.memory)


if __name__ == '__main__':
    main()
