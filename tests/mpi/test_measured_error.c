/*
 * test_measured_error.c - exact sums that ranks compute together equal those of one process to
 * 1e-12: forces and potentials of a sample of 37 atoms. The error measured with them is that of one
 * process, which draws the same atoms: forces to 1e-6. Atoms distributed in any way, ranks without
 * atoms, exclusions across ranks, boundary dielectric, slab, net charge, deterministic. An error
 * text names atoms at the same place by their numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/verify/exact_ranks.h"
#include "shared_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bound for sums that round in another order. */
static const double BOUND = 1e-12;

static int rank;

enum { SAMPLE = 37 };

/* The largest difference in the sample over the largest expected number. */
static double worst(int64_t n, const double *found, const double *expected)
{
    double most = 0, largest = 0;
    for (int64_t k = 0; k < n; k++) {
        largest = fmax(largest, fabs(expected[k]));
        if (!(fabs(found[k] - expected[k]) <= most)) most = fabs(found[k] - expected[k]);
    }
    return most / largest;
}

static void check_sample(enuf_ewald *ewald, const enuf_ewald_options *o, const charge_system *s,
                         const dealt_system *dealt, const enuf_exclusions *exclusions)
{
    int64_t atoms[SAMPLE], numbers[SAMPLE];
    double q[SAMPLE], forces[3 * SAMPLE], potential[SAMPLE], exact[3 * SAMPLE], exact_p[SAMPLE];
    for (int k = 0; k < SAMPLE; k++) {
        atoms[k] = (k * 7919) % s->n;
        numbers[k] = dealt->number[atoms[k]];
    }
    enuf_exact_options options;
    enuf_exact_options_init(&options);
    options.coulomb = o->coulomb;
    options.surroundings = o->surroundings;
    options.slab = o->slab;
    enuf_exact_result result = {.forces = exact, .potential = exact_p};
    CHECK_STATUS(enuf_exact_ewald(&options, s->cell, s->n, s->x, 3, s->q, exclusions, SAMPLE, atoms,
                                  &result),
                 ENUF_SUCCESS);
    const enuf_exact_atoms sample = {SAMPLE, numbers, q, forces, potential, NULL};
    if (!CHECK_STATUS(enuf_ranks_sum_exactly(ewald->on_ranks, dealt->x, 3, &sample), ENUF_SUCCESS))
        return;
    for (int k = 0; k < SAMPLE; k++) CHECK(q[k] == s->q[atoms[k]]);
    const double off[2] = {worst(3 * SAMPLE, forces, exact), worst(SAMPLE, potential, exact_p)};
    CHECK(off[0] <= BOUND && off[1] <= BOUND);
    if (rank == 0) CHECK_BELOW(fmax(off[0], off[1]), BOUND, "forces and potentials of the sample");
}

static void check_case(const char *name, const enuf_ewald_options *options, const charge_system *s,
                       const enuf_exclusions *exclusions)
{
    enuf_ewald_error one = {.struct_size = sizeof one}, many = one;
    if (rank == 0) {
        enuf_ewald *alone = make_alone(options, s, exclusions);
        CHECK_STATUS(enuf_ewald_measure_error(alone, s->x, 3, SAMPLE, 5, &one), ENUF_SUCCESS);
        enuf_ewald_destroy(&alone);
    }
    MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, 0, MPI_COMM_WORLD);
    enuf_ewald *ewald = make_shared(options, s);
    for (int how = 0; how < DEAL_COUNT && ewald; how++) {
        if (rank == 0) printf("%s, atoms %s\n", name, deal_name((deal)how));
        dealt_system dealt = deal_out(s, (deal)how, MPI_COMM_WORLD);
        if (!set_shared(ewald, &dealt, exclusions)) break;
        check_sample(ewald, options, s, &dealt, exclusions);
        CHECK_STATUS(enuf_ewald_measure_error(ewald, dealt.x, 3, SAMPLE, 5, &many), ENUF_SUCCESS);
        /* the atoms drawn are the same, whatever their numbers are */
        const double unit = one.energy_scale;
        CHECK(many.sample == one.sample);
        CHECK_CLOSE(many.accuracy, one.accuracy, 1e-6, "error of forces");
        CHECK_CLOSE(many.worst_force, one.worst_force, 1e-6, "error of the worst force");
        CHECK_CLOSE(many.rms_of_forces, one.rms_of_forces, 1e-12, "forces of the sample");
        CHECK_CLOSE(many.energy_scale, unit, 1e-12, "scale of the energy");
        CHECK_BELOW(fabs(many.energy - one.energy) / unit, BOUND, "error of the energy");
        free_dealt(&dealt);
    }
    enuf_ewald_destroy(&ewald);
}

static void check_same_place(void)
{
    charge_system s = make_ions(5, 100, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_GAUSSIAN);
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    memcpy(s.x + 3 * 97, s.x + 3 * 12, 3 * sizeof *s.x);
    enuf_ewald *ewald = make_shared(&options, &s);
    dealt_system dealt = deal_out(&s, DEAL_IN_BLOCKS, MPI_COMM_WORLD);
    const int64_t number = 12;
    double q, force[3], potential;
    const enuf_exact_atoms sample = {1, &number, &q, force, &potential, NULL};
    if (ewald && set_shared(ewald, &dealt, NULL)) {
        CHECK_STATUS(enuf_ranks_sum_exactly(ewald->on_ranks, dealt.x, 3, &sample),
                     ENUF_BAD_ARGUMENT);
        CHECK_TEXT("atoms 12 and 97 lie at the same place");
    }
    enuf_ewald_destroy(&ewald);
    free_dealt(&dealt);
    free_system(&s);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t pairs[3 * 60 * 2];
    charge_system water = make_water(3, 60, pairs);
    const enuf_exclusions exclusions = {3 * 60, pairs, NULL};
    charge_system tilted = make_ions(22, 150, CELL_TRICLINIC, 1.7);
    charge_system cubic = make_ions(23, 150, CELL_CUBIC, 0);
    enuf_ewald_options options = shared_options(1e-4, ENUF_SPLIT_PROLATE);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    /* on one rank, only a distributed grid makes an object of ranks */
    if (ranks == 1) options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    options.threads = 1;
    options.coulomb = 332.06371;
    check_case("water, exclusions", &options, &water, &exclusions);
    check_case("tilted cell with a net charge", &options, &tilted, NULL);
    options.surroundings = 1;
    check_case("vacuum around, exclusions", &options, &water, &exclusions);
    options.surroundings = 0;
    options.slab = 2;
    check_case("slab", &options, &cubic, NULL);
    options.slab = 0;
    options.deterministic = 1;
    check_case("deterministic", &options, &water, &exclusions);
    check_same_place();
    free_system(&water);
    free_system(&tilted);
    free_system(&cubic);
    return finish_ranks();
}
