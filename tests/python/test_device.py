# Arrays on a GPU: every kind whose package is here, without a copy, on the caller's stream; what is elsewhere is
# refused. The CPU gives the reference. SPDX-License-Identifier: BSD-3-Clause
import gc
import importlib.util
import os
import sys

import numpy as np

import enuf
from enuf import _arrays
from derivatives import CELL, CHARGES, N, POSITIONS, directions, slope, exact_energy
from expect import expect, expect_error, expect_true, run_laws

if not enuf.usable('cuda')[0]:
    print('skipped:', enuf.usable('cuda')[1])
    sys.exit(77)

BOUND = 1e-9  # accuracy 1e-10 asked of both backends
REFERENCE = enuf.Ewald(CELL, CHARGES, accuracy=1e-10).compute(POSITIONS, ('energy', 'forces', 'potential', 'virial'))


def kinds():
    """(name, array of NumPy -> array on the GPU, back, address)."""
    made = []
    if importlib.util.find_spec('torch'):
        import torch
        if torch.cuda.is_available():
            made.append(('PyTorch', lambda a: torch.as_tensor(a, device='cuda'), lambda a: a.cpu().numpy(),
                         lambda a: a.data_ptr()))
    if importlib.util.find_spec('cupy'):
        import cupy
        made.append(('CuPy', cupy.asarray, cupy.asnumpy, lambda a: a.data.ptr))
    if importlib.util.find_spec('jax'):
        import jax
        jax.config.update('jax_enable_x64', True)
        if any(device.platform == 'gpu' for device in jax.devices()):
            made.append(('JAX', jax.numpy.asarray, np.asarray, lambda a: a.unsafe_buffer_pointer()))
    expect_true(f'kinds here: {", ".join(kind[0] for kind in made) or "none"}', bool(made))
    return made


def law_every_kind_is_computed_where_it_lies():
    for name, to_gpu, back, address in kinds():
        array = to_gpu(POSITIONS)
        found = _arrays.view(array, 'x')
        expect_true(f'{name}: no copy', found.pointer == address(array) and found.device is not None)
        result = enuf.Ewald(CELL, CHARGES, accuracy=1e-10).compute(array, ('energy', 'forces', 'potential', 'virial'))
        expect_true(f'{name}: results are of its kind', type(result.forces) is type(array))
        expect_true(f'{name}: on its device', _arrays.view(result.forces, 'f').device == found.device)
        expect(f'{name}: energy', abs(result.energy - REFERENCE.energy), N * BOUND)
        expect(f'{name}: forces', np.max(np.abs(back(result.forces) - REFERENCE.forces)), BOUND)
        expect(f'{name}: potential', np.max(np.abs(back(result.potential) - REFERENCE.potential)), BOUND)
        expect(f'{name}: virial', np.max(np.abs(result.virial - REFERENCE.virial)), N * BOUND)


def law_float32_stays_float32_where_it_lies():
    single = POSITIONS.astype('f4')
    for name, to_gpu, back, _ in kinds():
        ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-10)
        right = ewald.compute(to_gpu(single.astype('f8')), ('energy', 'forces', 'virial'))
        for turn in range(3):
            result = ewald.compute(to_gpu(single), ('energy', 'forces', 'virial'))
            forces, true = back(result.forces), back(right.forces)
            expect_true(f'{name}: of its kind, in float32', type(result.forces) is type(right.forces) and
                        forces.dtype == np.float32)
            expect(f'{name}: forces, of the largest', np.max(np.abs(forces - true)) / np.max(np.abs(true)), 2e-7,
                   '(rounding to float)')
            expect(f'{name}: energy', abs(result.energy - right.energy), N * BOUND)
            expect(f'{name}: virial', np.max(np.abs(result.virial - right.virial)), N * BOUND)


def law_an_object_serves_host_and_gpu():
    ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-10)
    for name, to_gpu, back, _ in kinds():
        for positions in POSITIONS, to_gpu(POSITIONS), POSITIONS:
            expect(f'{name} and NumPy in turn', abs(ewald.energy(positions) - REFERENCE.energy), N * BOUND)
        ewald.begin(to_gpu(POSITIONS), ('forces',))
        expect(f'{name}: begin and finish', np.max(np.abs(back(ewald.finish().forces) - REFERENCE.forces)), BOUND)
    host = enuf.Ewald(CELL, CHARGES, accuracy=1e-10, backend='cuda')
    expect('arrays of the host on the GPU', np.max(np.abs(host.forces(POSITIONS) - REFERENCE.forces)), BOUND)


def law_the_callers_stream_orders_the_work():
    """Positions are written late, on a stream of the caller's; a call on another stream waits for them."""
    if not importlib.util.find_spec('torch'):
        print('left out: PyTorch is not here')
        return
    import torch
    true = torch.as_tensor(POSITIONS, device='cuda')
    busy = torch.ones((4096, 4096), device='cuda')
    ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-10)
    for turn in range(3):  # the object's stream is that of the first turn
        stream = torch.cuda.Stream()
        late = torch.zeros_like(true)
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            for _ in range(20):
                busy = busy @ busy * 1e-4
            late.copy_(true)
            energy = ewald.energy(late)
        expect(f'stream {turn}', abs(energy - REFERENCE.energy), N * BOUND)


def law_transforms_and_batches_are_those_of_the_cpu():
    random = np.random.default_rng(1)
    x, y = random.uniform(-4, 4, (2, 200))
    strengths = random.normal(size=200) + 1j * random.normal(size=200)
    modes = enuf.nufft2d1(x, y, strengths, (20, 18), tolerance=1e-10)
    values = enuf.nufft2d2(x, y, modes, tolerance=1e-10)
    for name, to_gpu, back, _ in kinds():
        a, b = to_gpu(x), to_gpu(y)
        found = enuf.nufft2d1(a, b, to_gpu(strengths), (20, 18), tolerance=1e-10)
        expect(f'{name}: type 1', np.max(np.abs(back(found) - modes)) / np.max(np.abs(modes)), 1e-9)
        expect(f'{name}: type 2', np.max(np.abs(back(enuf.nufft2d2(a, b, found, tolerance=1e-10)) - values)) /
               np.max(np.abs(values)), 1e-9)
        plan = enuf.Plan((20, 18), 1e-10).set_points(a, b)
        expect_error(f'{name}: data on the host', enuf.ArrayError, ['GPU', 'host'], lambda: plan.type1(strengths))
        batch = enuf.EwaldBatch().set_systems([0, N], CELL[None])
        result = batch.compute(to_gpu(POSITIONS), to_gpu(CHARGES))
        batch.check()
        expect(f'{name}: forces of a batch', np.max(np.abs(back(result['forces']) - REFERENCE.forces)), BOUND)


def law_bad_points_are_reported():
    bad = POSITIONS.copy()
    bad[3, 1] = np.nan
    for name, to_gpu, _, _ in kinds():
        expect_error(f'{name}: NaN', enuf.NotFinite, [], lambda: enuf.Ewald(CELL, CHARGES).energy(to_gpu(bad)))
        expect_error(f'{name}: float16', enuf.ArrayError, ['float16', 'GPU'],
                     lambda: enuf.Ewald(CELL, CHARGES).energy(to_gpu(POSITIONS.astype('f2'))))
        expect_error(f'{name}: forces on the host', enuf.ArrayError, ['host', 'GPU'], lambda: enuf.Ewald(
            CELL, CHARGES).compute(to_gpu(POSITIONS), 'forces', out={'forces': np.empty((N, 3))}))


def law_gradients_of_pytorch():
    if not importlib.util.find_spec('torch'):
        print('left out: PyTorch is not here')
        return
    import torch
    import enuf.torch
    tensors = [torch.tensor(a, device='cuda', requires_grad=True) for a in (POSITIONS, CHARGES, CELL)]
    enuf.torch.energy(*tensors, accuracy=1e-11).backward()
    for k, (tensor, direction) in enumerate(zip(tensors, directions())):
        expect_true(f'gradient {k} is on the GPU', tensor.grad.is_cuda)
        found = np.sum(tensor.grad.cpu().numpy() * direction)
        expect(f'gradient {k}', abs(found - slope(exact_energy, k, direction)), 1e-7)
    weights = torch.tensor(directions(5)[1], device='cuda')
    x, q, h = [t.detach().clone().requires_grad_(True) for t in tensors]
    (weights * enuf.torch.potential(x, q, h, accuracy=1e-11)).sum().backward()
    expect_true('gradients of potentials', bool(torch.isfinite(x.grad).all() and torch.isfinite(h.grad).all()))
    x, q = [t.detach().clone().requires_grad_(True) for t in tensors[:2]]
    enuf.torch.energies(x, q, tensors[2].detach()[None], torch.tensor([0, N])).sum().backward()
    expect('a batch has the gradient of its system', (x.grad - tensors[0].grad).abs().max().item(), 1e-7)


def law_a_fork_of_a_process_with_a_gpu_raises():
    ewald = enuf.Ewald(CELL, CHARGES, backend='cuda')
    ewald.energy(POSITIONS)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        texts = []
        for call in lambda: ewald.energy(POSITIONS), lambda: enuf.Ewald(CELL, CHARGES, backend='cuda'):
            try:
                call()
                texts.append('computed')
            except enuf.ForkError as error:
                texts.append(str(error))
        os.write(writing, '\n'.join(texts).encode())
        os._exit(0)
    os.waitpid(child, 0)
    texts = os.read(reading, 4096).decode().split('\n')
    expect_true('an object of the parent', 'GPU' in texts[0], texts)
    expect_true('a new one', 'GPU' in texts[1], texts)


def law_objects_free_the_memory_of_the_gpu():
    if not importlib.util.find_spec('torch'):
        print('left out: PyTorch, which tells the memory, is not here')
        return
    import torch
    positions = torch.as_tensor(POSITIONS, device='cuda')

    def use(times):
        for _ in range(times):
            enuf.Ewald(CELL, CHARGES, accuracy=1e-2, evaluations=1).energy(positions)
            enuf.Plan((8, 8), 1e-2).set_points(positions[:, 0].contiguous(), positions[:, 1].contiguous())
        gc.collect()
        torch.cuda.synchronize()
        return torch.cuda.mem_get_info()[0]
    before = use(20)
    expect('megabytes less after 200 objects', (before - use(200)) / 1e6, 8.0)


run_laws(globals())
