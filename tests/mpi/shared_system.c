/* shared_system.c - see shared_system.h. SPDX-License-Identifier: BSD-3-Clause */
#include "shared_system.h"
#include "mpi/object/devices.h"
#include "mpi/sharing/sharing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_cuda, is_missing;
static char missing[512];

int begin_ranks(int *argc, char ***argv)
{
    const char *reason = "";
    begin_mpi(argc, argv);
    is_cuda = *argc > 1 && strcmp((*argv)[1], "cuda") == 0;
    if (is_cuda && enuf_ranks_backend_cuda.count(&reason) == 0) {
        is_missing = 1;
        snprintf(missing, sizeof missing, "%s", reason);
    }
    return !is_missing;
}

int on_gpus(void)
{
    return is_cuda;
}

const char *deal_name(deal how)
{
    static const char *const names[] = {
#define ENUF_X(NAME, description) description,
        DEALS(ENUF_X)
#undef ENUF_X
    };
    return names[how];
}

static void *allocate_zeros(int64_t n, size_t size)
{
    void *at = calloc((size_t)(n > 0 ? n : 1), size);
    if (!at) abort();
    return at;
}

static int owner(deal how, int64_t atom, int64_t n, int ranks)
{
    switch (how) {
    case DEAL_ALL_ON_FIRST:
        return 0;
    case DEAL_ALL_ON_LAST:
        return ranks - 1;
    case DEAL_IN_BLOCKS:
        return (int)(atom * ranks / n);
    default:
        return (int)(atom % ((ranks + 1) / 2)) * 2;
    }
}

dealt_system deal_out(const charge_system *whole, deal how, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    dealt_system d = {.atom = allocate_zeros(whole->n, sizeof *d.atom),
                      .x = allocate_zeros(3 * whole->n, sizeof *d.x),
                      .q = allocate_zeros(whole->n, sizeof *d.q),
                      .number = allocate_zeros(whole->n, sizeof *d.number)};
    int64_t next = 0;
    for (int r = 0; r < ranks; r++)
        for (int64_t i = 0; i < whole->n; i++) {
            if (owner(how, i, whole->n, ranks) != r) continue;
            d.number[i] = next++;
            if (r != rank) continue;
            d.atom[d.n] = i;
            memcpy(d.x + 3 * d.n, whole->x + 3 * i, 3 * sizeof *d.x);
            d.q[d.n++] = whole->q[i];
        }
    return d;
}

void free_dealt(dealt_system *dealt)
{
    free(dealt->atom);
    free(dealt->x);
    free(dealt->q);
    free(dealt->number);
}

enuf_ewald_options shared_options(double accuracy, enuf_split split)
{
    enuf_ewald_options options = options_for(accuracy, split);
    if (is_cuda) options.backend = ENUF_BACKEND_CUDA;
    return options;
}

/* Parameters depend on the number of GPUs. Beside one process the ranks take those of one. */
static void choose_as_one(enuf_ewald *ewald)
{
    if (ewald->calls == &enuf_calls_sharing) ewald = ((enuf_sharing *)ewald->on_ranks)->leaders;
    if (ewald) ewald->shared_work.devices = 0;
}

enuf_ewald *make_shared(const enuf_ewald_options *options, const charge_system *whole)
{
    enuf_ewald *ewald = NULL;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (CHECK_STATUS(enuf_ewald_create_mpi(MPI_COMM_WORLD, options, &ewald), ENUF_SUCCESS) &&
        !CHECK_STATUS(enuf_ewald_set_cell(ewald, rank == 0 ? whole->cell : NULL), ENUF_SUCCESS))
        enuf_ewald_destroy(&ewald);
    if (ewald) choose_as_one(ewald);
    return ewald;
}

int set_shared(enuf_ewald *ewald, const dealt_system *dealt, const enuf_exclusions *exclusions)
{
    enuf_exclusions mine = {0};
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int64_t n = exclusions ? exclusions->n : 0;
    int64_t *pairs = allocate_zeros(2 * n, sizeof *pairs);
    double *weights = allocate_zeros(n, sizeof *weights);
    for (int64_t k = rank; k < n; k += ranks) {
        for (int e = 0; e < 2; e++)
            pairs[2 * mine.n + e] = dealt->number[exclusions->pairs[2 * k + e]];
        weights[mine.n++] = exclusions->weights ? exclusions->weights[k] : 0;
    }
    mine.pairs = pairs;
    mine.weights = weights;
    const int set = CHECK_STATUS(
        enuf_ewald_set_charges(ewald, dealt->n, dealt->q, n ? &mine : NULL), ENUF_SUCCESS);
    free(pairs);
    free(weights);
    return set;
}

void broadcast_result(enuf_ewald_result *result, int64_t n)
{
    enuf_ewald_result of_first = *result;
    MPI_Bcast(&of_first, (int)sizeof of_first, MPI_BYTE, 0, MPI_COMM_WORLD);
    const struct {
        int width;
        double *at, **to;
    } arrays[] = {{3, result->forces, &of_first.forces},
                  {1, result->atom_energy, &of_first.atom_energy},
                  {6, result->atom_virial, &of_first.atom_virial},
                  {1, result->potential, &of_first.potential},
                  {3, result->field, &of_first.field}};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        *arrays[a].to = arrays[a].at;
        MPI_Bcast(arrays[a].at, arrays[a].width * (int)n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    *result = of_first;
}

static enuf_ewald_options options_alone(const enuf_ewald_options *options)
{
    enuf_ewald_options alone = *options;
    alone.decomposition = ENUF_DECOMPOSITION_AUTO;
    return alone;
}

enuf_ewald *make_alone(const enuf_ewald_options *options, const charge_system *whole,
                       const enuf_exclusions *exclusions)
{
    const enuf_ewald_options alone = options_alone(options);
    return make_ewald(&alone, whole, exclusions);
}

enuf_ewald_result evaluate_alone(const enuf_ewald_options *options, const charge_system *whole,
                                 const enuf_exclusions *exclusions)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const enuf_ewald_options one = options_alone(options);
    enuf_ewald_result result =
        rank == 0 ? evaluate(&one, whole, exclusions, WANT_ALL) : make_result(whole->n);
    broadcast_result(&result, whole->n);
    return result;
}

static double array_difference(int width, int64_t n_whole, const double *whole, const double *here,
                               const dealt_system *dealt)
{
    double largest = 0, most = 0;
    for (int64_t k = 0; k < width * n_whole; k++) largest = fmax(largest, fabs(whole[k]));
    for (int64_t i = 0; i < dealt->n; i++)
        for (int c = 0; c < width; c++) {
            const double off = fabs(here[width * i + c] - whole[width * dealt->atom[i] + c]);
            if (!(off <= most)) most = off;
        }
    return largest > 0 ? most / largest : most;
}

static double worst(double a, double b)
{
    return b <= a ? a : b; /* NaN wins */
}

shared_difference compare_shared(const enuf_ewald_result *whole, int64_t n_whole,
                                 const enuf_ewald_result *here, const dealt_system *dealt)
{
    /* the parts may cancel: rounding is relative to the sum of their sizes */
    const enuf_ewald_parts *p = &whole->parts, *h = &here->parts;
    const double unit = fabs(p->real) + fabs(p->reciprocal) + fabs(p->self) + fabs(p->background) +
                        fabs(p->surface) + fabs(p->excluded);
    const double off[6] = {h->real - p->real,       h->reciprocal - p->reciprocal,
                           h->self - p->self,       h->background - p->background,
                           h->surface - p->surface, h->excluded - p->excluded};
    shared_difference d = {.energy = fabs(here->energy - whole->energy) / unit};
    for (int k = 0; k < 6; k++) {
        d.parts = worst(d.parts, fabs(off[k]) / unit);
        d.virial = worst(d.virial, fabs(here->virial[k] - whole->virial[k]) / unit);
    }
    d.forces = array_difference(3, n_whole, whole->forces, here->forces, dealt);
    d.atom_energy = array_difference(1, n_whole, whole->atom_energy, here->atom_energy, dealt);
    d.atom_virial = array_difference(6, n_whole, whole->atom_virial, here->atom_virial, dealt);
    d.potential = array_difference(1, n_whole, whole->potential, here->potential, dealt);
    d.field = array_difference(3, n_whole, whole->field, here->field, dealt);
    return d;
}

int64_t count_different_bits(const enuf_ewald_result *whole, const enuf_ewald_result *here,
                             const dealt_system *dealt)
{
    int64_t count = memcmp(&here->energy, &whole->energy, sizeof here->energy) != 0;
    count += memcmp(&here->parts, &whole->parts, sizeof here->parts) != 0;
    count += memcmp(here->virial, whole->virial, sizeof here->virial) != 0;
    count += memcmp(here->net_force, whole->net_force, sizeof here->net_force) != 0;
    const struct {
        int width;
        const double *whole, *here;
    } arrays[] = {{3, whole->forces, here->forces},
                  {1, whole->atom_energy, here->atom_energy},
                  {6, whole->atom_virial, here->atom_virial},
                  {1, whole->potential, here->potential},
                  {3, whole->field, here->field}};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        for (int64_t i = 0; i < dealt->n; i++)
            count += memcmp(arrays[a].here + arrays[a].width * i,
                            arrays[a].whole + arrays[a].width * dealt->atom[i],
                            (size_t)arrays[a].width * sizeof(double)) != 0;
    return count;
}

void check_difference(const shared_difference *d, double bound)
{
    double values[8] = {d->energy,      d->parts,       d->virial,    d->forces,
                        d->atom_energy, d->atom_virial, d->potential, d->field};
    static const char *const names[8] = {
        "energy",           "parts of the energy", "virial", "forces", "energies of atoms",
        "virials of atoms", "potentials",          "fields"};
    for (int k = 0; k < 8; k++)
        if (isnan(values[k])) values[k] = INFINITY; /* MPI_MAX needs an order */
    MPI_Allreduce(MPI_IN_PLACE, values, 8, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int k = 0; k < 8; k++) CHECK_BELOW(values[k], bound, names[k]);
}

int finish_ranks(void)
{
    return end_mpi(is_missing ? check_skip(missing) : check_result());
}
