/*
 * candidates.h - the candidates of the choice of parameters, ranked by cost.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CANDIDATES_H
#define ENUF_CANDIDATES_H

#include "budget.h"
#include "mesh_error.h"
#include "private.h"

/** A splitting on a fine grid. Its width is a guess, and so is its cost. */
typedef struct enuf_mesh_candidate {
    enuf_split_choice choice;
    int factor;     /* which of the upsampling factors compared */
    enuf_mesh mesh; /* modes, grid, likely width */
    double cost;    /* seconds */
    int cut;        /* 1: the explicit grid holds fewer modes than the accuracy needs */
} enuf_mesh_candidate;

enum { ENUF_MOST_CANDIDATES = 96 };

/* Factors from one cutoff to the next. Costs change by less than a tenth per fine step; there are a
 * fifth as many coarse steps. */
#define ENUF_FINE_CUTOFFS   1.03
#define ENUF_COARSE_CUTOFFS 1.16

/** Shares of the budget for pairs and for truncation, each; 0: equal shares. */
enum { ENUF_SHARES = 3 };
extern const double enuf_shares[ENUF_SHARES];

/**
 * Lists candidates by ascending cost: each splitting, upsampling factor and fine grid once, with
 * the smallest cutoff that it serves. Cutoffs grow by the factor `step`. Explicit options are kept.
 * At least one, at most ENUF_MOST_CANDIDATES. A candidate whose grid does not hold its modes comes
 * last.
 *
 * others  of enuf_shares; a cutoff that is given is tried with all of them
 */
void enuf_list_candidates(const enuf_choice_request *request, double step, double others,
                          enuf_mesh_candidate list[ENUF_MOST_CANDIDATES], int *n);

/** Window, width and shape of a candidate, all errors and costs. *fits: 1 where the mesh keeps its
 * budget. Errors: ENUF_BAD_ARGUMENT if an explicit grid does not hold the modes of an explicit
 * kmax.
 */
enuf_status enuf_candidate_parameters(const enuf_choice_request *request,
                                      const enuf_mesh_candidate *candidate,
                                      enuf_parameters *parameters, int *fits);

/** Parameters in the form of the public interface. */
ENUF_PRIVATE void enuf_report_candidate(const enuf_parameters *parameters, int chosen,
                                        enuf_ewald_candidate *candidate);

/** Refuses a cell for which every candidate would take too long. Errors: ENUF_BAD_ARGUMENT. */
enuf_status enuf_candidates_check_shape(const enuf_choice_request *request);

#endif
