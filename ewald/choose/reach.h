/*
 * reach.h - how far a cell may change before errors are predicted anew. A prediction sums over
 * modes and takes a few tenths of a millisecond; under constant pressure the cell changes in every
 * step, by a millionth or so. So errors are bounded for all cells within a strain
 * (enuf_bound_error()) and parameters serve there without a look. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_REACH_H
#define ENUF_REACH_H

#include "parameters.h"

/** |F - 1|_2, or a little more, of the strain F that takes the cell of `frame` (its inverse,
 * enuf_cell_geometry) to another: by the norms of rows and columns, exact for a diagonal one. */
double enuf_strain_of(const double frame[9], const double cell[9]);

/** 1 where cell and charges of the request, and k_c in it, are within reach. */
int enuf_reach_holds(const enuf_reach *reach, const enuf_choice_request *request, double k_c);

/** The cell and charges of the request, and charges about as these, as the worst case of all within
 * reach: to be bounded. */
enuf_choice_request enuf_reach_charges(const enuf_choice_request *request);

/** The reach around a request whose bound for this strain has been found to be small enough. */
enuf_reach enuf_reach_of(const enuf_choice_request *request, double strain, double k_c);

/** A first guess of the strain at which the errors of parameters, as predicted, have grown by a
 * factor. */
double enuf_reach_guess(const enuf_choice_request *request, const enuf_parameters *parameters,
                        double factor);

#endif
