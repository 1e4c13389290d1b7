/*
 * mesh_error.h - the force error that the mesh makes on random charges, exactly summed over the
 * modes. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_MESH_ERROR_H
#define ENUF_MESH_ERROR_H

#include "cell_geometry.h"
#include "splitting.h"

typedef struct enuf_mesh {
    int64_t modes[3]; /* odd */
    int64_t grid[3];
    enuf_window window;
    int width;
    double shape;
} enuf_mesh;

/**
 * eps_F = dF_rms sqrt(N V r_c)/(C sum q^2) of spreading and gathering with the window (aliasing),
 * and of rounding in numbers of relative size `unit`; modes |k| <= k_c. Large mode arrays are
 * sampled.
 */
enuf_status enuf_mesh_error(const enuf_cell_geometry *cell, const enuf_splitting *splitting,
                            double k_c, const enuf_mesh *mesh, double unit, double *aliasing,
                            double *rounding);

#endif
