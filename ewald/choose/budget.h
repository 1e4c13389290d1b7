/*
 * budget.h - how the accuracy asked for is shared among pairs, truncation and mesh.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_BUDGET_H
#define ENUF_BUDGET_H

#include "parameters.h"

/** A splitting with a cutoff, and what follows from them and the accuracy. */
typedef struct enuf_split_choice {
    enuf_split split;
    double cutoff, alpha, c, k_c;
    /* what pairs (Gaussian) and truncation may each make of the whole budget; 0: as much as the
     * mesh. A smaller part leaves the mesh more, for some modes more */
    double others;
    double mesh_budget; /* eps_F that the mesh may make */
} enuf_split_choice;

/** eps_F of accuracy 1. */
double enuf_accuracy_unit(const enuf_choice_request *request, double cutoff);

/**
 * What of a bound on the error a prediction may take. The error of one configuration of few ions
 * scatters around the prediction, and so does that of few modes. Where these are too many to be
 * summed one by one, or no splitting is given (NULL), the prediction takes them for a continuum,
 * which in a direction with few of them errs by up to a quarter over their number (measured in thin
 * cells).
 */
double enuf_room_for_scatter(const enuf_choice_request *request, const enuf_splitting *splitting,
                             double k_c);

/** The same for a part of the error that scatters by itself, by this relative standard deviation.
 */
double enuf_room_for_deviation(double scatter);

/** Force error by rounding of the pairs within a cutoff, in F_ref; where deterministic, that of
 * their integers too. */
double enuf_pair_rounding(const enuf_choice_request *request, double cutoff);

/** Pairs closer than this have forces that rounding of their places at the size of the cutoff makes
 * wrong by a tenth of the accuracy asked for, or more. At most a quarter of the mean spacing, which
 * liquids keep; 0 where places are no doubles. */
double enuf_close_distance(const enuf_choice_request *request, double cutoff);

/** Error by rounding of a grid value on a window of this width, relative to it. */
double enuf_grid_rounding(const enuf_choice_request *request, int width);

/** k = 2 pi / V^(1/3), the unit of kmax. */
double enuf_k_unit(const enuf_choice_request *request);

/** Splitting parameter, band and budget of the mesh for ->split, ->cutoff and ->others. */
void enuf_share_budget(const enuf_choice_request *request, enuf_split_choice *choice);

/**
 * The same where a grid given holds the modes |k| <= k_c only: the splitting of least error with
 * these, where it is not given. What it misses of the accuracy is for the prediction to say.
 */
void enuf_share_few_modes(const enuf_choice_request *request, double k_c,
                          enuf_split_choice *choice);

/** The cutoff that an explicit alpha asks for: the square of its real-space error is one third of
 * the budget's. */
double enuf_cutoff_for_alpha(const enuf_choice_request *request, double alpha);

enuf_status enuf_make_splitting(const enuf_split_choice *choice, enuf_splitting *splitting);

#endif
