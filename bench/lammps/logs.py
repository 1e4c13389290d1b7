# Reads times and grids from LAMMPS' log. SPDX-License-Identifier: BSD-3-Clause
import re

SECTIONS = ('Pair', 'Bond', 'Kspace', 'Neigh', 'Comm', 'Modify')


def runs(said):
    """For each run: seconds of a step and of each section, averaged over the tasks. With `timer full` these are
    seconds of the processors, which other work on the machine does not lengthen."""
    found = []
    for block in said.split('Loop time of ')[1:]:
        first = block.split()
        seconds, steps = float(first[0]), int(first[first.index('steps') - 1])
        if steps == 0:
            continue
        used = re.search(r'([0-9.]+)% CPU use', block)
        full = '|%varavg|  %CPU |' in block
        run = {'step': seconds / steps * (float(used.group(1)) / 100 if full and used else 1)}
        for name in SECTIONS:
            row = re.search(rf'^{name} *\|(.*)$', block, re.MULTILINE)
            columns = row.group(1).split('|') if row else ['0'] * 6
            share = float(columns[4]) / 100 if full else 1
            run[name] = float(columns[1]) / steps * share
        found.append(run)
    return found


def grid(said):
    """The grid of the last initialisation."""
    found = re.findall(r'grid = (\d+) (\d+) (\d+)', said)
    return 'x'.join(found[-1]) if found else ''
