/*
 * tensor.h - the six components of a symmetric tensor, in the order of every virial: xx yy zz xy xz
 * yz. They fill tables of functions, because a CUDA kernel cannot read a static array of the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_TENSOR_H
#define ENUF_EWALD_TENSOR_H

/* clang-format off */
#define ENUF_TENSOR_ROWS    {0, 1, 2, 0, 0, 1}
#define ENUF_TENSOR_COLUMNS {0, 1, 2, 1, 2, 2}
/* clang-format on */

#endif
