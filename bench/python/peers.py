# Ewald sums of enuf and of its peers in Python, behind one interface: settings that may reach an error, forces, and the
# gradient of a loss of forces. All in double, with a Coulomb constant of 1. SPDX-License-Identifier: BSD-3-Clause
import importlib.metadata
import itertools
import math
import warnings

import numpy as np
import torch
import vesin

import enuf
import enuf.torch

CUTOFFS = (4.0, 6.0, 9.0)


class Peer:
    """What a benchmark runs. A peer that cannot be imported raises ImportError when it is made.

    settings(system, error)  settings worth a try for that error of forces
    tuned_by                 the peer whose fastest settings are tried in their place
    use(system, setting)     gets ready, with a list of neighbours
    find_pairs()             makes that list anew; None where the sums find pairs themselves
    forces()                 energy, a float, and forces [n, 3], an array of its own kind where it lives
    loss()                   the gradient [n, 3] of sum F^2 with respect to positions; it runs through charges as well
    wait()                   until what these have enqueued on a GPU is there
    """
    package = tuned_by = find_pairs = None

    def __init__(self, device='cpu'):
        self.device = device
        self.version = importlib.metadata.version(self.package) if self.package else enuf.__version__

    def tensor(self, array, grad=False):
        return torch.tensor(array, device=self.device, requires_grad=grad)

    def serves(self, setting):
        """Whether it has these settings, of another peer."""
        return True

    def wait(self):
        if self.device != 'cpu':
            torch.cuda.synchronize()

    def measured(self, name):
        """forces or loss, and the wait for it."""
        result = getattr(self, name)()
        self.wait()
        return result


def in_numpy(array):
    return array.cpu().numpy() if hasattr(array, 'cpu') else np.asarray(array)


class Enuf(Peer):
    """enuf.Ewald: an object that is kept, arrays of NumPy or, on a GPU, of PyTorch."""
    name = 'enuf.Ewald'

    def settings(self, system, error):
        return [{'accuracy': error * part} for part in (1, 0.5, 0.25)]

    def use(self, system, setting):
        self.x = system.positions if self.device == 'cpu' else self.tensor(system.positions)
        self.ewald = enuf.Ewald(system.cell, system.charges, threads=torch.get_num_threads(), **setting)

    def forces(self):
        result = self.ewald.compute(self.x)
        return result.energy, result.forces

    loss = None


class _ByAutograd(Peer):
    """A peer that gives a differentiable energy(x, q) of tensors."""

    def _tensors(self, system):
        self.x, self.q = self.tensor(system.positions, True), self.tensor(system.charges, True)
        self.h = self.tensor(system.cell)

    def forces(self):
        energy = self.energy(self.x, self.q.detach())
        slope, = torch.autograd.grad(energy, self.x)
        return energy.item(), -slope

    def loss(self):
        energy = self.energy(self.x, self.q)
        slope, = torch.autograd.grad(energy, self.x, create_graph=True)
        of_positions, _ = torch.autograd.grad(slope.square().sum(), (self.x, self.q))
        return of_positions


class EnufTorch(_ByAutograd):
    """enuf.torch: the energy as an operator of PyTorch. Cell and energy are on the host, which reads them."""
    name = 'enuf.torch'
    settings = Enuf.settings

    def use(self, system, setting):
        self._tensors(system)
        self.h = self.h.cpu()
        self.options = {'threads': torch.get_num_threads(), **setting}

    def energy(self, x, q):
        return enuf.torch.energy(x, q, self.h, on_host=True, **self.options)


class EnufJax(Peer):
    """enuf.jax: the energy as a function of JAX, compiled."""
    name = 'enuf.jax'
    settings = Enuf.settings

    def __init__(self, device='cpu'):
        super().__init__(device)
        self.jax = jax_on(device)
        import enuf.jax
        self.energy_of = enuf.jax.energy

    def use(self, system, setting):
        jax, options = self.jax, {'threads': torch.get_num_threads(), **setting}
        self.x, self.q, self.h = (jax.numpy.asarray(part) for part in (system.positions, system.charges, system.cell))

        def energy(x, q, h):
            return self.energy_of(x, q, h, **options)

        def loss(x, *others):
            return jax.numpy.sum(jax.grad(energy)(x, *others)**2)
        self.compiled = jax.jit(jax.value_and_grad(energy))
        self.compiled_loss = jax.jit(jax.grad(loss, argnums=(0, 1)))

    def forces(self):
        energy, self.slope = self.compiled(self.x, self.q, self.h)
        return float(energy), -self.slope

    def loss(self):
        self.slope = self.compiled_loss(self.x, self.q, self.h)[0]
        return self.slope

    def wait(self):
        self.slope.block_until_ready()


def jax_on(device):
    """The package, in double, on the CPU alone or where it has a GPU there."""
    import jax
    jax.config.update('jax_enable_x64', True)
    if device == 'cpu':
        jax.config.update('jax_platforms', 'cpu')
    return jax


def pairs_of(system, cutoff, full):
    """i, j and shifts of the pairs inside a cutoff, by vesin."""
    return vesin.NeighborList(cutoff=cutoff, full_list=full).compute(
        points=system.positions, box=system.cell, periodic=True, quantities='ijS')


class TorchPme(_ByAutograd):
    """torch-pme's P3M and PME. Smearings and meshes are those of its tuner. Its bounds of the error are off by more
    than a factor of 2 both ways, so that the next coarser and finer meshes are tried too."""
    name = package = 'torch-pme'

    def __init__(self, device='cpu'):
        super().__init__(device)
        import torchpme
        import torchpme.tuning.p3m
        import torchpme.tuning.pme
        self.torchpme = torchpme
        self.kinds = {'P3M': (torchpme.P3MCalculator, torchpme.tuning.p3m.P3MErrorBounds, (3, 4, 5)),
                      'PME': (torchpme.PMECalculator, torchpme.tuning.pme.PMEErrorBounds, (4, 5, 6, 7))}

    def settings(self, system, error):
        q, h, x = (torch.tensor(array) for array in (system.charges[:, None], system.cell, system.positions))
        found = []
        for cutoff, part, (kind, (make, bounds, orders)) in itertools.product(CUTOFFS, (1.0, 0.3), self.kinds.items()):
            wanted = error * part * system.f_ref
            tuner = self.torchpme.tuning.tuner.TunerBase(q, h, x, cutoff, make)
            smearing = tuner.estimate_smearing(wanted)
            bound = bounds(charges=q, cell=h, positions=x)
            for order in orders:
                least = 2 ** max(3, math.ceil(math.log2(system.edge / 2)))
                mesh = next((m for m in (least, 2 * least, 4 * least, 8 * least) if bound(
                    smearing=smearing, cutoff=cutoff, mesh_spacing=2 * system.edge / (m - 1),
                    interpolation_nodes=order) <= wanted), 8 * least)
                for m in (mesh // 2, mesh, 2 * mesh):
                    found.append({'kind': kind, 'cutoff': cutoff, 'smearing': smearing, 'order': order,
                                  'spacing': system.edge / m})
        return found

    def use(self, system, setting):
        self._tensors(system)
        self.system, self.setting = system, setting
        make = self.kinds[setting['kind']][0]
        # 2 edge / spacing + 1 is rounded up to a power of two
        mesh = 2 ** round(math.log2(system.edge / setting['spacing']))
        self.calculator = make(
            self.torchpme.CoulombPotential(smearing=setting['smearing']), mesh_spacing=2 * system.edge / (mesh - 1),
            interpolation_nodes=setting['order']).to(device=self.device, dtype=torch.float64)
        self.find_pairs()

    def find_pairs(self):
        i, j, shifts = pairs_of(self.system, self.setting['cutoff'], False)
        self.pairs = self.tensor(np.stack([i, j], axis=1).astype(np.int64))
        self.shifts = self.tensor(np.asarray(shifts, float) @ self.system.cell)

    def energy(self, x, q):
        i, j = self.pairs.T
        lengths = torch.linalg.norm(x[j] - x[i] + self.shifts, dim=1)
        return (q * self.calculator(q[:, None], self.h, x, self.pairs, lengths)[:, 0]).sum()


class Nvalchemi(_ByAutograd):
    """nvalchemi-toolkit-ops' particle mesh Ewald, on Warp. Splitting and mesh are its own estimates."""
    name = package = 'nvalchemi-toolkit-ops'

    def __init__(self, device='cpu'):
        super().__init__(device)
        from nvalchemiops.torch.interactions import electrostatics
        self.electrostatics = electrostatics

    def settings(self, system, error):
        x, h = torch.tensor(system.positions), torch.tensor(system.cell)
        return [{'cutoff': cutoff, 'alpha': p.alpha.item(), 'order': order,
                 'spacing': system.edge / p.mesh_dimensions[0]}
                for cutoff, part, order in itertools.product(CUTOFFS, (10, 1, 0.1, 0.01), (4, 5, 6))
                for p in [self.electrostatics.estimate_pme_parameters(
                    x, h, accuracy=error * part, real_space_cutoff=cutoff, spline_order=order)]]

    def use(self, system, setting):
        self._tensors(system)
        self.system, self.setting = system, setting
        self.mesh = 3 * (round(system.edge / setting['spacing']),)
        self.find_pairs()

    def find_pairs(self):
        i, j, shifts = pairs_of(self.system, self.setting['cutoff'], True)
        order = np.argsort(i, kind='stable')
        i = np.asarray(i)[order].astype(np.int32)
        ends = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=len(self.system.charges)))])
        self.pairs = self.tensor(np.stack([i, np.asarray(j)[order].astype(np.int32)]))
        self.ends = self.tensor(ends.astype(np.int32))
        self.shifts = self.tensor(np.asarray(shifts)[order].astype(np.int32))

    def _sum(self, x, q, **wanted):
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # forces with the energy are called deprecated, and are the fastest
            return self.electrostatics.particle_mesh_ewald(
                x, q, self.h, alpha=self.setting['alpha'], mesh_dimensions=self.mesh,
                spline_order=self.setting['order'], neighbor_list=self.pairs, neighbor_ptr=self.ends,
                neighbor_shifts=self.shifts, **wanted)

    def energy(self, x, q):
        return self._sum(x, q).sum()

    def forces(self):
        energies, forces = self._sum(self.x.detach(), self.q.detach(), compute_forces=True)
        return energies.sum().item(), forces


class JaxPme(Peer):
    """jax-pme's P3M and PME, compiled. It has no tuner: its settings are torch-pme's."""
    name = package = 'jax-pme'
    tuned_by = 'torch-pme'

    def __init__(self, device='cpu'):
        super().__init__(device)
        self.jax = jax_on(device)
        import jaxpme
        self.jaxpme = jaxpme

    def serves(self, setting):
        return setting['kind'] == 'P3M' or setting['order'] == 4

    def use(self, system, setting):
        jax, jnp = self.jax, self.jax.numpy
        self.system, self.setting = system, setting
        make = {'P3M': self.jaxpme.P3M, 'PME': self.jaxpme.PME}[setting['kind']]
        calculator = make(interpolation_nodes=setting['order'])
        mesh = 2 ** round(math.log2(system.edge / setting['spacing']))
        self.x, self.q, self.h = (jnp.asarray(array) for array in (system.positions, system.charges, system.cell))
        self.find_pairs()
        grid, smearing = np.ones((mesh, mesh, mesh)), setting['smearing']

        def energy(x, q, h, *pairs):
            return calculator.energy(q, h, x, *pairs, grid, smearing)

        def loss(x, *others):
            return jnp.sum(jax.grad(energy)(x, *others)**2)
        self.compiled = jax.jit(jax.value_and_grad(energy))
        self.compiled_loss = jax.jit(jax.grad(loss, argnums=(0, 1)))

    def find_pairs(self):
        self.pairs = [self.jax.numpy.asarray(np.asarray(array, np.int64))
                      for array in pairs_of(self.system, self.setting['cutoff'], False)]

    def forces(self):
        energy, self.slope = self.compiled(self.x, self.q, self.h, *self.pairs)
        return float(energy), -self.slope

    def loss(self):
        self.slope = self.compiled_loss(self.x, self.q, self.h, *self.pairs)[0]
        return self.slope

    def wait(self):
        self.slope.block_until_ready()


PEERS = (Enuf, EnufTorch, EnufJax, TorchPme, JaxPme, Nvalchemi)
