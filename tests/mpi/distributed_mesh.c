/* distributed_mesh.c - see distributed_mesh.h. SPDX-License-Identifier: BSD-3-Clause */
#include "distributed_mesh.h"
#include "check.h"
#include "evaluate/totals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void exit_on_failure(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    printf("FAILED: %s\n", enuf_last_error());
    exit(CHECK_FAILED);
}

static void *allocate_zeros(int64_t count, size_t size)
{
    void *array = calloc((size_t)(count > 0 ? count : 1), size);
    if (!array) exit(CHECK_FAILED);
    return array;
}

enuf_ranks all_ranks(void)
{
    enuf_ranks ranks = {.comm = MPI_COMM_WORLD};
    MPI_Comm_rank(ranks.comm, &ranks.rank);
    MPI_Comm_size(ranks.comm, &ranks.size);
    return ranks;
}

int all_agree(const enuf_ranks *ranks, enuf_status status)
{
    struct {
        int status;
        char text[1024];
    } first = {.status = status};
    if (status != ENUF_SUCCESS) strncpy(first.text, enuf_last_error(), sizeof first.text - 1);
    MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, ranks->comm);
    return first.status == (int)status &&
           (status == ENUF_SUCCESS || strcmp(first.text, enuf_last_error()) == 0);
}

static size_t number_size(const enuf_ewald *ewald)
{
    return enuf_ewald_single_mesh(ewald) ? sizeof(float) : sizeof(double);
}

static double number_at(const enuf_ewald *ewald, const void *array, int64_t at)
{
    return enuf_ewald_single_mesh(ewald) ? (double)((const float *)array)[at]
                                         : ((const double *)array)[at];
}

whole_system sum_whole(enuf_ewald *ewald, int64_t n, const double *x, const double *q)
{
    whole_system whole = {.n = n, .x = x, .q = q, .ewald = ewald};
    const enuf_ewald_method *method = &ewald->method;
    exit_on_failure(enuf_ewald_update_method(ewald));
    const size_t number = number_size(ewald);
    const int single = enuf_ewald_single_mesh(ewald);
    float *q_single = allocate_zeros(n, sizeof *q_single);
    for (int64_t i = 0; i < n; i++) q_single[i] = (float)q[i];
    whole.half_potential = allocate_zeros(n, number);
    whole.half_gradient = allocate_zeros(3 * n, number);
    whole.atom_virial = allocate_zeros(6 * n, number);
    double reduced[2][7];
    exit_on_failure(enuf_nufft_set_frame(method->plan, ewald->geometry.frame, NULL));
    exit_on_failure(enuf_nufft_set_points(method->plan, n, x, x + 1, x + 2, 3));
    exit_on_failure(enuf_nufft_forward(method->plan, single ? (const void *)q_single : q));
    exit_on_failure(enuf_nufft_reduce(method->plan, 2, method->influence, 1, &reduced[0][0]));
    whole.energy = reduced[0][0];
    enuf_add_mode_virial(ewald->geometry.inverse, reduced[0][0], &reduced[1][1], whole.virial);
    exit_on_failure(enuf_nufft_backward(method->plan, ENUF_REAL, method->influence,
                                        whole.half_potential, whole.half_gradient));
    void *multiplier = allocate_zeros(method->n_stored_modes, number);
    for (int c = 0; c < 6; c++) {
        enuf_influence_virial(&ewald->geometry, method->plan_modes, single, 1, method->influence,
                              enuf_tensor_row[c], enuf_tensor_column[c], multiplier);
        exit_on_failure(enuf_nufft_backward(method->plan, ENUF_REAL, multiplier,
                                            (char *)whole.atom_virial + (size_t)(c * n) * number,
                                            NULL));
    }
    free(multiplier);
    free(q_single);
    return whole;
}

void free_whole(whole_system *whole)
{
    free(whole->half_potential);
    free(whole->half_gradient);
    free(whole->atom_virial);
}

int64_t share_points(const whole_system *whole, const enuf_ranks *ranks, point_shares shares,
                     int64_t *index)
{
    int64_t n = 0;
    for (int64_t i = 0; i < whole->n; i++) {
        int owner = (int)(i % ranks->size);
        if (shares == ALL_ON_LAST) owner = ranks->size - 1;
        if (shares == HALVES_OF_SPACE) {
            double s[3];
            enuf_cell_fractions(&whole->ewald->geometry, whole->x + 3 * i, s);
            owner = s[0] - floor(s[0]) < 0.5 ? 0 : ranks->size / 2;
        }
        if (shares == LAYERS_ACROSS_X || shares == LAYERS_ACROSS_Y) {
            double s[3];
            enuf_cell_fractions(&whole->ewald->geometry, whole->x + 3 * i, s);
            const double of_axis = s[shares == LAYERS_ACROSS_Y] - 0.1;
            const double at = of_axis - floor(of_axis);
            owner = (int)(at * ranks->size) % ranks->size;
        }
        if (owner == ranks->rank) index[n++] = i;
    }
    return n;
}

/* Largest difference over the largest number of the whole. The arrays are [n][width], or
 * [component][n] for several components. */
static double difference(const whole_system *whole, const void *all, const void *mine, int64_t n,
                         const int64_t *index, int width, int components)
{
    double most = 0, largest = 0;
    for (int64_t k = 0; k < whole->n * width * components; k++)
        largest = fmax(largest, fabs(number_at(whole->ewald, all, k)));
    for (int c = 0; c < components; c++)
        for (int64_t i = 0; i < n; i++)
            for (int k = 0; k < width; k++) {
                double expected =
                    number_at(whole->ewald, all, (c * whole->n + index[i]) * width + k);
                double found = number_at(whole->ewald, mine, (c * n + i) * width + k);
                most = fmax(most, fabs(found - expected));
                if (isnan(found)) return NAN;
            }
    return most / largest;
}

mesh_difference compare_with_whole(const enuf_reciprocal_table *table, enuf_reciprocal *mesh,
                                   const whole_system *whole, const enuf_ranks *ranks,
                                   point_shares shares)
{
    const size_t number = number_size(whole->ewald);
    int64_t *index = allocate_zeros(whole->n, sizeof *index);
    const int64_t n = share_points(whole, ranks, shares, index);
    double *x = allocate_zeros(3 * n, sizeof *x), *q = allocate_zeros(n, sizeof *q);
    float *q_single = allocate_zeros(n, sizeof *q_single);
    for (int64_t i = 0; i < n; i++) {
        memcpy(x + 3 * i, whole->x + 3 * index[i], 3 * sizeof *x);
        q[i] = whole->q[index[i]];
        q_single[i] = (float)q[i];
    }
    const enuf_mesh_points points = {n, x, q, number == sizeof(float) ? q_single : NULL};
    enuf_mesh_sums sums = {.with_virial = 1,
                           .half_potential = allocate_zeros(n, number),
                           .half_gradient = allocate_zeros(3 * n, number),
                           .atom_virial = allocate_zeros(6 * n, number)};
    exit_on_failure(table->compute(mesh, &points, &sums));
    mesh_difference d = {.energy = fabs(sums.energy - whole->energy) / fabs(whole->energy)};
    for (int c = 0; c < 6; c++)
        d.virial = fmax(d.virial, fabs(sums.virial[c] - whole->virial[c]) / fabs(whole->energy));
    d.potential = difference(whole, whole->half_potential, sums.half_potential, n, index, 1, 1);
    d.gradient = difference(whole, whole->half_gradient, sums.half_gradient, n, index, 3, 1);
    d.atom_virial = difference(whole, whole->atom_virial, sums.atom_virial, n, index, 1, 6);
    free(sums.half_potential);
    free(sums.half_gradient);
    free(sums.atom_virial);
    free(x);
    free(q);
    free(q_single);
    free(index);
    return d;
}
