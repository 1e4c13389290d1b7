/*
 * exclusion_slopes.cu - slopes of the excluded pairs, as ewald/derivatives/exclusion_slopes.c: a
 * thread an atom; each pair is met from both of its atoms. SPDX-License-Identifier: BSD-3-Clause
 */
#include "cuda/nearest_image.cuh"
#include "derivatives/exclusion_slopes.h"
#include "slope_totals.cuh"

static __global__ void __launch_bounds__(atom_threads)
    exclude_slopes(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                   const __grid_constant__ enuf_cuda_exclusions x, double *partial)
{
    const enuf_motion &m = atoms.motion;
    double totals[SLOPE_TOTALS] = {};
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        double force[3] = {0, 0, 0}, potential = 0;
        for (int64_t p = x.first[i]; p < x.first[i + 1]; p++) {
            const int64_t j = x.partner[p];
            enuf_excluded_pair pair;
            double d[3];
            nearest_image(x, m.positions + i * m.stride, m.positions + j * m.stride, d);
            enuf_excluded_pair_make(&m, i, j, atoms.q[i], atoms.q[j], x.removed[p], d, &pair);
            enuf_excluded_pair_add(&pair, totals);
            for (int k = 0; k < 3; k++) force[k] += pair.force_slope[k];
            potential += pair.potential_slope;
        }
        if (x.first[i] == x.first[i + 1]) continue;
        for (int k = 0; k < 3; k++) atoms.forces[3 * i + k] += force[k];
        atoms.potential[i] += potential;
    }
    sum_block(totals, partial);
}

extern "C" enuf_status enuf_cuda_add_exclusion_slopes(const enuf_cuda_moving_atoms *atoms,
                                                      const enuf_cuda_exclusions *x,
                                                      double *partial, double *totals,
                                                      cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(atoms->n);
    exclude_slopes<<<blocks, atom_threads, 0, stream>>>(*atoms, *x, partial);
    ENUF_TRY(enuf_cuda_launched("slopes of exclusions"));
    return enuf_cuda_sum_partial(partial, blocks, SLOPE_TOTALS, SLOPE_TOTALS,
                                 totals + TOTAL_EXCLUDED, stream);
}
