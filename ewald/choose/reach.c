/* reach.c - see reach.h. SPDX-License-Identifier: BSD-3-Clause */
#include "reach.h"
#include "truncation_error.h"

#include <math.h>
#include <string.h>

/* Sums of fluctuating charges (equilibrated, polarizable) may change by this without a prediction.
 */
static const double CHARGES = 0.01;

/* The largest strain with a bound: it changes |k|, and so the errors, by some per cent. */
static const double LARGEST = 0.02;

double enuf_strain_of(const double frame[9], const double cell[9])
{
    double row[3] = {0}, column[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double f = i == j ? -1 : 0; /* F_ij = sum_d (H^-1)_id H'_dj */
            for (int d = 0; d < 3; d++) f += frame[3 * d + i] * cell[3 * d + j];
            row[i] += fabs(f);
            column[j] += fabs(f);
        }
    const double rows = fmax(fmax(row[0], row[1]), row[2]);
    const double columns = fmax(fmax(column[0], column[1]), column[2]);
    return sqrt(rows * columns); /* |F|_2^2 <= |F|_1 |F|_inf */
}

int enuf_reach_holds(const enuf_reach *reach, const enuf_choice_request *request, double k_c)
{
    if (!(reach->strain > 0) || request->n_charged != reach->n_charged ||
        request->requested < reach->requested || request->sum_q2 < reach->sum_q2 ||
        request->grid_bound > reach->grid_bound || request->concentration > reach->concentration)
        return 0;
    if (request->options->kmax == 0 && k_c != reach->k_c) return 0;
    return enuf_strain_of(reach->frame, request->cell->cell) <= reach->strain;
}

enuf_choice_request enuf_reach_charges(const enuf_choice_request *request)
{
    enuf_choice_request worst = *request;
    const enuf_ewald_options *o = request->options;
    /* A is the request, or proportional to 1/F_ref of charges and volume */
    if (!(o->accuracy > 0)) worst.requested *= (1 - CHARGES) * (1 - CHARGES);
    worst.sum_q2 *= 1 - CHARGES;
    worst.concentration *= 1 + CHARGES;
    return worst;
}

enuf_reach enuf_reach_of(const enuf_choice_request *request, double strain, double k_c)
{
    const enuf_choice_request worst = enuf_reach_charges(request);
    enuf_reach reach = {
        .strain = strain,
        .k_c = k_c,
        .n_charged = request->n_charged,
        .requested = worst.requested,
        .sum_q2 = worst.sum_q2,
        .grid_bound = worst.grid_bound,
        .concentration = worst.concentration,
    };
    memcpy(reach.frame, request->cell->frame, sizeof reach.frame);
    return reach;
}

double enuf_reach_guess(const enuf_choice_request *request, const enuf_parameters *p, double factor)
{
    const enuf_splitting *s = &p->splitting;
    /* -d ln chi_hat/d ln k at k_c, or about as much */
    const double slope =
        s->kind == ENUF_SPLIT_GAUSSIAN ? p->k_c * p->k_c / (2 * s->alpha * s->alpha) : s->c;
    const double square = p->predicted * p->predicted;
    const double of_mesh = (p->mesh * p->mesh + p->own * p->own) / square;
    const double of_few =
        enuf_few_modes(request->cell, p->k_c) ? p->truncation * p->truncation / square : 0;
    const double rate = 2 + (0.6 * slope + 6) * of_mesh + 2 * slope * of_few;
    return fmin(log(factor) / rate, LARGEST);
}
