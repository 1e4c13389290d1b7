# enuf.compat.finufft does what FINUFFT does. FINUFFT's own tests of its Python interface run too, with the import
# changed, where FINUFFT_SOURCE names its sources. SPDX-License-Identifier: BSD-3-Clause
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np

import enuf.compat.finufft as finufft
from expect import expect, expect_error, expect_true, run_laws

SHAPE, N = (12, 9), 40
RANDOM = np.random.default_rng(8)
X, Y = RANDOM.uniform(-5, 5, (2, N))
C = RANDOM.normal(size=N) + 1j * RANDOM.normal(size=N)
GRIDS = np.meshgrid(*[np.arange(-(n // 2), (n + 1) // 2) for n in SHAPE], indexing='ij')
WAVES = np.exp(1j * (GRIDS[0].ravel()[:, None] * X + GRIDS[1].ravel()[:, None] * Y))
F = RANDOM.normal(size=SHAPE) + 1j * RANDOM.normal(size=SHAPE)


def error(found, true):
    return np.linalg.norm(np.ravel(found) - np.ravel(true)) / np.linalg.norm(true)


def law_signs_and_orders_are_finuffts():
    expect('type 1: exp(+i k x), x along the first axis', error(finufft.nufft2d1(X, Y, C, SHAPE, eps=1e-9), WAVES @ C),
           1e-8)
    expect('type 2: exp(-i k x)', error(finufft.nufft2d2(X, Y, F, eps=1e-9), WAVES.conj().T @ F.ravel()), 1e-8)
    phases = np.exp(1j * (np.outer(Y, X) + np.outer(X, Y)))
    expect('type 3: exp(+i s x)', error(finufft.nufft2d3(X, Y, C, Y, X, eps=1e-9), phases @ C), 1e-8)
    expect('isign', error(finufft.nufft2d1(X, Y, C, SHAPE, eps=1e-9, isign=-1), WAVES.conj() @ C), 1e-8)
    found = finufft.nufft2d1(X, Y, C, SHAPE, eps=1e-9, modeord=1)
    expect('modeord', error(np.fft.fftshift(found), WAVES @ C), 1e-8)
    plan = finufft.Plan(2, SHAPE, eps=1e-9)
    plan.setpts(X, Y)
    expect('execute_adjoint of type 2', error(plan.execute_adjoint(C), WAVES @ C), 1e-8)
    out = np.empty(SHAPE, complex)
    expect_true('out is returned', finufft.nufft2d1(X, Y, C, out=out) is out)
    expect_true('an axis of one vector stays', finufft.nufft2d1(X, Y, C[None], SHAPE).shape == (1, *SHAPE))


def law_errors_are_finuffts():
    expect_error('eps', RuntimeError, ['eps tolerance too small'], lambda: finufft.Plan(1, SHAPE, eps=1e-20))
    finufft.Plan(1, SHAPE, eps=1e-20, allow_eps_too_small=1)
    expect_error('dtype', RuntimeError, ['single or double'], lambda: finufft.Plan(1, SHAPE, dtype='int32'))
    expect_error('a mode of the spreader', RuntimeError, ['spreadinterponly'],
                 lambda: finufft.Plan(1, SHAPE, spreadinterponly=1))
    expect_error('no points', RuntimeError, ['setpts'], lambda: finufft.Plan(1, SHAPE).execute(C))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        finufft.Plan(1, SHAPE, debug=1, spread_sort=2, maxbatchsize=3, spread_kerpad=1, colour='red')
    texts = [str(warning.message) for warning in caught]
    expect_true('a deprecated and an unknown option warn, others do not',
                len(texts) == 2 and 'spread_kerpad' in texts[0] and 'colour' in texts[1], texts)


def law_their_own_tests_pass():
    source = os.environ.get('FINUFFT_SOURCE')
    if not source or not importlib.util.find_spec('pytest'):
        print("left out: FINUFFT's own tests need pytest, and FINUFFT_SOURCE: a clone of its sources")
        return
    folder = os.path.join(os.environ['SCRATCH'], 'own')
    shutil.rmtree(folder, ignore_errors=True)
    for part in 'test', 'examples':
        shutil.copytree(os.path.join(source, 'python', 'finufft', part), os.path.join(folder, part))
    for path in glob.glob(f'{folder}/*/*.py'):
        with open(path, encoding='utf-8') as file:
            text = file.read()
        text = re.sub(r'^( *)import finufft( as \w+)?$', lambda found: found[1] + 'import enuf.compat.finufft' +
                      (found[2] or ' as finufft'), text, flags=re.M)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text.replace('from finufft import', 'from enuf.compat.finufft import'))
    run = subprocess.run([sys.executable, '-m', 'pytest', '-q', folder + '/test'], cwd=folder + '/test', text=True,
                         stdout=subprocess.PIPE)
    expect_true(run.stdout.strip().splitlines()[-1], run.returncode == 0, run.stdout)
    for path in sorted(glob.glob(f'{folder}/examples/*.py')):
        run = subprocess.run([sys.executable, path], text=True, stdout=subprocess.PIPE, cwd=folder)
        errors = [float(value) for value in re.findall(r'Error relative to max.*: (\S+)', run.stdout)]
        expect(f'{os.path.basename(path)}: largest error', max(errors, default=np.inf), 1e-5)


run_laws(globals())
