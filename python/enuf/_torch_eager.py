"""Functions beside PyTorch's operators: called eagerly, they do without its dispatcher, which takes longer than a small
sum; and torch.func and forward mode need what operators cannot have. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor
from torch.autograd import forward_ad

_PLAIN = (Tensor, torch.nn.Parameter)
# what these say is not public: where a PyTorch lacks them, operators are called
_modes = getattr(torch._C, '_len_torch_dispatch_stack', lambda: 1)
_transforms = getattr(torch._C, '_are_functorch_transforms_active', lambda: False)
_is_batched = getattr(torch._C._functorch, 'is_legacy_batchedtensor', lambda tensor: True)  # of is_grads_batched


class Rules(NamedTuple):
    """How an operator is differentiated, as torch.autograd.Function names it: backward(ctx, *gradients) and
    jvp(ctx, *tangents), by what setup_context(ctx, inputs, output) saves."""
    setup_context: Callable
    backward: Callable
    jvp: Callable


def _is_watched() -> bool:
    """Whether a compiler, a tracer or a mode looks at the call."""
    return torch.compiler.is_compiling() or _modes() or torch.jit.is_tracing()


def _is_transformed() -> bool:
    """By torch.func, or by forward mode."""
    return _transforms() or forward_ad._current_level >= 0


def _one_by_one(call: Callable, info: Any, in_dims: tuple, inputs: tuple) -> tuple[Any, Any]:
    """What vmap gives: a call for each member."""
    found = []
    for k in range(info.batch_size):
        member = [one if dim is None else one.select(dim, k) for one, dim in zip(inputs, in_dims)]
        found.append(call(*(one.contiguous() if isinstance(one, Tensor) else one for one in member)))
    if isinstance(found[0], Tensor):
        return torch.stack(found), 0
    columns = tuple(None if column[0] is None else torch.stack(column) for column in zip(*found))
    return columns, tuple(None if column is None else 0 for column in columns)


def beside(operator: Callable, compute: Callable, rules: Rules) -> Callable:
    """The function that calls compute() where it can, else the operator. Both give the same, but compute() may give
    None where the operator has to give an empty tensor."""
    class Node(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            output = compute(*inputs)
            rules.setup_context(ctx, inputs, output)
            return output

        backward = staticmethod(rules.backward)

    class Transformed(torch.autograd.Function):  # takes 20 microseconds longer than a Node
        @staticmethod
        def forward(*inputs: Any) -> Any:
            return compute(*inputs)

        @staticmethod
        def vmap(info: Any, in_dims: tuple, *inputs: Any) -> tuple[Any, Any]:
            return _one_by_one(call, info, in_dims, inputs)

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple, output: Any) -> None:
            rules.setup_context(ctx, inputs, output)
            ctx.save_for_forward(*ctx.to_save)

        backward = staticmethod(rules.backward)
        jvp = staticmethod(rules.jvp)

    Node.__name__ = Transformed.__name__ = f'enuf_{compute.__name__.strip("_")}'

    def call(*inputs: Any) -> Any:
        if _is_watched():
            return operator(*inputs)
        function = compute
        for one in inputs:
            if isinstance(one, Tensor):
                if type(one) not in _PLAIN or _is_batched(one):  # a kind of tensor looks at the call
                    return operator(*inputs)
                if one.requires_grad:
                    function = Node.apply
        if _is_transformed():
            return Transformed.apply(*inputs)
        return function(*inputs) if torch.is_grad_enabled() else compute(*inputs)
    return call
