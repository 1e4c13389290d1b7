/*
 * budget.h - shares the requested accuracy among pairs, truncation and mesh.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BUDGET_H
#define ENUF_BUDGET_H

#include "parameters.h"

/** Splitting and cutoff, and parameters that follow from them and the accuracy. */
typedef struct enuf_split_choice {
    enuf_split split;
    double cutoff, alpha, c, k_c;
    /* share of the budget for pairs (Gaussian) and for truncation, each; 0: an equal share. A
     * smaller share costs some modes and leaves more to the mesh */
    double others;
    double mesh_budget; /* eps_F that the mesh may make */
} enuf_split_choice;

/** eps_F of accuracy 1. */
double enuf_accuracy_unit(const enuf_choice_request *request, double cutoff);

/**
 * The fraction of an error bound that a prediction may reach. The error of a configuration of few
 * ions, or of few modes, scatters around the prediction. If there are too many modes to sum them
 * one by one, or without a splitting (NULL), the prediction assumes a continuum of modes; in a
 * direction with few modes this errs by up to a quarter over their number (measured in thin cells).
 */
double enuf_room_for_scatter(const enuf_choice_request *request, const enuf_splitting *splitting,
                             double k_c);

/** The same for a part of the error with this relative standard deviation. */
double enuf_room_for_deviation(double scatter);

/** Force error by rounding of the pairs within a cutoff, in F_ref; with `deterministic` it includes
 * the rounding of integers. */
double enuf_pair_rounding(const enuf_choice_request *request, double cutoff);

/** Distance of close pairs: rounding of positions, at the size of the cutoff, changes their forces
 * by a tenth of the requested accuracy or more. At most a quarter of the mean spacing, which no
 * liquid reaches; 0 if positions are not double. */
double enuf_close_distance(const enuf_choice_request *request, double cutoff);

/** Error by rounding of a grid value on a window of this width, relative to it. */
double enuf_grid_rounding(const enuf_choice_request *request, int width);

/** k = 2 pi / V^(1/3), the unit of kmax. */
double enuf_k_unit(const enuf_choice_request *request);

/** Splitting parameter, band and budget of the mesh for ->split, ->cutoff and ->others. */
void enuf_share_budget(const enuf_choice_request *request, enuf_split_choice *choice);

/**
 * The same if an explicit grid holds only the modes |k| <= k_c: the splitting with the least error,
 * unless it is given. The prediction reports the error.
 */
void enuf_share_few_modes(const enuf_choice_request *request, double k_c,
                          enuf_split_choice *choice);

/** The cutoff for an explicit alpha: the square of its real-space error is one third of the
 * budget's square. */
double enuf_cutoff_for_alpha(const enuf_choice_request *request, double alpha);

enuf_status enuf_make_splitting(const enuf_split_choice *choice, enuf_splitting *splitting);

#endif
