# Arrays on a GPU: every kind whose package is here, without a copy, on the caller's stream; what is elsewhere is
# refused. The CPU gives the reference. SPDX-License-Identifier: BSD-3-Clause
import gc
import importlib.util
import itertools
import os
import re
import sys

import numpy as np

import enuf
from enuf import _arrays
from derivatives import CELL, CHARGES, N, POSITIONS, directions, slope, exact_energy
from signals import Problem
from systems import write_calibration
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


def law_held_positions_take_charges_where_they_lie():
    others = np.stack([CHARGES, np.cos(np.arange(N)), np.ones(N)])
    expected = enuf.Ewald(CELL, CHARGES, accuracy=1e-10).hold(POSITIONS).apply(others)
    for name, to_gpu, back, _ in kinds():
        ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-10)
        charges = to_gpu(others)
        found = ewald.hold(to_gpu(POSITIONS)).apply(charges)
        expect_true(f'{name}: potentials are of its kind', type(found) is type(charges))
        expect(f'{name}: potentials of three sets', np.max(np.abs(back(found) - expected)), 10 * BOUND)
        expect(f'{name}: of the charges set', np.max(np.abs(back(found)[0] - REFERENCE.potential)), BOUND)
        expect_error(f'{name}: charges on the host', enuf.ArrayError, ['positions are held', 'on GPU'],
                     lambda: ewald.apply(others))


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


def law_a_calibration_file_serves_its_backend():
    file = os.path.join(os.environ['SCRATCH'], 'rates')
    for backend, other in ('cpu', 'cuda'), ('cuda', 'cpu'):
        write_calibration(file, backend)
        ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-10, calibration_file=file)
        for name, to_gpu, _, _ in kinds():
            for positions in POSITIONS, to_gpu(POSITIONS):
                expect(f'file of {backend}, {name}', abs(ewald.energy(positions) - REFERENCE.energy), N * BOUND)
        expect_error(f'{other!r} refuses it', enuf.BadFile, [file, f'of the {backend} backend', f'--backend {other}'],
                     lambda: enuf.Ewald(CELL, CHARGES, backend=other, calibration_file=file))


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


def law_runs_are_those_of_the_cpu():
    random = np.random.default_rng(4)
    lengths = np.array([120, 0, 80])
    start, step = random.uniform(-3, 3, (3, 2)), random.uniform(-0.1, 0.1, (3, 2))
    strengths = random.normal(size=200) + 1j * random.normal(size=200)
    modes = enuf.Plan((20, 18), 1e-10).set_runs(lengths, start, step).type1(strengths)
    for name, to_gpu, back, _ in kinds():
        plan = enuf.Plan((20, 18), 1e-10).set_runs(to_gpu(lengths), to_gpu(start), to_gpu(step))
        found = back(plan.type1(to_gpu(strengths)))
        expect(f'{name}: type 1', np.max(np.abs(found - modes)) / np.max(np.abs(modes)), 1e-9)
        plan.check()


def law_stages_are_those_of_the_cpu():
    random = np.random.default_rng(3)
    x, y = random.uniform(-9, 9, (2, 200))
    strengths = random.normal(size=200) + 1j * random.normal(size=200)
    method = {'tolerance': 0, 'width': 7, 'fine_grid': (40, 36)}
    cpu = enuf.Plan((20, 18), **method).set_points(x, y)
    cells = cpu.spread(strengths)
    values = cpu.interpolate(cells)
    for name, to_gpu, back, _ in kinds():
        plan = enuf.Plan((20, 18), **method).set_points(to_gpu(x), to_gpu(y))
        spread = plan.spread(to_gpu(strengths))
        expect_true(f'{name}: cells are of its kind', type(spread) is type(to_gpu(x)))
        expect(f'{name}: cells', np.max(np.abs(back(spread) - cells)) / np.max(np.abs(cells)), 1e-12)
        found = back(plan.interpolate(to_gpu(cells)))
        expect(f'{name}: values', np.max(np.abs(found - values)) / np.max(np.abs(values)), 1e-12)
        plan.check()


def law_signals_are_those_of_the_cpu():
    bounds = {'complex128': 1e-9, 'complex64': 1e-5}  # of tolerances 1e-10, 3e-6
    for shape, dtype in itertools.product(((12, 9), (7, 6, 5)), bounds):
        problem = Problem(shape, batch=2)
        weights = np.linspace(0.5, 1, len(problem.k)).astype('f8' if dtype == 'complex128' else 'f4')

        def results(to, sums, encoding):
            k, times, omega, decay, gradient = map(to, (problem.k, problem.times, problem.omega, problem.decay,
                                                        problem.gradient))
            image, data = to(problem.image.astype(dtype)), to(problem.data.astype(dtype))
            sums.set_samples(k, times=times).set_pixel_grid(shape)
            encoding.set_samples(k, times=times)
            for operator in sums, encoding:
                operator.set_field(omega, decay=decay, gradient=gradient, voxel=problem.voxel)
            found = [*sums.forward(image, gradients=True), sums.adjoint(data), encoding.forward(image),
                     encoding.adjoint(data), encoding.normal(image, weights=to(weights)),
                     encoding.solve(data, weights=to(weights), iterations=5, tolerance=0).image]
            sums.set_pixels(to(problem.r))
            found.append(sums.forward(image.reshape(2, -1)))
            sums.check()
            encoding.check()
            return found

        def operators():
            return (enuf.Direct(len(shape), dtype=dtype, batch=2),
                    enuf.Encoding(shape, 1e-10 if dtype == 'complex128' else 3e-6, dtype=dtype, batch=2))
        right, served = results(np.asarray, *operators()), operators()
        names = ('direct forward', 'gradients', 'direct adjoint', 'forward', 'adjoint', 'normal', 'solution', 'pixels')
        for name, to_gpu, back, _ in kinds():
            found, like = results(to_gpu, *served), to_gpu(problem.omega)
            for what, a, b in zip(names, found, right):
                expect_true(f'{name}: {what} is of its kind and on its device', type(a) is type(like) and
                            _arrays.view(a, 'a').device == _arrays.view(like, 'b').device)
                expect(f'{name}, {dtype}, {len(shape)}D: {what}', np.linalg.norm(back(a) - b) / np.linalg.norm(b),
                       10 * bounds[dtype] if what == 'solution' else bounds[dtype])


def law_a_method_is_found_for_arrays_of_a_gpu():
    shape = (24, 20)
    random = np.random.default_rng(8)
    points = random.uniform(-np.pi, np.pi, (900, 2))
    strengths = random.normal(size=900) + 1j * random.normal(size=900)
    exact = enuf.direct_type1(points, strengths, shape)
    for name, to_gpu, back, _ in kinds():
        found = enuf.tune_plan(shape, 1e-8, to_gpu(points), gram=2, trials=1)
        levels = {candidate.level for candidate in found.candidates}
        expect_true(f'{name}: levels of a GPU', levels == {'sorted', 'weights', 'matrix', 'gram'}, levels)
        plan = enuf.Plan(shape, 1e-8, **found.method).set_points(to_gpu(points))
        modes = back(plan.type1(to_gpu(strengths)))
        expect(f'{name}: against sums', np.linalg.norm(modes - exact) / np.linalg.norm(exact), 4e-8, '(4 tolerances)')
        kept = enuf.tune_plan(shape, 1e-8, to_gpu(points), level='sorted', trials=1, spreading='tiles').method
        plan = enuf.Plan(shape, 1e-8, **kept).set_points(to_gpu(points))
        modes = back(plan.type1(to_gpu(strengths)))
        expect(f'{name}: with a way that stays', np.linalg.norm(modes - exact) / np.linalg.norm(exact), 4e-8)
        expect_error(f'{name}: another backend', enuf.BadMemory, ['host'], lambda: enuf.tune_plan(
            shape, 1e-8, to_gpu(points), backend='cpu'))
    host = enuf.tune_plan(shape, 1e-8, points, backend='cuda', effort='estimate')
    expect_true('arrays of the host on a GPU', 'none' not in {candidate.level for candidate in host.candidates})


def law_gram_operators_are_those_of_the_cpu():
    random = np.random.default_rng(4)
    shape, n = (12, 10, 9), 300
    points, weights = random.uniform(-4, 4, (n, 3)), random.normal(size=n)
    modes = random.normal(size=(2, *shape)) + 1j * random.normal(size=(2, *shape))
    right = enuf.Gram(shape, 1e-10, batch=2).set_points(points, weights=weights)(modes)
    for name, to_gpu, back, _ in kinds():
        gram = enuf.Gram(shape, 1e-10, batch=2).set_points(to_gpu(points), weights=to_gpu(weights))
        found = gram(to_gpu(modes))
        expect_true(f'{name}: of its kind', type(found) is type(to_gpu(modes)))
        expect(f'{name}: Gram', np.linalg.norm(back(found) - right) / np.linalg.norm(right), 4e-10)
        expect_true(f'{name}: on the GPU', gram.report().backend == 'cuda')
        expect_error(f'{name}: modes elsewhere', enuf.ArrayError, ['GPU', 'host'], lambda: gram(modes))
        bad = modes.copy()
        bad[0, 1, 1, 1] = np.nan

        def apply_and_check():
            gram(to_gpu(bad))
            gram.check()
        expect_error(f'{name}: modes that are not finite', enuf.NotFinite, ['a result is NaN'], apply_and_check)


def law_signals_refuse_arrays_from_elsewhere():
    problem = Problem((12, 9))
    bad = problem.k.copy()
    bad[7, 1] = np.nan
    for name, to_gpu, back, _ in kinds():
        k, times, image = map(to_gpu, (problem.k, problem.times, problem.image))
        sums = enuf.Direct(2).set_pixel_grid((12, 9)).set_samples(k, times=times)
        encoding = enuf.Encoding((12, 9)).set_samples(k, times=times).set_field()
        for operator in sums, encoding:
            expect_error(f'{name}: an image on the host', enuf.ArrayError, ['image', 'host', 'GPU'],
                         lambda: operator.forward(problem.image))
            expect_error(f'{name}: a map on the host', enuf.ArrayError, ['omega', 'host', 'GPU'],
                         lambda: operator.set_field(problem.omega))
            expect_error(f'{name}: times on the host', enuf.ArrayError, ['times', 'host', 'GPU'],
                         lambda: operator.set_samples(k, times=problem.times))
            expect_error(f'{name}: a result on the host', enuf.ArrayError, ['out', 'host', 'GPU'],
                         lambda: operator.forward(image, np.empty(len(problem.k), complex)))
        expect_error(f'{name}: pixels on the host', enuf.ArrayError, ['x', 'host', 'GPU'],
                     lambda: sums.set_pixels(problem.r))
        expect_error(f'{name}: samples on a GPU for the CPU', enuf.BadMemory, ['samples', 'backend'],
                     lambda: enuf.Direct(2, backend='cpu').set_samples(k))

        def report_bad(operator):
            operator.set_samples(to_gpu(bad))
            operator.check()
        for operator in sums, encoding:
            expect_error(f'{name}: NaN', enuf.NotFinite, [], lambda: report_bad(operator))
        sums.set_samples(problem.k)
        expect(f'{name}: back on the host, on the same grid', np.linalg.norm(sums.forward(
            problem.image) - problem.matrix() @ problem.image.ravel()), 1e-9)


def law_bad_points_are_reported():
    bad = POSITIONS.copy()
    bad[3, 1] = np.nan
    for name, to_gpu, _, _ in kinds():
        expect_error(f'{name}: NaN', enuf.NotFinite, [], lambda: enuf.Ewald(CELL, CHARGES).energy(to_gpu(bad)))
        expect_error(f'{name}: float16', enuf.ArrayError, ['float16', 'GPU'],
                     lambda: enuf.Ewald(CELL, CHARGES).energy(to_gpu(POSITIONS.astype('f2'))))
        expect_error(f'{name}: forces on the host', enuf.ArrayError, ['host', 'GPU'], lambda: enuf.Ewald(
            CELL, CHARGES).compute(to_gpu(POSITIONS), 'forces', out={'forces': np.empty((N, 3))}))


def law_second_derivatives_stay_on_the_gpu():
    direction = directions()
    wanted = ('energy', 'forces', 'potential', 'virial', 'cell')
    on_host = enuf.Ewald(CELL, CHARGES, accuracy=1e-10).differentiate(POSITIONS, *direction, wanted)
    ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-10)
    for name, to_gpu, back, _ in kinds():
        x, u, w = map(to_gpu, (POSITIONS, direction[0], direction[1]))
        slopes = ewald.differentiate(x, u, w, direction[2], wanted)
        expect_true(f'{name}: slopes are of its kind', type(slopes.forces) is type(x))
        expect_true(f'{name}: on its device', _arrays.view(slopes.forces, 'f').device == _arrays.view(x, 'x').device)
        for result in 'forces', 'potential':
            a, b = back(getattr(slopes, result)), getattr(on_host, result)
            expect(f'{name}: slopes of {result}', np.linalg.norm(a - b) / np.linalg.norm(b), 1e-8)
        for result in 'energy', 'virial', 'cell':
            a, b = getattr(slopes, result), getattr(on_host, result)
            expect(f'{name}: slope of {result}', np.linalg.norm(a - b) / np.linalg.norm(b), 1e-7)
        expect_error(f'{name}: displacements on the host', enuf.ArrayError, ['displacements', 'GPU', 'host'],
                     lambda: ewald.differentiate(x, direction[0]))


def law_a_loss_of_forces_of_pytorch():
    if not importlib.util.find_spec('torch'):
        print('left out: PyTorch is not here')
        return
    import torch
    import enuf.torch

    def loss(device, on_host=False):
        tensors = [torch.tensor(a, device=device, requires_grad=True) for a in (POSITIONS, CHARGES, CELL)]
        energy = enuf.torch.energy(*tensors, accuracy=1e-10, on_host=on_host)
        expect_true(f'the energy of tensors on {device}, on_host {on_host}',
                    energy.is_cpu == (on_host or device == 'cpu'))
        slopes = torch.autograd.grad(energy, tensors, create_graph=True)
        (sum((slope * slope).sum() for slope in slopes) + energy**2).backward()
        return [tensor.grad for tensor in tensors]
    right = loss('cpu')
    for on_host in False, True:
        for name, a, b in zip(('positions', 'charges', 'cell'), loss('cuda', on_host), right):
            expect_true(f'a loss of forces: the gradient by {name} is on the GPU', a.is_cuda)
            expect(f'a loss of forces: gradient by {name}', ((a.cpu() - b).norm() / b.norm()).item(), 1e-7)


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
    on_host = torch.tensor(POSITIONS, requires_grad=True)
    q = torch.tensor(CHARGES, device='cuda', requires_grad=True)
    for factor in 1, 2:
        energy = enuf.torch.energy(on_host, factor * q, torch.tensor(CELL), accuracy=1e-11)
        expect(f'positions on the host, {factor} q on the GPU', abs(energy.item() - factor**2 * REFERENCE.energy),
               N * BOUND)
    of_positions, of_charges = torch.autograd.grad(energy, (on_host, q))
    expect_true('gradients are where the inputs are', not of_positions.is_cuda and of_charges.is_cuda)


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


# ---- enuf.jax ----

EXCLUDED = [[0, 1], [2, 3]]


def with_jax(law):
    """A law about JAX, left out where its arrays are not on a GPU."""
    def run():
        if not importlib.util.find_spec('jax'):
            return print('left out: JAX is not here')
        import jax
        import enuf.jax
        jax.config.update('jax_enable_x64', True)
        if not any(device.platform == 'gpu' for device in jax.devices()):
            return print('left out: JAX has no GPU')
        if 'CUDA' not in enuf._jax_native._served():
            return print('left out: this library has no handlers for this jaxlib and CUDA')
        return law(jax)
    return run


def jax_functions(jax, **options):
    """Functions of positions, charges and cell by name: a number each."""
    wanted = directions(7)

    def energy(x, q, h):
        return enuf.jax.energy(x, q, h, accuracy=1e-11, **options)

    def potentials(x, q, h):
        return jax.numpy.sum(wanted[1].astype(q.dtype) * enuf.jax.potential(x, q, h, accuracy=1e-11, **options))

    def loss(x, q, h):
        slopes = jax.grad(energy, argnums=(0, 1, 2))(x, q, h)
        return sum(jax.numpy.sum((slope * factor.astype(slope.dtype))**2)
                   for slope, factor in zip(slopes, wanted))
    return {'energy': energy, 'potentials': potentials, 'a loss of forces, potentials and stress': loss}


def on_both(jax, *arrays):
    """Arrays on the GPU, and on the CPU."""
    return [[jax.device_put(array, jax.devices(platform)[0]) for array in arrays] for platform in ('gpu', 'cpu')]


def difference(jax, a, b):
    """The largest difference of two results as a fraction of the largest number."""
    return max(float(np.max(np.abs(np.asarray(x) - np.asarray(y))) / np.max(np.abs(np.asarray(y))))
               for x, y in zip(jax.tree_util.tree_leaves(a), jax.tree_util.tree_leaves(b)))


@with_jax
def law_jax_values_and_gradients_are_those_of_the_cpu(jax):
    for options in {}, {'exclusions': EXCLUDED}, {'surroundings': 1.0}:
        for name, function in jax_functions(jax, **options).items():
            both = jax.jit(jax.value_and_grad(function, argnums=(0, 1, 2)))
            found, right = (both(*arrays) for arrays in on_both(jax, POSITIONS, CHARGES, CELL))
            expect_true(f'{name} {options}: on the GPU', all(
                device.platform == 'gpu' for leaf in jax.tree_util.tree_leaves(found) for device in leaf.devices()))
            expect(f'{name} {options}: value', difference(jax, found[0], right[0]), 1e-9)
            for k, what in enumerate(('positions', 'charges', 'cell')):
                expect(f'{name} {options}: by {what}', difference(jax, found[1][k], right[1][k]), 1e-8)


@with_jax
def law_jax_gradients_are_those_of_exact_sums(jax):
    energy = jax_functions(jax)['energy']
    gradients = jax.grad(energy, argnums=(0, 1, 2))(*on_both(jax, POSITIONS, CHARGES, CELL)[0])
    for k, (gradient, direction) in enumerate(zip(gradients, directions())):
        expect(f'gradient {k}', abs(np.sum(np.asarray(gradient) * direction) - slope(exact_energy, k, direction)), 1e-7)


def called_by(program):
    """The functions that a program, in XLA's or in StableHLO's words, calls from outside."""
    return ' '.join(re.findall(r'custom_call_target="[^"]*"|custom_call @[^(]*', program))


@with_jax
def law_jax_programs_have_no_callback(jax):
    arrays = on_both(jax, POSITIONS, CHARGES, CELL)[0]
    for name, function in jax_functions(jax, exclusions=EXCLUDED).items():
        lowered = jax.jit(jax.grad(function, argnums=(0, 1, 2))).lower(*arrays)
        for what, text in ('lowered', lowered.as_text()), ('compiled', lowered.compile().as_text()):
            called = called_by(text)
            expect_true(f'{name}, {what}: a call of the library', 'enuf_' in called, called)
            expect_true(f'{name}, {what}: no callback', 'callback' not in called, called)
    chosen = jax.jit(jax_functions(jax, backend='cpu')['energy'])
    expect_true("backend='cpu' has one", 'callback' in called_by(chosen.lower(*arrays).as_text()))


@with_jax
def law_jax_charges_and_cells_change_from_call_to_call(jax):
    for options in {}, {'exclusions': EXCLUDED}:
        gradient = jax.jit(jax.value_and_grad(jax_functions(jax, **options)['energy'], argnums=(0, 1, 2)))
        for turn, (charge, length) in enumerate(((1, 1), (1, 1), (2, 1), (2, 1), (2, 1.1), (1, 1.1), (1, 1), (-1, 1))):
            found, right = (gradient(*arrays) for arrays in on_both(
                jax, length * POSITIONS, charge * CHARGES, length * CELL))
            expect(f'{options} turn {turn}', difference(jax, found, right), 1e-8)
        shuffled = [array[::-1].copy() for array in (POSITIONS, CHARGES)]
        found, right = (gradient(*arrays) for arrays in on_both(jax, *shuffled, CELL))
        expect(f'{options} ions in another order', difference(jax, found, right), 1e-8)


@with_jax
def law_jax_jit_vmap_and_the_hessian(jax):
    energy = jax_functions(jax)['energy']
    x, q, h = on_both(jax, POSITIONS, CHARGES, CELL)[0]
    forces, compiled = (function(x, q, h) for function in (jax.grad(energy), jax.jit(jax.grad(energy))))
    expect('jit', difference(jax, compiled, forces), 1e-11)
    scales = jax.numpy.array([1.0, 1.1, 1.2])
    alone = energy(x, q, h)
    slopes = jax.jit(jax.vmap(jax.value_and_grad(lambda s: energy(s * x, q, s * h))))(scales)
    expect('vmap: energies go as 1/length', float(abs(slopes[0] * scales - alone).max()), 1e-8)
    expect('their derivatives as -1/length^2', float(abs(slopes[1] * scales**2 + alone).max()), 1e-7)
    hessian = jax.jacrev(jax.grad(energy))(x, q, h).reshape(3 * N, -1)
    expect('the Hessian is symmetric', float(abs(hessian - hessian.T).max() / abs(hessian).max()), 1e-8)


@with_jax
def law_jax_keeps_single_precision(jax):
    for name, function in jax_functions(jax).items():
        both = jax.jit(jax.value_and_grad(function, argnums=(0, 1, 2)))
        single = [array.astype(np.float32) for array in (POSITIONS, CHARGES, CELL)]
        found = both(*on_both(jax, *single)[0])
        right = both(*on_both(jax, *(array.astype(np.float64) for array in single))[1])
        expect_true(f'{name}: float32', all(leaf.dtype == np.float32 for leaf in jax.tree_util.tree_leaves(found)))
        expect(f'{name}: numbers of float32', difference(jax, found, right), 1e-5)


@with_jax
def law_jax_errors_are_those_of_the_library(jax):
    energy = jax.jit(jax_functions(jax)['energy'])
    right = float(energy(POSITIONS, CHARGES, CELL))
    bad_positions, bad_charges = POSITIONS.copy(), CHARGES.copy()
    bad_positions[3, 1] = bad_charges[5] = np.nan
    for turn in range(2):
        expect_error('a position', Exception, ['atom 3', 'finite'],
                     lambda: energy(bad_positions, CHARGES, CELL).block_until_ready())
        expect_error('a charge', Exception, ['charge', '5', 'finite'],
                     lambda: energy(POSITIONS, bad_charges, CELL).block_until_ready())
        expect_error('a flat cell', Exception, ['cell'],
                     lambda: energy(POSITIONS, CHARGES, 0 * CELL).block_until_ready())
        expect(f'after errors {turn}', abs(float(energy(POSITIONS, CHARGES, CELL)) - right), 1e-9)


run_laws(globals())
