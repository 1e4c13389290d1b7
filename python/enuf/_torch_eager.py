"""Functions beside PyTorch's operators: called eagerly, they do without its dispatcher, which takes longer than a small
sum. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor

_PLAIN = (Tensor, torch.nn.Parameter)
# what these say is not public: where a PyTorch lacks them, operators are called
_modes = getattr(torch._C, '_len_torch_dispatch_stack', lambda: 1)
_transforms = getattr(torch._C, '_are_functorch_transforms_active', lambda: True)
_is_batched = getattr(torch._C._functorch, 'is_legacy_batchedtensor', lambda tensor: True)  # of is_grads_batched


def _is_eager(inputs: tuple) -> bool:
    """Whether nothing but autograd looks at the call: no compiler, tracer, mode, transform or kind of tensor."""
    if torch.compiler.is_compiling() or _modes() or _transforms() or torch.jit.is_tracing():
        return False
    for one in inputs:
        if isinstance(one, Tensor) and (type(one) not in _PLAIN or _is_batched(one)):
            return False
    return True


def _wants_gradients(inputs: tuple) -> bool:
    for one in inputs:
        if isinstance(one, Tensor) and one.requires_grad:
            return torch.is_grad_enabled()
    return False


def beside(operator: Callable, compute: Callable, save: Callable, gradients: Callable) -> Callable:
    """The function that calls compute() where it can, else the operator. Both give the same, but compute() may give
    None where the operator has to give an empty tensor.

    save, gradients  setup_context and backward of the operator
    """
    class Node(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            output = compute(*inputs)
            save(ctx, inputs, output)
            return output

        backward = staticmethod(gradients)

    Node.__name__ = f'enuf_{compute.__name__.strip("_")}'

    def call(*inputs: Any) -> Any:
        if not _is_eager(inputs):
            return operator(*inputs)
        return (Node.apply if _wants_gradients(inputs) else compute)(*inputs)
    return call
