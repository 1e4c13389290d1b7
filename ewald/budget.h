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

/** Half the distance of neighbouring numbers at 1, in the arithmetic of pairs and mesh. */
double enuf_unit_rounding(const enuf_choice_request *request);

/** Force errors by rounding, in such units: of the pairs, of F_ref; of the mesh, of a grid value.
 */
extern const double enuf_pair_rounding, enuf_mesh_rounding;

/** k = 2 pi / V^(1/3), the unit of kmax. */
double enuf_k_unit(const enuf_choice_request *request);

/** Splitting parameter, band and budget of the mesh for ->split, ->cutoff and ->others. */
void enuf_share_budget(const enuf_choice_request *request, enuf_split_choice *choice);

/** The cutoff that an explicit alpha asks for: the square of its real-space error is one third of
 * the budget's. */
double enuf_cutoff_for_alpha(const enuf_choice_request *request, double alpha);

enuf_status enuf_make_splitting(const enuf_split_choice *choice, enuf_splitting *splitting);

#endif
