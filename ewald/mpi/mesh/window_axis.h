/*
 * window_axis.h - the transform of a mesh's window along one axis, for meshes in parts.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_WINDOW_AXIS_H
#define ENUF_EWALD_MPI_WINDOW_AXIS_H

#include "object/ewald_object.h"

/** 1/w(m), m = 0 ... modes/2, on an axis of `grid` cells, for the window in `p`. A one-dimensional
 * plan computes them. The caller must release *inverse. */
enuf_status enuf_window_on_axis(const enuf_parameters *p, int64_t grid, int64_t modes,
                                double **inverse);

#endif
