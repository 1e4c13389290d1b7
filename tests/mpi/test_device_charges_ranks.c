/*
 * test_device_charges_ranks.c - ranks that lead a GPU each take charges and exclusions in device
 * memory: deterministic energy and forces are those of host arrays, bit by bit. Errors are those of
 * host arrays. Totals in device memory are refused on all ranks. 200 ions. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "shared_system.h"
#include "to_device.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

static void *device_copy(int64_t n, const void *from)
{
    void *array = NULL;
    CHECK_CUDA(cudaMalloc(&array, (size_t)n * sizeof(double) + 1));
    CHECK_CUDA(to_device(array, from, (size_t)n * sizeof(double)));
    return array;
}

/* Sets the charges with arrays of the host or of the device. */
static enuf_status set(enuf_ewald *ewald, const dealt_system *here, const enuf_exclusions *x,
                       int on_device)
{
    if (!on_device) return enuf_ewald_set_charges(ewald, here->n, here->q, x);
    double *q = device_copy(here->n, here->q);
    const enuf_exclusions there = {x->n, device_copy(2 * x->n, x->pairs),
                                   device_copy(x->n, x->weights)};
    const enuf_status status = enuf_ewald_set_charges(ewald, here->n, q, &there);
    CHECK_CUDA(cudaFree(q));
    CHECK_CUDA(cudaFree((void *)there.pairs));
    CHECK_CUDA(cudaFree((void *)there.weights));
    return status;
}

static void same_as_host_arrays(const charge_system *s)
{
    enuf_ewald_options options = shared_options(1e-5, ENUF_SPLIT_AUTO);
    options.deterministic = 1;
    options.memory = ENUF_DEVICE;
    options.device = 0; /* where the test allocates; each rank leads */
    enuf_ewald *ewald = make_shared(&options, s);
    dealt_system here = deal_out(s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    const int64_t pairs[] = {here.number[3], here.number[150], here.number[8], here.number[9]};
    const double weights[] = {0, 0.5}, *x = device_copy(3 * here.n, here.x);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const enuf_exclusions exclusions = {rank == 0 ? 2 : 0, pairs, weights};
    enuf_ewald_result result[2];
    for (int turn = 0; turn < 2; turn++) {
        result[turn] = make_result(here.n);
        enuf_ewald_result there = result[turn];
        there.forces = device_copy(3 * here.n, here.x);
        CHECK_STATUS(set(ewald, &here, &exclusions, turn), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, WANT_SUMS, &there), ENUF_SUCCESS);
        CHECK_CUDA(cudaMemcpy(result[turn].forces, there.forces,
                              3 * (size_t)here.n * sizeof(double), cudaMemcpyDeviceToHost));
        result[turn].energy = there.energy;
        there.totals = device_copy(16, here.x);
        CHECK_STATUS(enuf_ewald_compute(ewald, x, 3, WANT_SUMS, &there), ENUF_UNSUPPORTED);
        CHECK_STATUS(enuf_ewald_check(ewald), ENUF_SUCCESS);
        CHECK_CUDA(cudaFree(there.totals));
        CHECK_CUDA(cudaFree(there.forces));
    }
    CHECK(result[0].energy == result[1].energy && result[0].energy != 0);
    CHECK(memcmp(result[0].forces, result[1].forces, 3 * (size_t)here.n * sizeof(double)) == 0);
    if (here.n > 4) here.q[4] = NAN;
    CHECK_STATUS(set(ewald, &here, &exclusions, 1), ENUF_NOT_FINITE);
    CHECK_TEXT("charges[4] is nan");
    enuf_ewald_destroy(&ewald);
    CHECK_CUDA(cudaFree((void *)x));
    for (int turn = 0; turn < 2; turn++) free_result(&result[turn]);
    free_dealt(&here);
}

int main(int argc, char **argv)
{
    if (begin_ranks(&argc, &argv)) {
        charge_system s = make_ions(61, 200, CELL_TRICLINIC, 1);
        same_as_host_arrays(&s);
        free_system(&s);
    }
    return finish_ranks();
}
