/*
 * main.c - M-TIP: a molecule from X-ray images of single particles in unknown orientations, on any
 * number of ranks.
 *
 * Rounds of merging and matching find the intensity and the orientations of the images, which are
 * shared among the ranks; phasing finds the density. mtip.py is the same in Python.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "fail.h"
#include "gpus.h"
#include "phasing.h"
#include "progress.h"
#include "results.h"
#include "turns.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job {
    settings s;
    int rank, ranks;
    molecule m;
    images i;
    intensity v;
    cube c;
} job;

static double degrees_wrong(const job *j)
{
    double sum = 0;
    for (int64_t k = 0; k < j->i.n; k++) {
        const double angle = turn_distance(j->i.right[k], j->i.turn[k]);
        sum += angle * angle;
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(sum / (double)j->s.images);
}

/* Each round merges; all but the last match, with turns by ever smaller angles. */
static void find_intensity(job *j)
{
    double degrees = 0.5 * j->s.wrong;
    if (j->rank == 0) progress_name("merging and matching");
    for (int64_t round = 1; round <= j->s.rounds; round++) {
        intensity_merge(&j->s, &j->i, &j->v);
        if (round < j->s.rounds) {
            intensity_match(&j->i, degrees, &j->v);
            intensity_match(&j->i, 0.5 * degrees, &j->v);
        }
        degrees = fmax(0.8 * degrees, 0.3);
        if (j->rank == 0) progress_step((int)round, (int)j->s.rounds);
    }
}

/* The best density of all ranks' starts, on each rank. Returns its distance. */
static double find_density(const job *j, double complex *density)
{
    amplitudes a = amplitudes_of(&j->s, &j->c, j->v.a);
    double complex *tried = allocate(j->c.voxels, sizeof *tried);
    struct {
        double distance;
        int rank;
    } best = {HUGE_VAL, j->rank}, of_all;
    for (int64_t start = j->rank; start < j->s.starts; start += j->ranks) {
        const double distance = phase_density(&j->s, &j->c, &a, start, tried);
        if (distance >= best.distance) continue;
        best.distance = distance;
        for (int64_t k = 0; k < j->c.voxels; k++) density[k] = tried[k];
    }
    MPI_Allreduce(&best, &of_all, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Bcast(density, (int)(2 * j->c.voxels), MPI_DOUBLE, of_all.rank, MPI_COMM_WORLD);
    amplitudes_free(&a);
    free(tried);
    return of_all.distance;
}

/* The least correlation of shells that were measured. */
static double least_correlation(const settings *s, const shells *found)
{
    double least = 1;
    for (int64_t k = 1; k < found->n && (double)k * found->unit <= s->q; k++)
        least = fmin(least, found->correlation[k]);
    return least;
}

static void report(job *j, double degrees, double distance, double complex *density)
{
    shells found = shells_make(&j->c, &j->m, density);
    results_write(&j->s, &j->c, &j->m, &j->i, &j->v, density, &found);
    printf("orientations: %.2f degrees RMS; amplitudes: %.3f; shell correlation to q %g: %.3f at "
           "least\n",
           degrees, distance, j->s.q, least_correlation(&j->s, &found));
    shells_free(&found);
}

static void run(job *j)
{
    double complex *density = allocate(j->c.voxels, sizeof *density);
    find_intensity(j);
    const double degrees = degrees_wrong(j), distance = find_density(j, density);
    if (j->rank == 0) report(j, degrees, distance, density);
    free(density);
}

/* The ranks of a machine take its GPUs in turn. */
static int gpu_of_rank(void)
{
    MPI_Comm machine;
    int rank = 0;
    const int gpus = gpus_here();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_free(&machine);
    return gpus > 0 ? rank % gpus : -1;
}

int main(int n_words, char **words)
{
    job j = {.rank = 0};
    MPI_Init(&n_words, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    fail_name(j.rank == 0 ? "mtip" : NULL); /* all ranks have the same words */
    j.s = settings_read(n_words, words);
    if (j.s.images < j.ranks)
        fail("%d ranks and %lld images: use an image or more for each rank", j.ranks,
             (long long)j.s.images);
    fail_name("mtip");
    if (j.s.backend == ENUF_BACKEND_CUDA) j.s.device = gpu_of_rank();
    j.m = molecule_make(&j.s);
    j.i = images_make(&j.s, &j.m, j.rank, j.ranks);
    j.v = intensity_make(&j.s);
    j.c = cube_make(&j.s);
    run(&j);
    molecule_free(&j.m);
    images_free(&j.i);
    intensity_free(&j.v);
    cube_free(&j.c);
    MPI_Finalize();
    return 0;
}
