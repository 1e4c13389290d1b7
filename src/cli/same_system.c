/* same_system.c - see same_system.h. SPDX-License-Identifier: BSD-3-Clause */
#include "same_system.h"

#include <math.h>

/* Largest relative change of the mean square charge between frames, for fluctuating charges. */
static const double FLUCTUATION = 0.1;

/* FNV-1a, then the finalizer of SplitMix64, so that sums of hashes of different names differ. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

cli_system cli_system_of(const enuf_structure *structure, int file, double coulomb)
{
    cli_system system = {.file = file, .coulomb = coulomb, .n = structure->n};
    for (int64_t i = 0; i < structure->n; ++i) {
        const double q = structure->charges[i];
        system.n_charged += q != 0;
        system.sum_q2 += q * q;
        system.species += hash_of(structure->species_names[structure->species[i]]);
    }
    return system;
}

int cli_is_same_system(const cli_system *a, const cli_system *b)
{
    return a->file == b->file && a->coulomb == b->coulomb && a->n == b->n &&
           a->n_charged == b->n_charged && a->species == b->species &&
           fabs(a->sum_q2 - b->sum_q2) <= FLUCTUATION * fmax(a->sum_q2, b->sum_q2);
}
