# enuf.tune_plan: the choice serves the tolerance, and wisdom gives it again. No check reads a clock.
# SPDX-License-Identifier: BSD-3-Clause
import os

import numpy as np

import enuf
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
        if timed:
            expect_true('the fastest is chosen', chosen.measured_seconds == min(c.measured_seconds for c in timed))


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
    for level in 'none', 'sorted', 'weights', 'matrix':
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
    for level in 'sorted', 'none', 'weights', 'matrix':
        plan = enuf.Plan(SHAPE, 1e-7, threads=1, level=level).set_points(points)
        for name, array in ('type1', STRENGTHS), ('type2', modes):
            expected, found = getattr(plain, name)(array), getattr(plan, name)(array)
            expect(f'{level}, {name}', np.linalg.norm(found - expected) / np.linalg.norm(expected), 6 * 2.2e-16,
                   '(three times the rounding of a transform)')
        expect_true(f'{level}: bytes', (plan.report().bytes > plain.report().bytes) == (level in ('weights', 'matrix')),
                    plan.report().bytes)
    expect_error('level', enuf.BadArgument, ['sorted, none, weights, matrix'], lambda: enuf.Plan(SHAPE, level='all'))


run_laws(globals())
