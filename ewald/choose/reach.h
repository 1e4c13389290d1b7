/*
 * reach.h - the range of cells for which parameters need no new prediction. A prediction sums over
 * modes and takes a few tenths of a millisecond, but under constant pressure the cell changes in
 * every step, by about a millionth. enuf_bound_error() bounds the errors for all cells within a
 * strain; within it parameters serve without a prediction. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_REACH_H
#define ENUF_REACH_H

#include "parameters.h"

/** An upper bound of |F - 1|_2, F the strain from the cell of `frame` (its inverse,
 * enuf_cell_geometry) to another. From the norms of rows and columns; exact for a diagonal F. */
double enuf_strain_of(const double frame[9], const double cell[9]);

/** 1 where cell and charges of the request, and k_c in it, are within reach. */
int enuf_reach_holds(const enuf_reach *reach, const enuf_choice_request *request, double k_c);

/** The request with the worst charges within reach, for a bound. */
enuf_choice_request enuf_reach_charges(const enuf_choice_request *request);

/** The reach around a request, for a strain whose bound is small enough. */
enuf_reach enuf_reach_of(const enuf_choice_request *request, double strain, double k_c);

/** A first guess of the strain at which the predicted errors grow by a factor. */
double enuf_reach_guess(const enuf_choice_request *request, const enuf_parameters *parameters,
                        double factor);

#endif
