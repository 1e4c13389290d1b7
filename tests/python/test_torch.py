# enuf.torch: values and gradients against exact sums and differences, compiled or not; torch-pme's interface.
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import sys

import numpy as np

if not importlib.util.find_spec('torch'):
    print('skipped: PyTorch is not installed here')
    sys.exit(77)
import torch
from torch import library
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import enuf
import enuf.torch
from derivatives import (ACCURACY, CELL, CHARGES, N, NAMES, POSITIONS, STEP, SYSTEMS, directions, exact_energy, slope,
                         system_of)
from systems import ROCK_SALT, rock_salt
from expect import expect, expect_error, expect_true, run_laws

WHY = f'(a difference with step {STEP})'


def tensors(dtype=torch.float64):
    return [torch.tensor(a, dtype=dtype, requires_grad=True) for a in (POSITIONS, CHARGES, CELL)]


def law_gradients_of_the_energy_are_those_of_exact_sums():
    x, q, h = tensors()
    energy = enuf.torch.energy(x, q, h, accuracy=ACCURACY)
    expect('energy', abs(energy.item() - exact_energy(POSITIONS, CHARGES, CELL)), 1e-9)
    energy.backward()
    for name, k, tensor, direction in zip(NAMES, range(3), (x, q, h), directions()):
        expect(f'with respect to {name}',
               abs(np.sum(tensor.grad.numpy() * direction) - slope(exact_energy, k, direction)), 1e-7, WHY)


def law_an_energy_on_the_host_is_the_same():
    def numbers(on_host, call):
        found = tensors()
        value = call(*found, accuracy=ACCURACY, on_host=on_host)
        slopes = torch.autograd.grad(value, found, create_graph=True)
        return value, *torch.autograd.grad(sum(slope.square().sum() for slope in slopes) + value**2, found)
    right = numbers(False, enuf.torch.energy)
    for name, call in ('eager', enuf.torch.energy), ('as an operator', torch.compile(enuf.torch.energy, backend='eager')):
        for a, b in zip(numbers(True, call), right):
            expect(f'{name}: shape {tuple(a.shape)}', ((a - b).norm() / b.norm()).item(), 1e-12)


def law_gradients_of_any_function_of_potentials():
    weights = directions(5)[1]

    def exact(x, q, h):
        return np.sum(weights * enuf.exact_ewald(x, q, h).potential)
    x, q, h = tensors()
    (torch.tensor(weights) * enuf.torch.potential(x, q, h, accuracy=ACCURACY)).sum().backward()
    for name, k, tensor, direction in zip(NAMES, range(3), (x, q, h), directions()):
        expect(f'with respect to {name}', abs(np.sum(tensor.grad.numpy() * direction) - slope(exact, k, direction)),
               1e-6, WHY)
    x, q, h = tensors()
    (0.5 * q * enuf.torch.potential(x, q, h, accuracy=ACCURACY)).sum().backward()
    y, p, g = tensors()
    enuf.torch.energy(y, p, g, accuracy=ACCURACY).backward()
    for name, a, b in ('positions', x, y), ('charges', q, p), ('cell', h, g):
        expect(f'1/2 sum q phi is the energy: {name}', (a.grad - b.grad).abs().max().item(), 1e-9)


def law_forces_through_charges_of_positions():
    """Charges that a model gives for positions: the chain rule has both parts."""
    def model(x):
        q = torch.sin(x.sum(dim=1)) + 0.1 * x[:, 0]
        return q - q.mean()

    def exact(x, *_):
        return exact_energy(x, model(torch.tensor(x)).numpy(), CELL)
    x = torch.tensor(POSITIONS, requires_grad=True)
    enuf.torch.energy(x, model(x), torch.tensor(CELL), accuracy=ACCURACY).backward()
    direction = directions()[0]
    expect('forces', abs(np.sum(x.grad.numpy() * direction) - slope(exact, 0, direction)), 1e-7, WHY)


def law_gradcheck_agrees():
    inputs = tensors()
    expect_true('energy', torch.autograd.gradcheck(
        lambda x, q, h: enuf.torch.energy(x, q - q.mean(), h, accuracy=ACCURACY), inputs, eps=1e-4, atol=1e-5))
    expect_true('opcheck', bool(library.opcheck(
        torch.ops.enuf.energy.default, (*[t.detach() for t in inputs], 'accuracy=1e-09', 7),
        test_utils=('test_schema', 'test_faketensor'))))


def law_gradgradcheck_agrees():
    for name in SYSTEMS:
        *arrays, options = system_of(name)
        mean = arrays[1].mean()
        tensors_of = [torch.tensor(array, requires_grad=True) for array in arrays]
        in_plane = torch.tensor([[1., 1, 0], [1, 1, 0], [0, 0, 1]]) if 'slab' in options else torch.ones(3, 3)

        def energy(x, q, h):
            return enuf.torch.energy(x, q - q.mean() + mean, h * in_plane, accuracy=1e-10, **options)
        bounds = {'eps': 1e-4, 'atol': 1e-4, 'rtol': 1e-4, 'nondet_tol': 1e-8}
        expect_true(f'{name}: gradcheck', torch.autograd.gradcheck(energy, tensors_of, **bounds))
        expect_true(f'{name}: gradgradcheck', torch.autograd.gradgradcheck(energy, tensors_of, **bounds))
    potential = [torch.tensor(array, requires_grad=True) for array in (POSITIONS, CHARGES, CELL)]
    expect_true('potentials: gradcheck', torch.autograd.gradcheck(
        lambda x, q, h: enuf.torch.potential(x, q - q.mean(), h, accuracy=1e-10)[:3], potential, **bounds))


def law_a_loss_of_forces_and_stress_has_exact_gradients():
    wanted = [torch.tensor(direction) for direction in directions(7)]

    def loss(x, q, h):
        energy = enuf.torch.energy(x, q - q.mean(), h, accuracy=ACCURACY)
        slopes = torch.autograd.grad(energy, (x, q, h), create_graph=True)
        return sum((slope * factor).square().sum() for slope, factor in zip(slopes, wanted)) + energy**2

    def value(*arrays):
        return loss(*[torch.tensor(array, requires_grad=True) for array in arrays]).item()
    inputs = tensors()
    loss(*inputs).backward()
    for name, k, tensor, direction in zip(NAMES, range(3), inputs, directions()):
        found, expected = np.sum(tensor.grad.numpy() * direction), slope(value, k, direction)
        expect(f'with respect to {name}', abs(found / expected - 1), 1e-6, WHY)


def law_transforms_of_functions_are_those_of_autograd():
    """torch.func and forward mode: in positions, charges and cell."""
    fixed = [t.detach() for t in tensors()]
    along = [torch.tensor(d) for d in directions(3)]

    def energy(x, q, h):
        return enuf.torch.energy(x, q, h, accuracy=ACCURACY)

    def potential(x, q, h):
        return enuf.torch.potential(x, q, h, accuracy=ACCURACY)
    x, q, h = tensors()
    slopes = torch.autograd.grad(energy(x, q, h), (x, q, h), create_graph=True)
    expected = sum((s * d).sum() for s, d in zip(slopes, along))
    products = torch.autograd.grad(expected, (x, q, h))
    for name, k in zip(NAMES, range(3)):
        found = torch.func.grad(energy, argnums=k)(*fixed)
        expect(f'grad with respect to {name}', (found - slopes[k]).abs().max().item(), 1e-12)
    value, tangent = torch.func.jvp(energy, tuple(fixed), tuple(along))
    expect('jvp', abs(tangent.item() - expected.item()), 1e-9)
    with torch.autograd.forward_ad.dual_level():
        dual = energy(*(torch.autograd.forward_ad.make_dual(t, d) for t, d in zip(fixed, along)))
        expect('forward mode', abs(torch.autograd.forward_ad.unpack_dual(dual).tangent.item() - expected.item()), 1e-9)
    for k, name in enumerate(NAMES):
        _, found = torch.func.jvp(torch.func.grad(energy, argnums=k), tuple(fixed), tuple(along))
        expect(f'jvp of grad with respect to {name}', (found - products[k]).abs().max().item(), 1e-9)
    _, found = torch.func.jvp(potential, tuple(fixed), tuple(along))
    expect('jvp of potentials', (found - products[1]).abs().max().item(), 1e-9)
    hessian = torch.func.hessian(lambda x: energy(x, *fixed[1:]))(fixed[0])
    only = torch.func.jvp(torch.func.grad(lambda x: energy(x, *fixed[1:])), (fixed[0],), (along[0],))[1]
    expect('hessian', (torch.einsum('iajb,jb->ia', hessian, along[0]) - only).abs().max().item(), 1e-9)
    both = torch.stack([fixed[0], fixed[0] + 0.01 * along[0]])
    found = torch.func.vmap(energy, in_dims=(0, None, None))(both, *fixed[1:])
    expect('vmap', max(abs(found[k] - energy(both[k], *fixed[1:])).item() for k in range(2)), 1e-12)
    expect_error('forward mode through a batch', enuf.Unsupported, 'forward mode', lambda: torch.func.jvp(
        lambda x: enuf.torch.energies(x, fixed[1], fixed[2][None], torch.tensor([0, N])), (fixed[0],), (along[0],)))


def law_third_derivatives_stop_where_the_library_does():
    x, q, h = tensors()
    energy = enuf.torch.energy(x, q, h, accuracy=ACCURACY)
    forces, potentials = torch.autograd.grad(energy, (x, q), create_graph=True)
    product, = torch.autograd.grad(forces.square().sum(), x, create_graph=True)
    expect_error('third derivatives', enuf.Unsupported, ['third derivatives', 'detach'],
                 lambda: product.sum().backward(retain_graph=True))
    direction = torch.tensor(directions()[1])
    product, = torch.autograd.grad((potentials * direction).sum(), q)
    exact = enuf.exact_ewald(POSITIONS, direction.numpy(), CELL).potential
    expect('d2E/dq2 along a direction: its potentials', np.max(np.abs(product.numpy() - exact)), 1e-8)
    along = torch.tensor(directions()[0], requires_grad=True)
    fixed = [t.detach() for t in (x, q, h)]
    of_x, *_ = torch.ops.enuf.product(*fixed, along, None, None, f'accuracy={ACCURACY}')
    weights = torch.tensor(directions(11)[0])
    (weights * of_x).sum().backward()
    expect('a product is linear in its direction, and symmetric',
           abs((along.grad * along).sum() - (weights * of_x).sum()).item() / of_x.norm().item(), 1e-10)


def law_a_batch_has_the_second_derivatives_of_its_structures():
    sizes = [0, 10, N]  # two structures
    offsets = torch.tensor(sizes)
    scale = torch.tensor([1.0, 1.2], dtype=torch.float64)

    def loss(energies, inputs):
        slopes = torch.autograd.grad(energies.square().sum(), inputs, create_graph=True)
        return sum(slope.square().sum() for slope in slopes)
    x, q, h = tensors()
    cells = (scale[:, None, None] * h.detach()).requires_grad_()
    loss(enuf.torch.energies(x, q, cells, offsets), (x, q, cells)).backward()
    y, p, g = tensors()
    others = (scale[:, None, None] * g.detach()).requires_grad_()
    parts = [slice(a, b) for a, b in zip(sizes, sizes[1:])]
    single = torch.stack([enuf.torch.energy(y[part], p[part], others[s], accuracy=ACCURACY)
                          for s, part in enumerate(parts)])
    loss(single, (y, p, others)).backward()
    for name, a, b in ('positions', x, y), ('charges', q, p), ('cells', cells, others):
        expect(f'with respect to {name}', ((a.grad - b.grad).norm() / b.grad.norm()).item(), 1e-7)


def law_tracers_find_the_operators():
    """Eager calls do without the dispatcher, by which tracers and batches of gradients follow the others."""
    def slope(x):
        return torch.autograd.grad(enuf.torch.energy(x, q, h, accuracy=ACCURACY), x, create_graph=True)[0]
    x, q, h = tensors()
    graph = make_fx(slope)(x).graph
    expect_true('make_fx', any(node.target is torch.ops.enuf.energy.default for node in graph.nodes), str(graph))
    traced = torch.jit.trace(lambda *arrays: enuf.torch.energy(*arrays, accuracy=ACCURACY), (x, q, h),
                             check_trace=False)
    expect_true('a trace', 'enuf::energy' in str(traced.graph))
    with FakeTensorMode() as mode:
        fakes = [mode.from_tensor(tensor) for tensor in (x, q, h)]
        expect_true('no data', type(enuf.torch.energy(*fakes)) is type(fakes[0]))
    found, expected = slope(x), []
    directions_of = torch.tensor(np.stack([directions(seed)[0] for seed in (1, 2)]))
    rows, = torch.autograd.grad(found, x, directions_of, is_grads_batched=True, retain_graph=True)
    for row, direction in zip(rows, directions_of):
        expected.append(torch.autograd.grad(found, x, direction, retain_graph=True)[0])
    expect('a batch of gradients', (rows - torch.stack(expected)).abs().max().item(), 1e-9)


def law_compiled_functions_are_the_same():
    def function(x, q, h):
        return 2 * enuf.torch.energy(x, q, h, accuracy=ACCURACY, exclusions=[[0, 1], [2, 3]]) + enuf.torch.potential(
            x, q, h, accuracy=ACCURACY).sum()
    compiled = torch.compile(function, fullgraph=True, backend='aot_eager')
    x, q, h = tensors()
    y, p, g = tensors()
    value, other = function(x, q, h), compiled(y, p, g)
    value.backward()
    other.backward()
    expect('value', abs(value.item() - other.item()), 1e-12)
    expect('gradient', (x.grad - y.grad).abs().max().item() + (h.grad - g.grad).abs().max().item(), 1e-10)


def law_single_precision_keeps_its_type():
    x, q, h = tensors(torch.float32)
    energy = enuf.torch.energy(x, q, h)
    energy.backward()
    expect_true('float32', energy.dtype == x.grad.dtype == h.grad.dtype == torch.float32)


class Frames(torch.utils.data.Dataset):
    """Configurations with energies that the worker of a loader computes."""

    def __len__(self):
        return 12

    def __getitem__(self, k):
        x = torch.tensor(POSITIONS * (1 + 0.01 * k), requires_grad=True)
        energy = enuf.torch.energy(x, torch.tensor(CHARGES), torch.tensor(CELL * (1 + 0.01 * k)), accuracy=1e-6)
        return energy.detach(), torch.autograd.grad(energy, x)[0]


def law_workers_of_a_loader_compute():
    """Forked ones, of a process that has computed already, and spawned ones; energies go as 1/length.

    Where there is a GPU, PyTorch refuses gradients in forks of a process that has computed some: test_processes.py
    forks without PyTorch.
    """
    energy = enuf.torch.energy(*[torch.tensor(a) for a in (POSITIONS, CHARGES, CELL)], accuracy=1e-6).item()
    sizes = 1 + 0.01 * np.arange(12)
    for start in ('spawn',) if torch.cuda.is_available() else ('fork', 'spawn'):
        loader = torch.utils.data.DataLoader(Frames(), batch_size=3, num_workers=2, multiprocessing_context=start,
                                             timeout=120)
        energies, slopes = [torch.cat(parts).numpy() for parts in zip(*loader)]
        expect(f'{start}: energies', np.max(np.abs(energies * sizes / energy - 1)), 1e-12)
        expect(f'{start}: forces', np.max(np.abs(slopes * (sizes**2)[:, None, None] - slopes[0])), 1e-9)


def law_calculators_are_those_of_torch_pme():
    positions, charges, cell = [torch.tensor(a) for a in rock_salt()]
    positions.requires_grad_(True)
    for kind in enuf.torch.EwaldCalculator, enuf.torch.PMECalculator, enuf.torch.P3MCalculator:
        calculator = kind(enuf.torch.CoulombPotential(smearing=0.5), 0.1, accuracy=1e-10)
        potentials = calculator(charges[:, None], cell, positions, torch.zeros((0, 2), dtype=int), torch.zeros(0))
        expect(f'{kind.__name__}: Madelung constant', abs(-(potentials[:, 0] * charges).sum().item() / 4 - ROCK_SALT),
               1e-8)
    two = calculator(torch.stack([charges, 2 * charges], 1), cell, positions)
    expect('channels', (two[:, 1] - 2 * two[:, 0]).abs().max().item(), 1e-9)
    two.sum().backward()
    expect_true('gradients reach positions', bool(torch.isfinite(positions.grad).all()))
    other = enuf.torch.EwaldCalculator(prefactor=14.4)(charges[:, None], cell, positions)
    expect('prefactor', (other / 14.4 - two[:, :1]).abs().max().item(), 1e-5)
    expect_error('charges in a vector', enuf.BadArgument, ['channels'], lambda: calculator(charges, cell, positions))
    expect_error('an option that is an object', enuf.BadArgument, ['options'],
                 lambda: enuf.torch.energy(positions, charges, cell, log=print))
    expect_error('an unknown option', TypeError, ['acuracy'],
                 lambda: enuf.torch.energy(positions, charges, cell, acuracy=1))
    expect_error('another potential', enuf.BadArgument, ['ReLU'], lambda: enuf.torch.EwaldCalculator(torch.nn.ReLU()))
    if importlib.util.find_spec('torchpme'):
        import torchpme
        theirs = torchpme.EwaldCalculator(torchpme.CoulombPotential(smearing=0.25), lr_wavelength=0.1).double()
        x = positions.detach()
        images = torch.cartesian_prod(*3 * [torch.arange(-1.0, 2.0, dtype=x.dtype)]) @ cell
        lengths = torch.linalg.norm(x[None, :, None] + images - x[:, None, None], dim=-1)
        i, j, _ = torch.nonzero((lengths > 0) & (lengths < 2), as_tuple=True)
        theirs.full_neighbor_list = True
        found = theirs(charges[:, None], cell, x, torch.stack([i, j], 1), lengths[(lengths > 0) & (lengths < 2)])
        expect('potentials of torch-pme', (found[:, 0] - two[:, 0]).abs().max().item(), 1e-4)


def law_a_fit_by_gradients_finds_the_charges():
    """Charges of two species, from the energies of twelve configurations."""
    random = np.random.default_rng(4)
    cell = torch.tensor(CELL)
    species = torch.tensor([0, 1] * 8)
    frames = [torch.tensor(POSITIONS + 0.1 * random.normal(size=(N, 3))) for _ in range(12)]
    true = torch.tensor([0.8, -0.8], dtype=torch.float64)
    energies = [enuf.torch.energy(x, true[species], cell) for x in frames]
    charge = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([charge], max_iter=40, tolerance_grad=1e-10, line_search_fn='strong_wolfe')

    def loss():
        optimiser.zero_grad()
        q = torch.stack([charge, -charge])[species]
        error = sum((enuf.torch.energy(x, q, cell) - e)**2 for x, e in zip(frames, energies))
        error.backward()
        return error
    optimiser.step(loss)
    expect('charge found', abs(charge.item() - 0.8), 1e-5)


if __name__ == '__main__':  # the workers of a loader import this file
    run_laws(globals())
