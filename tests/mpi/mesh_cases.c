/* mesh_cases.c - see mesh_cases.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mesh_cases.h"
#include "check.h"
#include "distributed_mesh.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };

typedef struct mesh_case {
    const char *name;
    double cell[9];
    enuf_split split;
    enuf_arithmetic arithmetic;
    double accuracy;
    double net;      /* net charge */
    double filled;   /* part of each axis that the charges fill */
    int64_t grid[3]; /* 0: chosen */
    double slab;
} mesh_case;

static const mesh_case CASES[] = {
    {"cubic",
     {20, 0, 0, 0, 20, 0, 0, 0, 20},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_DOUBLE,
     1e-6,
     0,
     1,
     {0},
     0},
    {"triclinic, Gaussian, net charge",
     {18, 1, 0, 4, 17, -1, -5, 3, 22},
     ENUF_SPLIT_GAUSSIAN,
     ENUF_ARITHMETIC_DOUBLE,
     1e-8,
     2,
     1,
     {0},
     0},
    {"few planes of z",
     {40, 0, 0, 0, 30, 0, 0, 0, 8},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_DOUBLE,
     1e-6,
     0,
     1,
     {0},
     0},
    {"few planes of y, left-handed",
     {0, 0, 30, 8, 0, 0, 0, -40, 0},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_DOUBLE,
     1e-3,
     0,
     1,
     {0},
     0},
    {"clustered, slab",
     {25, 0, 0, 5, 25, 0, 0, 0, 25},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_DOUBLE,
     1e-7,
     1,
     0.35,
     {0},
     3},
    {"odd and prime grid",
     {20, 0, 0, 0, 20, 0, 0, 0, 20},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_DOUBLE,
     1e-4,
     0,
     1,
     {31, 37, 41},
     0},
    {"needle, fewer columns of cells than ranks",
     {60, 0, 0, 0, 3, 0, 0, 0, 3},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_DOUBLE,
     1e-2,
     0,
     1,
     {0},
     0},
    {"float mesh",
     {20, 2, 0, 0, 20, 0, 3, 0, 20},
     ENUF_SPLIT_PROLATE,
     ENUF_ARITHMETIC_MIXED,
     1e-4,
     0,
     1,
     {0},
     0},
};

static void make_charges(const mesh_case *c, double *x, double *q)
{
    double corner[9];
    for (int k = 0; k < 9; k++) corner[k] = c->filled * c->cell[k];
    random_ions(11, N, corner, 0.8, x, q);
    q[N - 1] += c->net;
    for (int64_t i = 0; i < N; i += 7) /* some charges lie outside the cell */
        for (int d = 0; d < 3; d++) x[3 * i + d] += 3 * c->cell[d] - 2 * c->cell[6 + d];
}

static enuf_ewald *make_object(const mesh_case *c, const double *q, enuf_backend backend)
{
    enuf_ewald *ewald = NULL;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = c->accuracy;
    options.split = c->split;
    options.arithmetic = c->arithmetic;
    options.slab = c->slab;
    options.backend = backend;
    options.threads = 2;
    memcpy(options.grid, c->grid, sizeof options.grid);
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, c->cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, q, NULL), ENUF_SUCCESS);
    return ewald;
}

/* The object of the mesh. On GPUs it takes the parameters that the object on the CPU has chosen, so
 * that both have the same sums. */
static enuf_ewald *object_of_mesh(const mesh_case *c, const double *q, const tested_mesh *tested,
                                  enuf_ewald *whole)
{
    if (!tested->devices) return whole;
    enuf_ewald *ewald = make_object(c, q, ENUF_BACKEND_CUDA);
    if (!ewald) return NULL;
    ewald->without_mesh = 1;
    CHECK_STATUS(enuf_ewald_update_method(ewald), ENUF_SUCCESS);
    ewald->method.parameters = whole->method.parameters;
    return ewald;
}

/* The bounds are rounding: at most 2e-15, in float 2e-7, was found on 1 to 13 ranks. */
static void check_difference(const mesh_difference *d, int single)
{
    const double bound = single ? 1e-6 : 1e-14;
    CHECK_BELOW(d->energy, bound, "energy");
    CHECK_BELOW(d->virial, bound, "virial");
    CHECK_BELOW(d->potential, bound, "potentials");
    CHECK_BELOW(d->gradient, bound, "gradients");
    CHECK_BELOW(d->atom_virial, bound, "virials of atoms");
}

/* The mesh also serves a slightly smaller cell, and then gives the sums of that cell. */
static void check_other_cell(const mesh_case *c, const tested_mesh *tested, enuf_reciprocal *mesh,
                             enuf_ewald *ewald, enuf_ewald *of_mesh, const double *x,
                             const double *q, const enuf_ranks *ranks)
{
    double cell[9];
    for (int k = 0; k < 9; k++) cell[k] = 0.995 * c->cell[k];
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    whole_system whole = sum_whole(ewald, N, x, q);
    if (of_mesh != ewald) {
        CHECK_STATUS(enuf_ewald_set_cell(of_mesh, cell), ENUF_SUCCESS);
        of_mesh->method.parameters = ewald->method.parameters;
    }
    CHECK(tested->table->serves(mesh, &ewald->method.parameters));
    CHECK_STATUS(tested->table->set_cell(mesh), ENUF_SUCCESS);
    mesh_difference d = compare_with_whole(tested->table, mesh, &whole, ranks, IN_TURN);
    check_difference(&d, c->arithmetic != ENUF_ARITHMETIC_DOUBLE);
    free_whole(&whole);
}

static void check_case(const mesh_case *c, const tested_mesh *tested, enuf_ranks *ranks)
{
    const enuf_reciprocal_table *table = tested->table;
    static double x[3 * N], q[N];
    make_charges(c, x, q);
    enuf_ewald *ewald = make_object(c, q, ENUF_BACKEND_CPU);
    whole_system whole = sum_whole(ewald, N, x, q);
    enuf_ewald *of_mesh = object_of_mesh(c, q, tested, ewald);
    if (!of_mesh) return;
    const enuf_mesh_request request = {ranks, of_mesh, tested->devices};
    enuf_reciprocal *mesh = NULL;
    CHECK_STATUS(table->create(&request, &mesh), ENUF_SUCCESS);
    if (!mesh) return;
    const enuf_parameters *p = &ewald->method.parameters;
    if (ranks->rank == 0)
        printf("%s: grid %lldx%lldx%lld, width %d, of which rank 0 holds %lld cells\n", c->name,
               (long long)p->grid[0], (long long)p->grid[1], (long long)p->grid[2], p->width,
               (long long)table->part(mesh).cells);
    /* the first case shares points in every way, each other case in one way */
    const int first = c == CASES ? 0 : (int)((c - CASES) % POINT_SHARES);
    const int last = c == CASES ? POINT_SHARES - 1 : first;
    for (int shares = first; shares <= last; shares++) {
        mesh_difference found =
            compare_with_whole(table, mesh, &whole, ranks, (point_shares)shares);
        check_difference(&found, c->arithmetic != ENUF_ARITHMETIC_DOUBLE);
    }
    free_whole(&whole);
    check_other_cell(c, tested, mesh, ewald, of_mesh, x, q, ranks);
    table->destroy(&mesh);
    CHECK(mesh == NULL);
    if (of_mesh != ewald) enuf_ewald_destroy(&of_mesh);
    enuf_ewald_destroy(&ewald);
}

void check_mesh_cases(const tested_mesh *tested, enuf_ranks *ranks)
{
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) check_case(&CASES[k], tested, ranks);
}
