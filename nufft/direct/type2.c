/*
 * type2.c - the direct sum of type 2: values[j] = sum_m modes[m] exp(sign 2 pi i m . s_j), and its
 * gradient. One thread sums all modes for ENUF_LANES points, row by row along axis 1.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "accumulate.h"
#include "memory.h"
#include "parallel.h"
#include "phases.h"
#include "kernels.h"

#include <string.h>

enum { WITH_GRADIENTS = 4 }; /* sums: value, and with gradients sum m_d modes[m] exp(...) */

typedef struct type2_sum {
    const enuf_direct_problem *problem;
    int sums; /* 1 or WITH_GRADIENTS */
    int64_t points;
    int64_t lanes;  /* ENUF_LANES numbers in a thread's tables: n[0] + n[1] + n[2] */
    double *s;      /* [n][dim] */
    double *modes;  /* [batch][modes] complex, times w(m) */
    double *slopes; /* [batch][modes] complex, times w(m) m_1; with gradients */
    double *tables; /* [threads][2][lanes][ENUF_LANES]: phases of sixteen points, axis by axis */
    void *values;   /* the caller's arrays */
    void *gradients;
} type2_sum;

static void release(type2_sum *sum)
{
    enuf_release(&sum->s);
    enuf_release(&sum->modes);
    enuf_release(&sum->slopes);
    enuf_release(&sum->tables);
}

static enuf_status allocate(type2_sum *sum)
{
    const enuf_direct_problem *problem = sum->problem;
    int64_t modes = problem->batch * problem->modes;
    int slopes = sum->sums == WITH_GRADIENTS;
    sum->lanes = problem->n[0] + problem->n[1] + problem->n[2];
    ENUF_TRY(enuf_allocate(&sum->s, sum->points * problem->dim, sizeof(double),
                           "fractional coordinates"));
    ENUF_TRY(enuf_allocate(&sum->modes, modes, 2 * sizeof(double), "modes"));
    ENUF_TRY(enuf_allocate(&sum->slopes, slopes ? modes : 0, 2 * sizeof(double), "modes"));
    return enuf_allocate(&sum->tables, problem->threads * sum->lanes,
                         2 * ENUF_LANES * sizeof(double), "phases");
}

/* Reads the modes: w(m) applied, unpaired modes left out. */
static enuf_status load_modes(type2_sum *sum, const void *modes)
{
    const enuf_direct_problem *problem = sum->problem;
    for (int64_t at = 0; at < problem->batch * problem->modes; ++at) {
        double *mode = sum->modes + 2 * at;
        double m1 = enuf_direct_mode(problem, 0, at % problem->n[0]);
        double weight = problem->real && m1 > 0.0 ? 2.0 : 1.0;
        if (enuf_direct_unpaired(problem, at % problem->modes)) {
            mode[0] = mode[1] = 0.0;
        } else {
            ENUF_TRY(enuf_direct_load(problem, "modes", modes, 1, at, 1, mode));
            mode[0] *= weight;
            mode[1] *= weight;
        }
        if (sum->sums == WITH_GRADIENTS) {
            sum->slopes[2 * at] = m1 * mode[0];
            sum->slopes[2 * at + 1] = m1 * mode[1];
        }
    }
    return ENUF_SUCCESS;
}

/* Phases of points first, first + 1, ...; lanes past the last point repeat it. */
static void tabulate(const type2_sum *sum, int64_t first, double *re, double *im)
{
    const enuf_direct_problem *problem = sum->problem;
    for (int d = 0; d < 3; ++d)
        for (int64_t i = 0; i < problem->n[d]; ++i, re += ENUF_LANES, im += ENUF_LANES)
            for (int k = 0; k < ENUF_LANES; ++k) {
                int64_t j = first + k < sum->points ? first + k : sum->points - 1;
                double s = d < problem->dim ? sum->s[j * problem->dim + d] : 0.0;
                enuf_unit_phase(enuf_direct_mode(problem, d, i), problem->sign * s, &re[k], &im[k]);
            }
}

/* totals += row times the phases of axes 2 and 3, times a mode number. */
static void carry_row(enuf_totals *totals, const enuf_totals *row, double factor,
                      const double *across)
{
    for (int k = 0; k < ENUF_LANES; ++k) {
        double re = factor * enuf_carried_value(row->re[k]);
        double im = factor * enuf_carried_value(row->im[k]);
        enuf_carry(&totals->re[k], re * across[k] - im * across[ENUF_LANES + k]);
        enuf_carry(&totals->im[k], re * across[ENUF_LANES + k] + im * across[k]);
    }
}

/* Adds up one batch for sixteen points: totals [sums]. */
static void add_modes(const type2_sum *sum, int64_t batch, const double *re, const double *im,
                      enuf_totals *totals)
{
    const enuf_direct_problem *problem = sum->problem;
    int64_t n1 = problem->n[0];
    int64_t n2 = problem->n[1];
    memset(totals, 0, (size_t)sum->sums * sizeof *totals);
    for (int64_t r = 0; r < n2 * problem->n[2]; ++r) {
        int64_t at = batch * problem->modes + r * n1;
        int64_t at2 = (n1 + r % n2) * ENUF_LANES;
        int64_t at3 = (n1 + n2 + r / n2) * ENUF_LANES;
        double across[2 * ENUF_LANES];
        for (int k = 0; k < ENUF_LANES; ++k) {
            across[k] = re[at2 + k] * re[at3 + k] - im[at2 + k] * im[at3 + k];
            across[ENUF_LANES + k] = re[at2 + k] * im[at3 + k] + im[at2 + k] * re[at3 + k];
        }
        enuf_totals row = {0};
        enuf_accumulate(n1, sum->modes + 2 * at, re, im, ENUF_LANES, &row);
        carry_row(&totals[0], &row, 1.0, across);
        if (sum->sums == 1) continue;
        carry_row(&totals[2], &row, enuf_direct_mode(problem, 1, r % n2), across);
        carry_row(&totals[3], &row, enuf_direct_mode(problem, 2, r / n2), across);
        memset(&row, 0, sizeof row);
        enuf_accumulate(n1, sum->slopes + 2 * at, re, im, ENUF_LANES, &row);
        carry_row(&totals[1], &row, 1.0, across);
    }
}

static void store(const type2_sum *sum, void *array, int64_t at, double re, double im)
{
    if (sum->problem->real) {
        enuf_direct_store(sum->problem, array, at, re);
    } else {
        enuf_direct_store(sum->problem, array, 2 * at, re);
        enuf_direct_store(sum->problem, array, 2 * at + 1, im);
    }
}

/* d/dx_e = sum_d T[d][e] sign 2 pi i sum_m m_d (...) */
static void store_gradient(const type2_sum *sum, int64_t at, int k, const enuf_totals *slopes)
{
    static const double TWO_PI = 6.28318530717958647693;
    const enuf_direct_problem *problem = sum->problem;
    for (int e = 0; e < problem->dim; ++e) {
        double re = 0.0;
        double im = 0.0;
        for (int d = 0; d < problem->dim; ++d) {
            double T = d == e ? 1.0 / problem->period : 0.0;
            if (problem->framed) T = problem->T[3 * d + e];
            re -= T * enuf_carried_value(slopes[d].im[k]);
            im += T * enuf_carried_value(slopes[d].re[k]);
        }
        double factor = problem->sign * TWO_PI;
        store(sum, sum->gradients, at * problem->dim + e, factor * re, factor * im);
    }
}

static void sum_groups(void *context, int64_t begin, int64_t end, int thread)
{
    const type2_sum *sum = context;
    const enuf_direct_problem *problem = sum->problem;
    double *re = sum->tables + thread * sum->lanes * 2 * ENUF_LANES;
    double *im = re + sum->lanes * ENUF_LANES;
    for (int64_t first = begin * ENUF_LANES; first < end * ENUF_LANES; first += ENUF_LANES) {
        tabulate(sum, first, re, im);
        for (int64_t b = 0; b < problem->batch; ++b) {
            enuf_totals totals[WITH_GRADIENTS];
            add_modes(sum, b, re, im, totals);
            for (int k = 0; k < ENUF_LANES && first + k < sum->points; ++k) {
                int64_t at = b * sum->points + first + k;
                if (sum->values)
                    store(sum, sum->values, at, enuf_carried_value(totals[0].re[k]),
                          enuf_carried_value(totals[0].im[k]));
                if (sum->gradients) store_gradient(sum, at, k, totals + 1);
            }
        }
    }
}

static void evaluate(type2_sum *sum)
{
    const int64_t groups = (sum->points + ENUF_LANES - 1) / ENUF_LANES;
    enuf_parallel_for(sum->problem->threads, groups, 1, sum_groups, sum);
}

static enuf_status compute(type2_sum *sum, const enuf_direct_points *points, const void *modes)
{
    ENUF_TRY(allocate(sum));
    ENUF_TRY(enuf_direct_fractions(sum->problem, points, sum->s));
    ENUF_TRY(load_modes(sum, modes));
    evaluate(sum);
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_sum_type2(const enuf_direct_problem *problem,
                                  const enuf_direct_points *points, const void *modes, void *values,
                                  void *gradients)
{
    type2_sum sum = {
        .problem = problem,
        .sums = gradients ? WITH_GRADIENTS : 1,
        .points = points->n,
        .values = values,
        .gradients = gradients,
    };
    enuf_status status = compute(&sum, points, modes);
    release(&sum);
    return status;
}
