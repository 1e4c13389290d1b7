/*
 * candidates.h - the parameters that come into question, ranked by cost.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CANDIDATES_H
#define ENUF_CANDIDATES_H

#include "budget.h"
#include "mesh_error.h"
#include "private.h"

/** A splitting on a fine grid. Its width is a guess, and so is its cost. */
typedef struct enuf_candidate {
    enuf_split_choice choice;
    int factor;     /* which of the upsampling factors compared */
    enuf_mesh mesh; /* modes, grid, likely width */
    double cost;    /* seconds */
    int cut;        /* 1: of the modes that the accuracy asks for those that a grid given holds */
} enuf_candidate;

enum { ENUF_MOST_CANDIDATES = 96 };

/* From one cutoff tried to the next. Between two fine ones costs change by less than a tenth; the
 * coarse ones are a fifth as many. */
#define ENUF_FINE_CUTOFFS   1.03
#define ENUF_COARSE_CUTOFFS 1.16

/**
 * Lists candidates by ascending cost, every splitting, upsampling factor and fine grid once, with
 * the smallest cutoff that it serves, cutoffs growing by the factor `step`; explicit options are
 * kept. At least one, at most ENUF_MOST_CANDIDATES. A candidate whose grid does not hold its modes
 * comes last.
 */
void enuf_list_candidates(const enuf_choice_request *request, double step,
                          enuf_candidate list[ENUF_MOST_CANDIDATES], int *n);

/** Window, width and shape of a candidate, all errors and costs. *fits: 1 where the mesh keeps its
 * budget. Errors: ENUF_BAD_ARGUMENT where a grid given does not hold the modes of a kmax given. */
enuf_status enuf_candidate_parameters(const enuf_choice_request *request,
                                      const enuf_candidate *candidate, enuf_parameters *parameters,
                                      int *fits);

/** Parameters as the public interface tells them. */
ENUF_PRIVATE void enuf_report_candidate(const enuf_parameters *parameters, int chosen,
                                        enuf_ewald_candidate *candidate);

/** Refuses a cell that no candidate serves in bounded time, before any is looked at. Errors:
 * ENUF_BAD_ARGUMENT. */
enuf_status enuf_candidates_check_shape(const enuf_choice_request *request);

#endif
