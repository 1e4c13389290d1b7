# enuf.tune_plan and enuf.Ewald.tune: the choice serves the tolerance or accuracy, and wisdom gives it again.
# enuf.aliasing: the error of modes alone, and the numbers of the C library. No check reads a clock.
# SPDX-License-Identifier: BSD-3-Clause
import os

import numpy as np

import enuf
from systems import f_ref, random_ions
from expect import expect, expect_error, expect_true, run_laws

FILE = os.path.join(os.environ['SCRATCH'], 'wisdom.json')
RANDOM = np.random.default_rng(3)
X, Y = RANDOM.uniform(-np.pi, np.pi, (2, 400))
STRENGTHS = RANDOM.normal(size=400) + 1j * RANDOM.normal(size=400)
SHAPE = (20, 14)


def of_choice(found):
    return next(candidate for candidate in found.candidates if candidate.state == 'chosen')


def law_the_choice_serves_the_tolerance():
    exact = enuf.direct_type1(np.stack([X, Y], axis=1), STRENGTHS, SHAPE)
    for effort in 'estimate', 'measure', 'exhaustive':
        found = enuf.tune_plan(SHAPE, 1e-7, X, Y, type1=20, effort=effort, trials=1, threads=1)
        chosen = of_choice(found)
        report = enuf.Plan(SHAPE, 1e-7, threads=1, **found.method).set_points(X, Y).report()
        expect_true(f'{effort}: the plan has the method', (report.window, report.width, report.fine_grid) == (
            chosen.window, chosen.width, chosen.fine_grid), report)
        modes = enuf.Plan(SHAPE, 1e-7, threads=1, **found.method).set_points(X, Y).type1(STRENGTHS)
        expect(f'{effort}: against sums', np.linalg.norm(modes - exact) / np.linalg.norm(exact), 4e-7, '(4 tolerances)')
        timed = [c for c in found.candidates if c.measured_seconds > 0]
        expect_true(f'{effort}: {len(timed)} of {len(found.candidates)} are timed', (len(timed) > 0) == (
            effort != 'estimate') and not found.from_wisdom)
        if timed:  # pairs of rounds decide; a single one of another candidate may have been lucky
            least = min(c.measured_seconds for c in timed)
            expect_true(f'{effort}: the choice', chosen.measured_seconds <= 2 * least, chosen)


def law_wisdom_gives_it_again():
    if os.path.exists(FILE):
        os.remove(FILE)
    rows = np.stack([X, Y], axis=1)
    first = enuf.tune_plan(SHAPE, 1e-5, rows, type2=9, wisdom=FILE, trials=1, dtype='complex64', threads=1)
    again = enuf.tune_plan(SHAPE, 1e-5, X, Y, type2=9, wisdom=FILE, effort='wisdom_only', dtype='complex64', threads=1)
    expect_true('the same method', again.from_wisdom and first.method == again.method, again)
    expect_error('of another problem', enuf.Unsupported, ['no entry'], lambda: enuf.tune_plan(
        SHAPE, 1e-6, X, Y, type2=9, wisdom=FILE, effort='wisdom_only', threads=1))
    with open(FILE, 'a', encoding='utf-8') as file:
        file.write('}')
    expect_error('a damaged file', enuf.BadFile, ['line', 'column'],
                 lambda: enuf.tune_plan(SHAPE, 1e-5, wisdom=FILE, effort='estimate'))


def law_levels_are_candidates():
    found = enuf.tune_plan(SHAPE, 1e-4, X, Y, type1=50, type2=50, effort='estimate', threads=1)
    expect_true('every level', {c.level for c in found.candidates} == {'none', 'sorted', 'weights', 'matrix'})
    expect_true('the level of the choice', found.method['level'] == of_choice(found).level, found.method)
    plan = enuf.Plan(SHAPE, 1e-4, threads=1, **found.method).set_points(X, Y)
    expect_true('a plan takes it', plan.report().width == found.method['width'], plan.report())
    once = {c.level: c.predicted_seconds for c in found.candidates}
    expect_true('setting the points counts', 0 < min(enuf.tune_plan(
        SHAPE, 1e-4, X, Y, type1=0, type2=0, effort='estimate', threads=1).candidates,
        key=lambda c: c.predicted_seconds).predicted_seconds < min(once.values()))
    many = enuf.tune_plan(SHAPE, 1e-4, X, Y, type1=0, type2=0, gram=1e6, effort='estimate', threads=1)
    expect_true('gram with calls of it', 'gram' in {c.level for c in many.candidates})
    fixed = enuf.tune_plan(SHAPE, 1e-4, X, Y, gram=9, level='gram', effort='measure', trials=1, threads=1)
    expect_true('it is timed', of_choice(fixed).measured_seconds > 0 and fixed.method['level'] == 'gram')
    expect_error('calls below 0', enuf.BadArgument, ['-1 of the Gram operator'], lambda: enuf.tune_plan(
        SHAPE, gram=-1, effort='estimate'))
    for level in 'none', 'sorted', 'weights', 'matrix', 'gram':
        fixed = enuf.tune_plan(SHAPE, 1e-4, X, Y, level=level, effort='measure', trials=1, threads=1)
        expect_true(f'{level} stays', fixed.method['level'] == level and {c.level for c in fixed.candidates} == {level})
    expect_error('a limit names the level', enuf.OutOfMemory, ['least need', 'level matrix'], lambda: enuf.tune_plan(
        SHAPE, 1e-4, level='matrix', effort='estimate', memory_limit=1000))


def law_wrong_input_is_refused():
    expect_error('memory', enuf.OutOfMemory, ['least need'], lambda: enuf.tune_plan(
        (64, 64), 1e-6, effort='estimate', memory_limit=1000))
    expect_error('an effort', enuf.BadArgument, ['exhaustive'], lambda: enuf.tune_plan(SHAPE, effort='hard'))
    expect_error('two coordinates', enuf.BadArgument, ['2 are needed'], lambda: enuf.tune_plan(SHAPE, 1e-6, X, Y, X))
    expect_error('float coordinates', enuf.ArrayError, ['float64'],
                 lambda: enuf.tune_plan(SHAPE, 1e-6, X.astype('f4'), Y.astype('f4')))
    expect_error('dimensions', enuf.BadArgument, ['1 to 3'], lambda: enuf.tune_plan((1, 1, 1, 1)))


def law_levels_agree():
    points, modes = np.stack([X, Y], axis=1), RANDOM.normal(size=SHAPE) + 1j * RANDOM.normal(size=SHAPE)
    plain = enuf.Plan(SHAPE, 1e-7, threads=1).set_points(points)
    report = plain.report()
    terms = len(X) * report.width**2 / np.prod(report.fine_grid[:2])  # of a cell's sum: nufft/plan/choose.c
    rounding = (2 + 0.22 * np.sqrt(terms)) * 2.2e-16
    for level in 'sorted', 'none', 'weights', 'matrix', 'gram':
        plan = enuf.Plan(SHAPE, 1e-7, threads=1, level=level).set_points(points)
        for name, array in ('type1', STRENGTHS), ('type2', modes):
            expected, found = getattr(plain, name)(array), getattr(plan, name)(array)
            expect(f'{level}, {name}', np.linalg.norm(found - expected) / np.linalg.norm(expected),
                   3 * rounding if name == 'type1' else 6 * 2.2e-16,
                   '(three times the rounding of a transform)')
        expect_true(f'{level}: bytes', (plan.report().bytes > plain.report().bytes) == (
            level in ('weights', 'matrix', 'gram')), plan.report().bytes)
    expect_error('level', enuf.BadArgument, ['sorted, none, weights, matrix, gram'],
                 lambda: enuf.Plan(SHAPE, level='all'))


def chosen_of(ewald):
    chosen = [candidate for candidate in ewald.tuning.candidates if candidate.state == 'chosen']
    expect_true('one is chosen', len(chosen) == 1, len(chosen))
    return chosen[0]


def law_ewald_sums_keep_the_accuracy():
    positions, charges, cell = random_ions()
    exact = enuf.exact_ewald(positions, charges, cell)
    for effort in 'estimate', 'measure', 'exhaustive':
        ewald = enuf.Ewald(cell, charges, accuracy=1e-6, threads=1)
        expect_true('nothing is looked at yet', ewald.tuning is None)
        report = ewald.tune(positions, effort, trials=2)
        chosen = chosen_of(ewald)
        expect_true(f'{effort}: the object has the parameters', (report.split, report.cutoff, report.grid) == (
            chosen.parameters.split, chosen.parameters.cutoff, chosen.parameters.grid), report)
        error = ewald.compute(positions).forces - exact.forces
        expect(f'{effort}: forces', np.sqrt(np.mean(np.sum(error**2, axis=1))), 1e-6 * f_ref(charges, cell), '(A F_ref)')
        timed = [c for c in ewald.tuning.candidates if c.timings]
        expect_true(f'{effort}: {len(timed)} of {len(ewald.tuning.candidates)} are timed', (len(timed) > 0) == (
            effort != 'estimate'))
        expect_true(f'{effort}: the fastest', all(
            c.measured_seconds >= chosen.measured_seconds for c in timed if c.state == 'slower'))
    before = ewald.report()
    ewald.tune(positions, 'measure', keep=('cutoff', 'split'), trials=1)
    expect_true('cutoff and splitting stay', all(c.parameters.cutoff == before.cutoff and
                                                 c.parameters.split == before.split for c in ewald.tuning.candidates))
    ewald.tune(positions)
    expect_true('an estimate alone lists nothing', ewald.tuning is None)


def law_wisdom_gives_ewald_sums_again():
    positions, charges, cell = random_ions()
    if os.path.exists(FILE):
        os.remove(FILE)
    first, again = (enuf.Ewald(cell, charges, accuracy=1e-5, threads=1) for _ in range(2))
    first.tune(positions, 'measure', wisdom=FILE, trials=1)
    again.tune(positions, 'wisdom_only', wisdom=FILE)
    expect_true('from wisdom', again.tuning.from_wisdom and not first.tuning.from_wisdom)
    expect_true('the same parameters', chosen_of(again).parameters == chosen_of(first).parameters)
    expect_true('the same bits', np.array_equal(first.forces(positions), again.forces(positions)))
    fixed = enuf.Ewald(cell, charges, accuracy=1e-5, threads=1, deterministic=True)
    expect_error('a clock for deterministic sums', enuf.Unsupported, ['deterministic', 'uncorrelated'],
                 lambda: fixed.tune(positions, 'measure'))
    first.tune(positions, 'measure', wisdom=FILE, trials=1, uncorrelated=True)
    fixed.tune(positions, 'wisdom_only', wisdom=FILE)
    expect_true('deterministic sums take wisdom', fixed.tuning.from_wisdom)
    other = enuf.Ewald(cell, charges, accuracy=1e-7, threads=1)
    expect_error('of another accuracy', enuf.Unsupported, ['no entry'],
                 lambda: other.tune(positions, 'wisdom_only', wisdom=FILE))


def law_wrong_tuning_of_ewald_sums_is_refused():
    positions, charges, cell = random_ions()
    ewald = enuf.Ewald(cell, charges, accuracy=1e-5)
    for text, error, words, given in [
            ('no positions', enuf.BadArgument, ['without positions'], {'positions': None, 'effort': 'measure'}),
            ('an effort', enuf.BadArgument, ['exhaustive'], {'effort': 'hard'}),
            ('a field', enuf.BadArgument, ['split, cutoff, grid, width'], {'effort': 'measure', 'keep': 'alpha'}),
            ('trials', enuf.BadArgument, ['trials 0'], {'effort': 'measure', 'trials': 0}),
            ('memory', enuf.OutOfMemory, ['least need'], {'effort': 'measure', 'memory_limit': 1000}),
            ('no wisdom', enuf.BadArgument, ['without wisdom'], {'effort': 'wisdom_only'})]:
        expect_error(text, error, words, lambda given=given: ewald.tune(**{'positions': positions, **given}))


def law_aliasing_is_the_error_of_single_modes():
    size, points = 16, RANDOM.uniform(-np.pi, np.pi, 4000)
    for window, width, upsampling in ('kaiser_bessel', 4, 1.5), ('prolate', 3, 2.0), ('gaussian', 5, 1.75):
        found = enuf.aliasing(size, window=window, width=width, upsampling=upsampling)
        plan = enuf.Plan(size, 0, window=window, width=width, upsampling=upsampling, threads=1).set_points(points)
        errors = []
        for m in range(size):
            exact = np.exp(1j * (m - size // 2) * points)
            errors.append(np.sqrt(np.mean(np.abs(plan.type2(np.eye(size)[m] + 0j) - exact)**2)))
        expect(f'{window}: the largest, {found.amplitude:.3g}', abs(max(errors) / found.amplitude - 1), 0.05, '(points)')
        expect(f'{window}: the RMS, {found.l2:.3g}', abs(np.sqrt(np.mean(np.square(errors))) / found.l2 - 1), 0.05)
    whole = enuf.aliasing((20, 14), 1e-5)
    expect_true('a tolerance chooses', 0 < whole.l2 <= whole.amplitude and whole.l2 < 1e-5, whole)
    same = enuf.aliasing((20, 14), width=6, fine_grid=(40, 28))
    expect_true('axes are in order', same == enuf.aliasing((14, 20), width=6, fine_grid=(28, 40)), same)
    expect_error('a grid', enuf.BadArgument, ['2 numbers of cells'], lambda: enuf.aliasing((20, 14), fine_grid=40))
    expect_error('dimensions', enuf.BadArgument, ['1 to 3'], lambda: enuf.aliasing((1, 1, 1, 1)))
    expect_error('a window', enuf.BadArgument, ['prolate'], lambda: enuf.aliasing(16, window='box', width=4))


run_laws(globals())
