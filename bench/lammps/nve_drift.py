# Drift of the total energy along NVE with pppm and enuf at equal accuracy, for several start velocities:
#
#   nve_drift.py LMP PLUGIN LAMMPS CSV [--systems water,peptide] [--seeds 4711,4712,4713] [--accuracy 1e-5]
#
# water: 100 molecules of rigid SPC/E water, as in the test lammps_long_drift, 1e5 steps. peptide: LAMMPS' own
# examples/peptide with rigid bonds to hydrogen, 2,004 atoms, 1e4 steps. 1 fs a step, one task. LAMMPS is the folder of
# its sources. Drift and standard error are for the length of the run, by the slopes of five blocks; the first tenth is
# left out. Styles take turns.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import math
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'lammps_plugin'))
from inputs import INPUTS, head, make_absolute
from test_trajectories import drift_of, rigid_water

STEPS = {'water': 100000, 'peptide': 10000}
SAMPLES = 1000
RIGID = {'water': 'b 1 a 1', 'peptide': 'b 4 6 8 10 12 14 18 a 31'}
COLUMNS = ('system', 'atoms', 'steps', 'style', 'seed', 'drift', 'standard_error', 'deviation', 'seconds')


def peptide(lammps, seed):
    """The input with the velocities of its data file replaced."""
    with open(os.path.join(lammps, INPUTS['peptide'])) as file:
        text = file.read()
    text = re.sub(r'^(kspace_style|fix|dump|run)\b.*$', '', text, flags=re.M)
    return f'{text}\ntimestep 1.0\nvelocity all create 275 {seed} loop geom\nvelocity all zero linear\n'


def energies(o, system, style, seed):
    """The total energies of a run, the number of atoms, and the seconds of its loop."""
    start = rigid_water(seed) if system == 'water' else peptide(o.lammps, seed)
    folder = os.path.dirname(os.path.join(o.lammps, INPUTS['peptide']))
    text = f'''plugin load {o.plugin}
{start}
kspace_style {style} {o.accuracy}
fix 1 all nve
fix 2 all shake 1e-7 100 0 {RIGID[system]}
thermo {STEPS[system] // SAMPLES}
thermo_style custom step etotal
thermo_modify format float %.17g norm no
run {STEPS[system]}
'''
    done = subprocess.run([o.lmp, '-in', '/dev/stdin', '-log', 'none'], cwd=folder, input=text, text=True,
                          env={**os.environ, 'OMP_NUM_THREADS': '1'}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = [float(row.split()[1]) for row in re.findall(r'^ *\d+ +-?[0-9.e+]+ *$', done.stdout, re.M)]
    if done.returncode or len(found) != SAMPLES + 1:
        raise RuntimeError(done.stdout[-2000:])
    loop = re.search(r'Loop time of (\S+) .* with (\d+) atoms', done.stdout)
    return found, loop.group(2), loop.group(1)


def main():
    parser = argparse.ArgumentParser(description='Writes the drift of the energy along NVE with pppm and enuf to CSV.')
    parser.add_argument('lmp')
    parser.add_argument('plugin', help='enufplugin.so')
    parser.add_argument('lammps', help='folder of LAMMPS\' sources, with `examples`')
    parser.add_argument('csv')
    parser.add_argument('--systems', default='water,peptide')
    parser.add_argument('--seeds', default='4711,4712,4713', help='of the start velocities')
    parser.add_argument('--accuracy', default='1e-5')
    parser.add_argument('--build', default='build not told', help='how LAMMPS and the plugin were built')
    o = parser.parse_args()
    make_absolute(o)
    begun = time.time()
    with open(o.csv, 'w', newline='') as out:
        out.write(head(o, f'nve_drift.py --systems {o.systems} --seeds {o.seeds} --accuracy {o.accuracy}; kcal/mol'))
        rows = csv.writer(out, lineterminator='\n')
        rows.writerow(COLUMNS)
        for system in o.systems.split(','):
            for seed in o.seeds.split(','):
                for style in ('enuf', 'pppm'):
                    found, atoms, seconds = energies(o, system, style, seed)
                    kept = found[SAMPLES // 10:]
                    drift, error = drift_of(kept)
                    mean = sum(kept) / len(kept)
                    deviation = math.sqrt(sum((e - mean)**2 for e in kept) / len(kept))
                    rows.writerow([system, atoms, STEPS[system], style, seed, f'{drift:.3g}', f'{error:.2g}',
                                   f'{deviation:.2g}', seconds])
                    out.flush()
                    print(f'{time.time() - begun:.0f} s: {system}, {style}, seed {seed}: drift {drift:.3g}, standard '
                          f'error {error:.2g} kcal/mol', flush=True)


if __name__ == '__main__':
    main()
