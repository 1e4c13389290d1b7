/* blocks.c - blocks of sorted points, shared out among the threads. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "cpu.h"
#include "parallel.h"

/* Points of a run at level NONE: neighbours in the caller's order may share a tile. */
enum { RUN = 64 };

typedef struct block_loop {
    enuf_nufft *plan;
    enuf_block_work work;
    const void *job;
    _Atomic int64_t first_outside;
} block_loop;

static void work_on_blocks(void *context, int64_t begin, int64_t end, int thread)
{
    block_loop *loop = context;
    enuf_cpu *cpu = loop->plan->workspace;
    const enuf_sorted_points *p = &cpu->points;
    const int none = loop->plan->options.level == ENUF_LEVEL_NONE;
    void *tile = (double *)cpu->tiles + thread * cpu->tile_room;
    for (int64_t block = begin; block < end; block++) {
        int64_t from, to;
        if (none) {
            from = block * RUN;
            to = from + RUN < loop->plan->n_points ? from + RUN : loop->plan->n_points;
        } else {
            from = p->start[block];
            to = p->start[block + 1];
        }
        if (from == to) continue;
        const int64_t bad = loop->work(loop->plan, loop->job, from, to, tile);
        if (bad >= 0) enuf_lower(&loop->first_outside, enuf_cpu_sorted_at(loop->plan, bad)->index);
    }
}

int64_t enuf_cpu_each_block(enuf_nufft *plan, enuf_block_work work, const void *job)
{
    const enuf_cpu *cpu = plan->workspace;
    block_loop loop = {plan, work, job, INT64_MAX};
    enuf_cpu_sort(plan);
    if (plan->options.level == ENUF_LEVEL_NONE)
        enuf_parallel_for(plan->threads, (plan->n_points + RUN - 1) / RUN, 0, work_on_blocks,
                          &loop);
    else
        enuf_parallel_for(plan->threads, cpu->points.n_blocks, 1, work_on_blocks, &loop);
    return loop.first_outside == INT64_MAX ? -1 : loop.first_outside;
}
