# examples/imaging/reconstruct.py makes the images of the program in C: by gridding and by conjugate gradients, with
# weights of a file and by iteration, on the CPU, and on a GPU where one is. Wrong files give one line and no image.
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import enuf
from expect import expect, expect_true, run_laws

SCRIPT = Path(os.environ['SOURCE']) / 'examples' / 'imaging' / 'reconstruct.py'
PROGRAM = os.environ.get('IMAGING', '')
if not Path(PROGRAM).is_file():
    print('skipped: examples/imaging is not built: -DENUF_EXAMPLES=ON builds it')
    sys.exit(77)
if os.environ.get('BACKEND') == 'cuda' and not enuf.usable('cuda')[0]:
    print('skipped:', enuf.usable('cuda')[1])
    sys.exit(77)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, 'OMP_NUM_THREADS': '2'})


def simulated(name, *words):
    shutil.rmtree(name, ignore_errors=True)
    os.mkdir(name)
    made = run(PROGRAM, 'simulate', name, '--phantom', 'heart', '--side', '32', *words)
    expect_true(f'{name}: simulated', made.returncode == 0, made.stderr)


def backends():
    return ['cpu', 'cuda'] if enuf.usable('cuda')[0] else ['cpu']


def law_the_images_are_those_of_the_program_in_c():
    simulated('heart', '--trajectory', 'golden', '--frames', '3', '--coils', '4', '--reduction', '2')
    simulated('alone', '--trajectory', 'spiral', '--frames', '1', '--coils', '1')
    for name in 'heart', 'alone':
        for method in 'gridding', 'cg':
            made = run(PROGRAM, 'reconstruct', name, '--method', method, *['--iterations', '20'] * (method == 'cg'))
            expect_true(f'{name}, {method}, in C', made.returncode == 0, made.stderr)
            right = np.load(f'{name}/image.npy')
            for backend in backends():
                os.remove(f'{name}/image.npy')
                found = run(sys.executable, '-B', SCRIPT, name, '--method', method, '--backend', backend)
                if not expect_true(f'{name}, {method}, {backend}', found.returncode == 0, found.stderr):
                    continue
                image = np.load(f'{name}/image.npy')
                expect(f'{name}, {method}, {backend}: images',
                       np.linalg.norm(image - right) / np.linalg.norm(right), 1e-5)
                expect_true('a picture', Path(name, 'image.png').read_bytes()[:4] == b'\x89PNG')
                expect_true('one line, no part of a file', found.stdout.count('\n') == 1 and not found.stderr
                            and not list(Path(name).glob('*.part')), found.stdout + found.stderr)


def law_iterated_weights_are_those_of_the_program_in_c():
    simulated('moving', '--trajectory', 'golden', '--frames', '2', '--coils', '2')
    simulated('spiral', '--trajectory', 'spiral', '--frames', '1', '--coils', '1')
    for name in 'moving', 'spiral':
        for array in 'weights', 'truth':  # neither is needed
            os.remove(f'{name}/{array}.npy')
        words = name, '--method', 'gridding', '--density', 'iterative', '--iterations', '12'
        made = run(PROGRAM, 'reconstruct', *words)
        expect_true(f'{name} in C', made.returncode == 0, made.stderr)
        right = np.load(f'{name}/image.npy')
        for backend in backends():
            os.remove(f'{name}/image.npy')
            found = run(sys.executable, '-B', SCRIPT, *words, '--backend', backend)
            if expect_true(f'{name}, {backend}', found.returncode == 0, found.stderr):
                image = np.load(f'{name}/image.npy')
                expect(f'{name}, {backend}: images', np.linalg.norm(image - right) / np.linalg.norm(right), 1e-5)


def refused(what, name, array, *words):
    simulated('wrong', '--trajectory', 'radial', '--frames', '2', '--coils', '2')
    np.save(f'wrong/{name}.npy', array(np.load(f'wrong/{name}.npy')))
    made = run(sys.executable, '-B', SCRIPT, 'wrong')
    expect_true(f'{what}: {made.stderr.strip()}', made.returncode == 1 and made.stderr.count('\n') == 1
                and all(word in made.stderr for word in (name, *words)), made.stdout + made.stderr)
    expect_true('no image', not Path('wrong/image.npy').exists() and not Path('wrong/image.png').exists())


def law_wrong_files_give_one_line():
    def spoilt(array):
        array[1, 0, 5] = np.nan
        return array
    refused('another type', 'data', lambda a: a.astype('complex64'), 'complex64', 'complex128 with 3 axes is needed')
    refused('not finite', 'data', spoilt, '(1, 0, 5)', 'is not finite')
    refused('another length', 'weights', lambda a: a[:, 1:], 'samples')
    refused('outside the band', 'trajectory', lambda a: 2 * a, 'at most 16')
    refused('more coils than data', 'maps', lambda a: np.concatenate([a, a]), '2 square maps')
    made = run(sys.executable, '-B', SCRIPT, 'wrong', '--backend', 'gpu')
    expect_true('an unknown backend', made.returncode == 2 and "'auto', 'cpu', 'cuda'" in made.stderr, made.stderr)
    if not enuf.usable('cuda')[0]:
        simulated('fine', '--trajectory', 'radial', '--frames', '1', '--coils', '1')
        made = run(sys.executable, '-B', SCRIPT, 'fine', '--backend', 'cuda')
        expect_true(f'no GPU: {made.stderr.strip()}', made.returncode == 1 and made.stderr.count('\n') == 1
                    and 'without one use --backend cpu' in made.stderr, made.stdout)
    made = run(sys.executable, '-B', SCRIPT, 'nowhere')
    expect_true('no folder', made.returncode == 1 and 'nowhere/trajectory.npy' in made.stderr, made.stderr)


if __name__ == '__main__':
    run_laws(globals())
