/* thread_places.c - see thread_places.h. OpenMP binds the host's first thread to one place at
 * program start. New threads would inherit this place. SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "thread_places.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>

enuf_thread_place enuf_thread_place_of(int thread, int threads)
{
    const int places = omp_get_num_places(), first = omp_get_place_num();
    if (places < 1 || first < 0 || omp_get_proc_bind() == omp_proc_bind_false)
        return (enuf_thread_place){-1};
    const int spread = omp_get_proc_bind() == omp_proc_bind_spread && places > threads;
    const long step = spread ? (long)thread * places / threads : thread;
    return (enuf_thread_place){(int)((first + step) % places)};
}

void enuf_thread_go_to(const enuf_thread_place *place)
{
    if (place->number < 0) return;
    const int n = omp_get_place_num_procs(place->number);
    int *ids = malloc((size_t)(n > 0 ? n : 1) * sizeof *ids);
    if (!ids) return;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    omp_get_place_proc_ids(place->number, ids);
    for (int k = 0; k < n; k++)
        if (ids[k] < CPU_SETSIZE) CPU_SET(ids[k], &processors);
    free(ids);
    if (CPU_COUNT(&processors) > 0) sched_setaffinity(0, sizeof processors, &processors);
}
