"""Interfaces of other packages over enuf: after a change of the import their programs run.

    import enuf.compat.finufft as finufft

SPDX-License-Identifier: BSD-3-Clause
"""
