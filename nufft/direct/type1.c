/* type1.c - the direct sum of type 1: modes[m] = sum_j strengths[j] exp(sign 2 pi i m . s_j).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "error.h"
#include "memory.h"
#include "problem.h"

typedef struct type1_sum {
    enuf_mode_lattice nodes;
    double *strengths; /* [batch][n] complex */
    double *modes;     /* [batch][modes] complex */
} type1_sum;

static void store(const enuf_direct_problem *problem, const double *sums, void *modes)
{
    for (int64_t at = 0; at < problem->batch * problem->modes; ++at) {
        const int paired = !enuf_direct_unpaired(problem, at % problem->modes);
        enuf_direct_store(problem, modes, 2 * at, paired ? sums[2 * at] : 0.0);
        enuf_direct_store(problem, modes, 2 * at + 1, paired ? sums[2 * at + 1] : 0.0);
    }
}

static enuf_status compute(const enuf_direct_problem *problem, const enuf_direct_points *points,
                           const void *strengths, void *modes, type1_sum *sum)
{
    const int64_t batch = problem->batch;
    ENUF_TRY(enuf_direct_make_lattice(problem, points, &sum->nodes));
    ENUF_TRY(enuf_allocate(&sum->strengths, batch * points->n, 2 * sizeof(double), "strengths"));
    ENUF_TRY(enuf_allocate(&sum->modes, batch * problem->modes, 2 * sizeof(double), "modes"));
    ENUF_TRY(enuf_direct_load(problem, "strengths", strengths, !problem->real, 0, batch * points->n,
                              sum->strengths));
    ENUF_TRY(enuf_direct_kernels_find(problem->isa)
                 ->lattice_adjoint[ENUF_DOUBLE](&sum->nodes.lattice, sum->strengths, sum->modes));
    store(problem, sum->modes, modes);
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_type1(const enuf_nufft_options *options, const double T[9],
                              const double origin[3], int64_t n, const double *x, const double *y,
                              const double *z, int64_t stride, const void *strengths, void *modes)
{
    enuf_direct_problem problem;
    enuf_direct_points points = {n, {x, y, z}, stride};
    type1_sum sum = {0};
    ENUF_TRY(enuf_direct_read("enuf_direct_type1", options, 1, T, origin, &points, &problem));
    if (n > 0 && !strengths)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_type1: strengths is NULL");
    if (problem.modes == 0) return ENUF_SUCCESS;
    if (!modes) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_direct_type1: modes is NULL");
    enuf_status status = compute(&problem, &points, strengths, modes, &sum);
    enuf_direct_free_lattice(&sum.nodes);
    enuf_release(&sum.strengths);
    enuf_release(&sum.modes);
    return status;
}
