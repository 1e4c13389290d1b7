/*
 * type2.c - the direct sum of type 2: values[j] = sum_m modes[m] exp(sign 2 pi i m . s_j), and its
 * gradient. SPDX-License-Identifier: BSD-3-Clause
 */
#include "error.h"
#include "memory.h"
#include "problem.h"

typedef struct type2_sum {
    enuf_mode_lattice nodes;
    double *modes;  /* [batch][modes] complex, times w(m) */
    double *values; /* [batch][n] complex */
    double *slopes; /* [batch][n][dim] complex: sum m_d modes[m] exp(...); with gradients */
} type2_sum;

/* Reads the modes: w(m) applied, unpaired modes left out. */
static enuf_status load_modes(const enuf_direct_problem *problem, const enuf_lattice *lattice,
                              const void *modes, double *loaded)
{
    for (int64_t at = 0; at < problem->batch * problem->modes; ++at) {
        double *mode = loaded + 2 * at;
        const double m1 = lattice->position[0][at % problem->n[0]];
        const double weight = problem->real && m1 > 0.0 ? 2.0 : 1.0;
        if (enuf_direct_unpaired(problem, at % problem->modes)) {
            mode[0] = mode[1] = 0.0;
        } else {
            ENUF_TRY(enuf_direct_load(problem, "modes", modes, 1, at, 1, mode));
            mode[0] *= weight;
            mode[1] *= weight;
        }
    }
    return ENUF_SUCCESS;
}

static void store(const enuf_direct_problem *problem, void *array, int64_t at, double re, double im)
{
    if (problem->real) {
        enuf_direct_store(problem, array, at, re);
    } else {
        enuf_direct_store(problem, array, 2 * at, re);
        enuf_direct_store(problem, array, 2 * at + 1, im);
    }
}

/* d/dx_e = sum_d T[d][e] sign 2 pi i sum_m m_d (...) */
static void store_gradient(const enuf_direct_problem *problem, const double *slopes, int64_t at,
                           void *gradients)
{
    static const double TWO_PI = 6.28318530717958647693;
    const int dim = problem->dim;
    for (int e = 0; e < dim; ++e) {
        double re = 0.0;
        double im = 0.0;
        for (int d = 0; d < dim; ++d) {
            double T = d == e ? 1.0 / problem->period : 0.0;
            if (problem->framed) T = problem->T[3 * d + e];
            re -= T * slopes[2 * (at * dim + d) + 1];
            im += T * slopes[2 * (at * dim + d)];
        }
        double factor = problem->sign * TWO_PI;
        store(problem, gradients, at * dim + e, factor * re, factor * im);
    }
}

static enuf_status compute(const enuf_direct_problem *problem, const enuf_direct_points *points,
                           const void *modes, void *values, void *gradients, type2_sum *sum)
{
    const int64_t results = problem->batch * points->n;
    const int dim = problem->dim;
    ENUF_TRY(enuf_direct_make_lattice(problem, points, &sum->nodes));
    ENUF_TRY(
        enuf_allocate(&sum->modes, problem->batch * problem->modes, 2 * sizeof(double), "modes"));
    ENUF_TRY(enuf_allocate(&sum->values, results, 2 * sizeof(double), "values"));
    ENUF_TRY(enuf_allocate(&sum->slopes, gradients ? results * dim : 0, 2 * sizeof(double),
                           "gradients"));
    ENUF_TRY(load_modes(problem, &sum->nodes.lattice, modes, sum->modes));
    ENUF_TRY(enuf_direct_kernels_find(problem->isa)
                 ->lattice_forward[ENUF_DOUBLE](&sum->nodes.lattice, sum->modes, sum->values,
                                                gradients ? sum->slopes : NULL));
    for (int64_t at = 0; at < results; ++at) {
        if (values) store(problem, values, at, sum->values[2 * at], sum->values[2 * at + 1]);
        if (gradients) store_gradient(problem, sum->slopes, at, gradients);
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_type2(const enuf_nufft_options *options, const double T[9],
                              const double origin[3], int64_t n, const double *x, const double *y,
                              const double *z, int64_t stride, const void *modes, void *values,
                              void *gradients)
{
    enuf_direct_problem problem;
    enuf_direct_points points = {n, {x, y, z}, stride};
    type2_sum sum = {0};
    ENUF_TRY(enuf_direct_read("enuf_direct_type2", options, 2, T, origin, &points, &problem));
    if (problem.modes > 0 && !modes)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_type2: modes is NULL");
    enuf_status status = compute(&problem, &points, modes, values, gradients, &sum);
    enuf_direct_free_lattice(&sum.nodes);
    enuf_release(&sum.modes);
    enuf_release(&sum.values);
    enuf_release(&sum.slopes);
    return status;
}
