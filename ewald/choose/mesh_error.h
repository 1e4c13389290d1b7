/*
 * mesh_error.h - the force error of the mesh for charges with a given structure factor, summed over
 * the modes. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_MESH_ERROR_H
#define ENUF_MESH_ERROR_H

#include "lattice/cell_geometry.h"
#include "structure_factor.h"
#include "splitting.h"

typedef struct enuf_mesh {
    int64_t modes[3]; /* odd */
    int64_t grid[3];
    enuf_window window;
    int width;
    double shape;
} enuf_mesh;

/** The influence of the modes |k| <= k_c, tabulated in k^2 for many meshes. */
enum { ENUF_INFLUENCE_STEPS = 256 };
typedef struct enuf_influence_table {
    double cutoff, limit; /* of k^2 */
    double log_chi[ENUF_INFLUENCE_STEPS];
    double structure_factor[ENUF_INFLUENCE_STEPS]; /* s of structure_factor.h */
} enuf_influence_table;

void enuf_influence_tabulate(const enuf_splitting *splitting, double k_c,
                             const enuf_structure_factor *structure, enuf_influence_table *table);

/** Errors of the forces, as eps_F = dF_rms sqrt(N V r_c)/(C sum q^2). */
typedef struct enuf_mesh_errors {
    double aliasing; /* of spreading and interpolating with the window, by the other charges */
    double scatter;  /* relative standard deviation of that from configuration to configuration, for
                        want of independent modes */
    double own;      /* self-force, times (sum q^2)/sqrt(sum q^4) */
    double rounding; /* in numbers of relative size `unit` */
} enuf_mesh_errors;

/**
 * The errors of the modes of the table. Axes with more modes m >= 0 than `samples` are sampled:
 * with ENUF_MESH_FINE, the most, 7 % from the sum over all modes at worst, with ENUF_MESH_COARSE
 * 12 % and in a third of the time (41^3 to 201^3 modes, widths 5 to 13, both splittings, upsampling
 * 1.1 to 2, straight and tilted cells); the charge's self-force up to 14 and 21 % too large (25^3
 * to 211^3 modes, widths 6 to 12).
 */
enum { ENUF_MESH_COARSE = 10, ENUF_MESH_FINE = 20 };
enuf_status enuf_mesh_error(const enuf_cell_geometry *cell, const enuf_influence_table *table,
                            const enuf_mesh *mesh, double unit, int samples,
                            enuf_mesh_errors *errors);

#endif
