# Checks of tests in Python, and their count. SPDX-License-Identifier: BSD-3-Clause
import sys

failures = 0
checks = 0


def expect(what, value, bound, why=''):
    """Checks value <= bound, which NaN never fulfils. why: where the bound comes from."""
    return expect_true(f'{what}: {value:.2e}, at most {bound:.2e} {why}', value <= bound)


def expect_true(what, ok, otherwise=''):
    """Checks ok; otherwise: text to print if it fails."""
    global failures, checks
    checks += 1
    failures += not ok
    print(f"{'ok' if ok else 'FAILED'}: {what}{'' if ok else ' ' + str(otherwise)}", flush=True)
    return ok


def expect_error(what, kind, words, call):
    """Checks that call() raises `kind` with all of `words` in its text."""
    try:
        call()
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        return expect_true(f'{what}: {error}', not missing, f'lacks {missing}')
    except Exception as error:
        return expect_true(what, False, f'{type(error).__name__} instead of {kind.__name__}: {error}')
    return expect_true(what, False, f'no {kind.__name__}')


def finish():
    """Ends the program: 0 if checks were made and all hold, else 1."""
    print(f'{checks} checks, {failures} failed')
    sys.exit(1 if failures or not checks else 0)


def run_laws(module):
    """Runs the functions law_... of a module, and ends the program."""
    for name, function in list(module.items()):
        if name.startswith('law_'):
            print(f'-- {name[4:].replace("_", " ")}')
            function()
    finish()
