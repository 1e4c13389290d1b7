"""A backend for mri-nufft: after `import enuf.mri`, mrinufft.get_operator('enuf') makes its operators.

    import enuf.mri
    from mrinufft import get_operator
    operator = get_operator('enuf')(samples, shape=(256, 256), n_coils=8, eps=1e-5)

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any

import numpy as np
from mrinufft._utils import proper_trajectory
from mrinufft.operators.base import FourierOperatorCPU, _ToggleGradPlanMixin

from ._plan import Plan

_COMPLEX = {'float32': 'complex64', 'float64': 'complex128'}


class _Transforms:
    """Forward, an image to samples, and its adjoint, as mri-nufft calls them: results go into arrays given."""

    def __init__(self, samples: np.ndarray, shape: tuple[int, ...], n_trans: int, eps: float, options: dict):
        self.shape, self.n_trans = tuple(shape), n_trans
        self._plan = Plan(self.shape, eps, batch=n_trans, dtype=_COMPLEX[samples.dtype.name], sign=1, **options)
        self._conjugate = False
        self.set_samples(samples)

    def set_samples(self, samples: np.ndarray) -> None:
        """samples [n, dim] in radians; mri-nufft keeps them column by column."""
        self._n = len(samples)
        self._plan.set_points(*(np.ascontiguousarray(samples[:, d]) for d in range(len(self.shape))))

    def _shaped(self, array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        return array.reshape((self.n_trans, *shape) if self.n_trans > 1 else shape)

    def op(self, coefficients: np.ndarray, image: np.ndarray) -> np.ndarray:
        """The image [n_trans, *shape] at the samples [n_trans, n]."""
        image, values = self._shaped(image, self.shape), self._shaped(coefficients, (self._n,))
        if not self._conjugate:
            return self._plan.type2(np.ascontiguousarray(image), out=values)
        # the opposite sign of the exponent
        np.conj(self._plan.type2(np.conj(image)), out=values)
        return values

    def adj_op(self, coefficients: np.ndarray, image: np.ndarray) -> np.ndarray:
        """The adjoint: samples to an image."""
        values, image = self._shaped(coefficients, (self._n,)), self._shaped(image, self.shape)
        return self._plan.type1(np.ascontiguousarray(values), out=image)

    def toggle_grad_traj(self) -> None:
        """Changes to op() with the opposite sign, of which gradients by the trajectory are made, and back."""
        self._conjugate = not self._conjugate


class MRIEnuf(FourierOperatorCPU, _ToggleGradPlanMixin):
    """The operator of mri-nufft by enuf: one plan for both directions.

    samples  [n, dim] of the trajectory
    shape    of the image
    density, n_coils, n_batchs, n_trans, smaps, squeeze_dims  as of mri-nufft's operators
    eps      relative l2 error of a transform [1e-6]
    options  of :class:`enuf.Plan`: threads, upsampling, ...
    """
    backend = 'enuf'
    available = True
    autograd_available = True

    def __init__(self, samples: Any, shape: Any, density: Any = False, n_coils: int = 1, n_batchs: int = 1,
                 n_trans: int = 1, smaps: Any = None, squeeze_dims: bool = True, eps: float = 1e-6, **options: Any):
        samples = np.ascontiguousarray(proper_trajectory(np.asarray(samples), normalize='pi'))
        self.raw_op = _Transforms(samples, shape, n_trans, eps, options)
        super().__init__(samples, shape, density, n_coils=n_coils, n_batchs=n_batchs, n_trans=n_trans, smaps=smaps,
                         raw_op=self.raw_op, squeeze_dims=squeeze_dims)

    def update_samples(self, new_samples: Any, unsafe: bool = False) -> None:
        """Sets another trajectory. unsafe: it is in radians already."""
        self._samples = np.asarray(new_samples) if unsafe else np.ascontiguousarray(
            proper_trajectory(np.asarray(new_samples), normalize='pi'))
        self.raw_op.set_samples(self._samples)
        self.compute_density(self._density_method)

    def _make_plan_grad(self, **_: Any) -> None:
        """The plan serves both signs."""
