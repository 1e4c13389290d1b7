#!/usr/bin/env python3
# Labels of tests. Every CTest entry has the name of its folder in tests/ (its room) as a label, besides gpu or slow or
# else unit, and no other. `ctest -L ROOM` (a regular expression) selects one room only. `make check-ROOM` exists for
# every room, and CONTRIBUTING.md and `make help` name it.
# SPDX-License-Identifier: BSD-3-Clause
import collections
import json
import os
import re
import subprocess
import sys

source, build = os.environ['SOURCE'], os.environ['BUILD']
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f'FAILED: {what}')


def text_of(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


tests = os.path.join(source, 'tests')
rooms = {name for name in os.listdir(tests) if os.path.isdir(os.path.join(tests, name)) and name != '__pycache__'}
described = json.loads(text_of('ctest', '--test-dir', build, '--show-only=json-v1'))
counts = collections.Counter()
for entry in described['tests']:
    properties = {p['name']: p['value'] for p in entry['properties']}
    labels = properties.get('LABELS', [])
    room = os.path.basename(properties['WORKING_DIRECTORY'])
    expect(room in rooms, f'{entry["name"]} was made in {room}, which is no folder of tests/')
    kinds = set(labels) - {room}
    expect(room in labels and len(labels) == len(set(labels)), f'{entry["name"]}: {labels} lack its room, {room}')
    expect(kinds in ({'unit'}, {'gpu'}, {'slow'}, {'gpu', 'slow'}),
           f'{entry["name"]}: its room, and unit, or gpu, slow or both, not {labels}')
    counts.update(labels)
print(f'{len(described["tests"])} entries:', ', '.join(f'{label} {n}' for label, n in sorted(counts.items())))
expect(counts['nufft'] > 20, 'more than 20 tests of the NUFFT are found')
words = rooms | {'unit', 'gpu', 'slow'}
for word in words:
    expect(not any(word in other for other in words - {word}), f'{word} is a part of another label: -L takes both')

helped = text_of('make', '-C', source, '--no-print-directory', 'help')
with open(os.path.join(source, 'CONTRIBUTING.md'), encoding='utf-8') as file:
    contributing = file.read()
for room in rooms:
    target = 'check-' + room.replace('lammps_plugin', 'lammps')
    for where, text in ('make help', helped), ('CONTRIBUTING.md', contributing):
        expect(re.search(rf'\b{target}\b', text), f'{where} does not name {target}')
    expect(subprocess.run(('make', '-C', source, '-n', target), stdout=subprocess.DEVNULL).returncode == 0,
           f'there is no `make {target}`')
sys.exit(failures > 0)
