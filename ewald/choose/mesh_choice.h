/*
 * mesh_choice.h - modes, fine grid, window, width and shape for a splitting.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_MESH_CHOICE_H
#define ENUF_MESH_CHOICE_H

#include "budget.h"
#include "mesh_error.h"

/** Fewest cells along an axis that are chosen on a GPU. */
enum { ENUF_LEAST_GRID_ON_GPU = 32 };

/** Modes of the sphere |k| <= k_c and the fine grid for them; an explicit grid is kept. */
void enuf_mesh_sizes(const enuf_choice_request *request, double k_c, double factor,
                     enuf_mesh *mesh);

/** The largest k_c such that an explicit grid holds `factor` times its modes; else HUGE_VAL. */
double enuf_band_of_grid(const enuf_choice_request *request, double factor);

/** 1 where the grid holds the modes. */
int enuf_mesh_holds_modes(const enuf_mesh *mesh);

/** A guess of the width, from the digits of the budget and the upsampling; only for ranking. */
int enuf_mesh_likely_width(const enuf_choice_request *request, const enuf_split_choice *choice,
                           const enuf_mesh *mesh);

/** Smallest width whose mesh error fits the budget, else the one of least error; its best shape. */
enuf_status enuf_choose_mesh(const enuf_choice_request *request, const enuf_split_choice *choice,
                             const enuf_splitting *splitting, enuf_mesh *mesh, int *fits);

#endif
