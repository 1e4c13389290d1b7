#!/usr/bin/env python3
# The commands in README, tutorial and cli.md print what these documents show. Every "$ command" in a console block is
# run; it prints the lines below it, with the same words, and numbers within 2 % (any numbers in lines of times). A
# line "..." stands for lines that are left out. A Python block that names a file is written to this file first.
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import shutil
import subprocess
import sys

source, program, scratch = os.environ['SOURCE'], os.environ['PROGRAM'], os.environ['SCRATCH']
folder = os.path.join(scratch, 'documented')
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(os.path.join(folder, 'build'))
os.symlink(os.path.join(source, 'examples'), os.path.join(folder, 'examples'))
os.symlink(program, os.path.join(folder, 'build', 'enuf'))
environment = dict(os.environ, PATH=os.path.join(folder, 'build') + ':' + os.environ['PATH'], OMP_NUM_THREADS='2',
                   OMP_WAIT_POLICY='passive', OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                   OMPI_MCA_rmaps_base_oversubscribe='1')
NUMBER = re.compile(r'[-+]?\b\d+(?:\.\d+)?(?:e[-+]?\d+)?')
checked = failures = 0


def run(command):
    return subprocess.run(command, shell=True, cwd=folder, env=environment, text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def parts(line):
    """The words and the numbers of a line."""
    line = re.sub(r'\b\d+ threads?\b', 'N threads', line)
    return ' '.join(NUMBER.sub('#', line).split()), [float(number) for number in NUMBER.findall(line)]


def is_printed(line, printed, timed):
    words, numbers = parts(line)
    for other_words, others in printed:
        if other_words == words and (timed or all(abs(a - b) <= 0.02 * abs(a) + 1e-12
                                                  for a, b in zip(numbers, others))):
            return True
    return False


def check(page, command, expected):
    global checked, failures
    result = run(command)
    if result.returncode != 0:
        print(f'FAILED: {page}: {command}: exit status {result.returncode}: {result.stderr.strip()}')
        failures += 1
        return
    printed = [parts(line) for line in result.stdout.split('\n')]
    # measured times order the rows of `tune`
    timed = ' tune ' in command and '--ranks' not in command
    for line in expected:
        if line.strip() in ('', '...'):
            continue
        checked += 1
        if not is_printed(line, printed, timed or line.split()[0] == 'time'):
            print(f'FAILED: {page}: {command}: not printed: {line}')
            failures += 1


def can_run(command, information):
    if 'mpirun' in command or '--ranks' in command:
        return shutil.which('mpirun') and 'Open MPI' in information
    if '--backend cuda' in command and ' tune ' not in command:
        return re.search(r'cuda +usable', information)
    return 'plot' not in command or shutil.which('gnuplot')


information = run('enuf info').stdout
for page in ('README.md', 'docs/tutorial.md', 'docs/cli.md'):
    with open(os.path.join(source, page), encoding='utf-8') as file:
        text = file.read()
    for name, body in re.findall(r'^```python\n# (\S+)\n(.*?)^```', text, flags=re.M | re.S):
        with open(os.path.join(folder, name), 'w') as file:
            file.write(body)
    commands = 0
    for block in re.findall(r'^```console\n(.*?)^```', text, flags=re.M | re.S):
        for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
            command, *expected = part.rstrip('\n').split('\n')
            if can_run(command, information):
                check(page, command, expected)
                commands += 1
            else:
                print(f'not run here: {command}')
    print(f'{page}: {commands} commands')
print(f'{checked} lines checked')
sys.exit(failures > 0 or checked < 100)
