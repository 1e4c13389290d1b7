# Every documented error is an exception that names what was wrong and what would be right, and leaves the object as it
# was. SPDX-License-Identifier: BSD-3-Clause
import os
import re
import subprocess
import sys
import unittest.mock

import numpy as np

import enuf
from enuf import _arrays, _derivatives, errors
from systems import SOURCE, random_ions, rock_salt
from expect import expect_error, expect_true, run_laws

POSITIONS, CHARGES, CELL = random_ions(20)


def law_statuses_are_exceptions():
    make = lambda **options: enuf.Ewald(CELL, CHARGES, **options)  # noqa: E731
    expect_error('accuracy out of its range', enuf.BadArgument, ['accuracy', '0.01'], lambda: make(accuracy=3.0))
    expect_error('is a ValueError', ValueError, ['accuracy'], lambda: make(accuracy=3.0))
    expect_error('an unknown splitting', enuf.BadArgument, ['erfc', 'prolate'], lambda: make(split='erfc'))
    expect_error('a splitting that is no name', enuf.BadArgument, ['split'], lambda: make(split=1.5))
    expect_error('an option of another kind', enuf.BadArgument, ['threads', 'many'], lambda: make(threads='many'))
    expect_error('half a thread', enuf.BadArgument, ['threads', 'whole'], lambda: make(threads=1.5))
    expect_error('a grid of two numbers and text', enuf.BadArgument, ['grid'], lambda: make(grid=(8, 'x', 8)))
    expect_error('an unknown option', TypeError, ['acuracy'], lambda: make(acuracy=1e-6))
    expect_error('a flat cell', enuf.BadArgument, ['cell'], lambda: enuf.Ewald(np.zeros((3, 3)), CHARGES))
    expect_error('NaN among the charges', enuf.NotFinite, ['charge', '3'],
                 lambda: enuf.Ewald(CELL, np.where(np.arange(20) == 3, np.nan, CHARGES)))
    expect_error('an accuracy out of reach', enuf.UnreachableAccuracy, ['lammps_accuracy', 'least'],
                 lambda: make(lammps_accuracy=1e-17).tune())
    expect_error('a calibration file that is not there', enuf.FileError, ['/nowhere'],
                 lambda: make(calibration_file='/nowhere/rates'))
    expect_error('a stream that is none', enuf.BadArgument, ['stream'], lambda: make(stream='mine'))
    if not enuf.usable('cuda')[0]:
        expect_error('no GPU', enuf.NoBackend, ['cuda'], lambda: make(backend='cuda'))
        expect_error('no GPU is a RuntimeError', RuntimeError, [], lambda: make(backend='cuda'))
    expect_error('memory_limit', enuf.OutOfMemory, [], lambda: make(memory_limit=1000).energy(POSITIONS))


def law_every_status_has_an_exception_and_a_case():
    scratch = os.environ['SCRATCH']
    bad_file = os.path.join(scratch, 'rates')
    with open(bad_file, 'w', encoding='utf-8') as file:
        file.write('no rates\n')
    close = POSITIONS.copy()
    close[7] = close[4] + 1e-9
    nan = np.where(np.arange(60).reshape(20, 3) == 30, np.nan, POSITIONS)
    one_mode = enuf.Plan(4, 1e-2)
    no_gpu = not enuf.usable('cuda')[0]
    cases = {
        enuf.BadArgument: lambda: enuf.Ewald(CELL, CHARGES, cutoff=-1.0),
        enuf.NotFinite: lambda: enuf.Ewald(CELL, CHARGES).energy(nan),
        enuf.OutOfMemory: lambda: enuf.Plan((4096, 4096, 4096), memory_limit=1 << 20).set_points(*np.zeros((3, 1))),
        enuf.NoPointsSet: lambda: one_mode.type1(np.zeros(1, complex)),
        enuf.UnreachableAccuracy: lambda: enuf.Plan(64, 1e-30),
        enuf.Unsupported: lambda: enuf.Plan(dim=1, deterministic=True),
        enuf.NoBackend: lambda: enuf.Ewald(CELL, CHARGES, backend='cuda'),
        enuf.BadMemory: lambda: enuf.Ewald(CELL, CHARGES, backend='cpu').energy(OnGpu()),
        enuf.Overflowed: lambda: enuf.Ewald(CELL, CHARGES, deterministic=True).energy(close),
        enuf.FileError: lambda: enuf.Ewald(CELL, CHARGES, calibration_file=scratch + '/nowhere'),
        enuf.BadFile: lambda: enuf.Ewald(CELL, CHARGES, calibration_file=bad_file),
    }
    if not no_gpu:
        del cases[enuf.NoBackend]  # the GPU is there
    for kind, call in cases.items():
        expect_error(kind.__name__, kind, [], call)
    # OutsideBrick is of ranks, which Python has not; Internal of a library below that fails
    without = {enuf.OutsideBrick, enuf.Internal, *({enuf.NoBackend} - cases.keys())}
    expect_true('no other class is without a case', set(errors.BY_STATUS.values()) - cases.keys() == without)
    with open(os.path.join(SOURCE, 'src', 'common', 'include', 'enuf', 'status.h'), encoding='utf-8') as header:
        listed = re.search(r'define ENUF_STATUSES\(X\)(.*?)\n\n', header.read(), re.DOTALL).group(1)
    numbers = {int(value) for value in re.findall(r'X\(\w+, (\d+),', listed)}
    expect_true('the statuses are those of the header', {0, *errors.BY_STATUS} == numbers, numbers)


class OnGpu:
    """Positions that say they lie on a GPU."""
    __cuda_array_interface__ = {'shape': (20, 3), 'typestr': '<f8', 'data': (1 << 20, False), 'strides': None,
                                'version': 3, 'stream': None}


def law_bad_positions_change_nothing():
    ewald = enuf.Ewald(CELL, CHARGES)
    before = ewald.forces(POSITIONS)
    bad = POSITIONS.copy()
    bad[7, 1] = np.inf
    expect_error('infinity', enuf.NotFinite, ['7'], lambda: ewald.energy(bad))
    bad[7] = bad[4]
    expect_error('two charges at one place', enuf.BadArgument, ['4', '7'], lambda: ewald.energy(bad))
    out = np.full((20, 3), 5.0)
    expect_error('with an array of results', enuf.Error, [], lambda: ewald.compute(bad, 'forces', out={'forces': out}))
    expect_true('which does not change', np.all(out == 5))
    expect_error('finish without begin', enuf.NoPointsSet, ['begin'], ewald.finish)
    expect_true('the object computes on', np.array_equal(before, ewald.forces(POSITIONS)))


def law_failed_changes_keep_charges_and_cell():
    ewald = enuf.Ewald(CELL, CHARGES)
    before = ewald.energy(POSITIONS)
    expect_error('charges with infinity', enuf.NotFinite, [], lambda: ewald.set_charges(np.full(3, np.inf)))
    expect_error('a cell with vectors in a plane', enuf.BadArgument, [],
                 lambda: ewald.set_cell([[1, 0, 0], [0, 1, 0], [1, 1, 0]]))
    expect_error('an exclusion of an atom that is not there', enuf.BadArgument, ['25'],
                 lambda: ewald.set_charges(CHARGES, exclusions=[(0, 25)]))
    expect_error('weights without pairs', enuf.BadArgument, ['exclusions'],
                 lambda: ewald.set_charges(CHARGES, exclusion_weights=[0.5]))
    expect_true('the energy is the same', ewald.energy(POSITIONS) == before)


def law_an_exception_waits_for_charges_on_a_gpu():
    """An object of the host stands in for that of the GPU. Its caller may free the charges after the exception."""
    ewald = enuf.Ewald(CELL, CHARGES)
    charges = _arrays.view(CHARGES, 'charges')._replace(device=0, stream=7)
    ewald._objects._objects[0] = ewald._objects.last
    ewald._objects._streams[0] = 7
    bad = np.where(np.arange(60).reshape(20, 3) == 30, np.nan, POSITIONS)
    with unittest.mock.patch('enuf._ewald_objects.wait_for') as wait_for:
        energy = _derivatives._on_device(ewald, charges, lambda ewald: ewald.energy(POSITIONS))
        expect_true('a result has waited', energy == ewald.energy(POSITIONS) and not wait_for.called)
        expect_error('an exception before the wait', enuf.NotFinite, ['position'],
                     lambda: _derivatives._on_device(ewald, charges, lambda ewald: ewald.energy(bad)))
        expect_true('is waited for on the stream', wait_for.call_args_list == [((7, 0),)])
        short = charges._replace(shape=(19,))
        expect_error('charges of another number', enuf.ArrayError, ['charges', '20'],
                     lambda: _derivatives._on_device(ewald, short, lambda ewald: ewald.energy(POSITIONS)))


class Tensor:
    """Charges that stand in for a tensor of PyTorch on a GPU; _version counts its changes."""
    def __init__(self, numbers):
        self.numbers, self._version = np.array(numbers), 0

    def is_inference(self):
        return False

    def view(self):
        return _arrays.view(self.numbers, 'charges')._replace(array=self, device=0, kind='torch', stream=7)


def law_charges_of_an_energy_serve_its_product():
    """They are set again if they are others, or were changed since; not if autograd has saved them."""
    ewald = enuf.Ewald(CELL, CHARGES)
    ewald._objects._objects[0] = ewald._objects.last
    ewald._objects._streams[0] = 7
    first, other = Tensor(CHARGES), Tensor(CHARGES[::-1])

    def sets(tensor, saved):
        with unittest.mock.patch('enuf._ewald_objects.lib') as lib, unittest.mock.patch('enuf._ewald_objects.check'):
            ewald._objects.take_from_device(tensor.view(), saved)
            return lib.enuf_ewald_set_charges.call_count
    expect_true('an energy sets charges', sets(first, False) == 1)
    expect_true('another energy sets the same ones: they may have been changed unseen', sets(first, False) == 1)
    expect_true('its product does not', sets(first, True) == 0 and sets(first, True) == 0)
    first._version += 1
    expect_true('after a change it does', sets(first, True) == 1)
    expect_true('others are set', sets(other, False) == 1 and sets(first, True) == 1 and sets(first, True) == 0)
    ewald.set_charges(CHARGES)
    expect_true('after charges of the host they are set', sets(first, True) == 1)


def law_wanted_names_are_checked():
    ewald = enuf.Ewald(CELL, CHARGES)
    expect_error('an unknown result', enuf.BadArgument, ['stress', 'virial'],
                 lambda: ewald.compute(POSITIONS, 'stress'))
    expect_error('nothing', enuf.BadArgument, ['wanted'], lambda: ewald.compute(POSITIONS, ()))
    expect_error('an array for what is not wanted', enuf.BadArgument, ['forces'],
                 lambda: ewald.compute(POSITIONS, 'energy', out={'forces': np.empty((20, 3))}))


def law_a_missing_library_says_what_to_do():
    environment = dict(os.environ, ENUF_LIBRARY='/nowhere/libenuf.so')
    run = subprocess.run([sys.executable, '-c', 'import enuf'], env=environment, text=True, stderr=subprocess.PIPE)
    last = run.stderr.strip().splitlines()[-1]
    expect_true(last, 'LibraryNotFound' in last and 'ENUF_LIBRARY' in last and '/nowhere' in last)


def law_small_systems_of_the_readme_work():
    positions, charges, cell = rock_salt()
    expect_true('a list of lists', enuf.ewald(positions.tolist(), charges.tolist(), cell.tolist()).energy < 0)


run_laws(globals())
