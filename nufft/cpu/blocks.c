/* blocks.c - blocks of sorted points, shared out among the threads. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cpu.h"

int64_t enuf_cpu_each_block(enuf_nufft *plan, enuf_block_work work, const void *job)
{
    enuf_cpu *cpu = plan->workspace;
    const enuf_sorted_points *p = &cpu->points;
    int64_t first_outside = INT64_MAX;
#pragma omp parallel num_threads(plan->threads) reduction(min : first_outside)
    {
        void *tile = (double *)cpu->tiles + omp_get_thread_num() * cpu->tile_numbers;
#pragma omp for schedule(dynamic)
        for (int64_t block = 0; block < p->n_blocks; block++) {
            const int64_t from = p->start[block], to = p->start[block + 1];
            if (from == to) continue;
            const int64_t bad = work(plan, job, from, to, tile);
            if (bad >= 0 && p->sorted[bad].index < first_outside)
                first_outside = p->sorted[bad].index;
        }
    }
    return first_outside == INT64_MAX ? -1 : first_outside;
}
