/*
 * test_ewald_errors.c - each call of the interface refuses invalid arguments and a wrong order of
 * calls. The error names the argument and its value, and often the allowed values or a remedy. The
 * object and the caller's results do not change. SPDX-License-Identifier: BSD-3-Clause
 */
#include "systems.h"

#include <math.h>
#include <string.h>

#define REFUSED(call, status, text)                                                                \
    do {                                                                                           \
        CHECK_STATUS(call, status);                                                                \
        CHECK_TEXT(text);                                                                          \
    } while (0)
#define BAD(call, text) REFUSED(call, ENUF_BAD_ARGUMENT, text)

static void order_of_calls(void)
{
    charge_system s = make_ions(151, 20, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald;
    enuf_ewald_result r = {.struct_size = sizeof r};
    enuf_ewald_error error = {.struct_size = sizeof error};
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    REFUSED(enuf_ewald_compute(ewald, s.x, 3, 1, &r), ENUF_NO_POINTS_SET, "enuf_ewald_set_cell()");
    REFUSED(enuf_ewald_tune(ewald, NULL, 3), ENUF_NO_POINTS_SET, "enuf_ewald_set_cell()");
    CHECK_STATUS(enuf_ewald_set_cell(ewald, s.cell), ENUF_SUCCESS);
    REFUSED(enuf_ewald_begin(ewald, s.x, 3, 1, &r), ENUF_NO_POINTS_SET, "enuf_ewald_set_charges()");
    REFUSED(enuf_ewald_measure_error(ewald, s.x, 3, 1, 1, &error), ENUF_NO_POINTS_SET,
            "enuf_ewald_set_charges()");
    CHECK_STATUS(enuf_ewald_set_charges(ewald, s.n, s.q, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, 1, &r), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    BAD(enuf_ewald_compute(NULL, s.x, 3, 1, &r), "enuf_ewald_compute: ewald is NULL");
    BAD(enuf_ewald_real(NULL, s.x, 3, 1, &r), "enuf_ewald_real: ewald is NULL");
    BAD(enuf_ewald_reciprocal(NULL, s.x, 3, 1, &r), "enuf_ewald_reciprocal: ewald is NULL");
    BAD(enuf_ewald_set_cell(NULL, s.cell), "ewald is NULL");
    BAD(enuf_ewald_set_charges(NULL, s.n, s.q, NULL), "ewald is NULL");
    BAD(enuf_ewald_tune(NULL, NULL, 3), "ewald is NULL");
    BAD(enuf_ewald_begin(NULL, s.x, 3, 1, &r), "ewald is NULL");
    BAD(enuf_ewald_finish(NULL), "ewald is NULL");
    BAD(enuf_ewald_measure_error(NULL, s.x, 3, 1, 1, &error), "ewald is NULL");
    BAD(enuf_ewald_get_report(NULL, NULL), "ewald is NULL");
    free_system(&s);
}

/* One process has all modes. Only ranks can have a distributed grid. */
static void decompositions(void)
{
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald;
    options.decomposition = ENUF_DECOMPOSITION_REPLICATED;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    BAD(enuf_ewald_create(&options, &ewald), "decomposition is distributed");
    CHECK(!ewald);
    options.decomposition = (enuf_decomposition)7;
    BAD(enuf_ewald_create(&options, &ewald), "decomposition is 7");
}

static void cells(void)
{
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    enuf_ewald *ewald;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    const double flat[9] = {1, 0, 0, 2, 0, 0, 0, 0, 1}, nan[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    const double zero[9] = {0};
    BAD(enuf_ewald_set_cell(ewald, NULL), "cell is NULL");
    BAD(enuf_ewald_set_cell(ewald, flat), "enuf_ewald_set_cell: ");
    CHECK_TEXT("volume");
    BAD(enuf_ewald_set_cell(ewald, zero), "volume");
    CHECK_STATUS(enuf_ewald_set_cell(ewald, nan), ENUF_NOT_FINITE);
    enuf_ewald_destroy(&ewald);

    options.slab = 3;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    const double tilted[9] = {5, 0, 0, 1, 5, 0, 0.5, 0, 6}, fine[9] = {5, 0, 0, 1, 5, 0, 0, 0, 6};
    BAD(enuf_ewald_set_cell(ewald, tilted), "c_x = 0.5");
    CHECK_STATUS(enuf_ewald_set_cell(ewald, fine), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
}

static void charges_and_exclusions(void)
{
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.surroundings = 1;
    enuf_ewald *ewald;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS);
    const double q[4] = {1, -1, 1, -1}, charged[4] = {1, -1, 1, 1}, nan[4] = {1, -1, NAN, 1};
    const double huge[2] = {1e200, -1e200};
    BAD(enuf_ewald_set_charges(ewald, -1, q, NULL), "n is -1");
    BAD(enuf_ewald_set_charges(ewald, 4, NULL, NULL), "charges is NULL");
    REFUSED(enuf_ewald_set_charges(ewald, 4, nan, NULL), ENUF_NOT_FINITE, "charges[2] is nan");
    REFUSED(enuf_ewald_set_charges(ewald, 2, huge, NULL), ENUF_NOT_FINITE, "overflows");
    BAD(enuf_ewald_set_charges(ewald, 4, charged, NULL), "the net charge is 2");
    CHECK_TEXT("surroundings is 1");

    int64_t pairs[4] = {0, 1, 2, 3};
    double weights[2] = {0, 0.5};
    enuf_exclusions x = {2, pairs, weights};
    CHECK_STATUS(enuf_ewald_set_charges(ewald, 4, q, &x), ENUF_SUCCESS);
    pairs[3] = 4;
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x),
        "exclusion 1 is the pair (2, 4): atoms are 0 ... 3");
    pairs[3] = -1;
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x), "exclusion 1 is the pair (2, -1)");
    pairs[3] = 2;
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x), "an atom with itself");
    pairs[2] = 1;
    pairs[3] = 0;
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x), "the pair (0, 1) is excluded twice");
    pairs[2] = 2;
    pairs[3] = 3;
    weights[1] = NAN;
    REFUSED(enuf_ewald_set_charges(ewald, 4, q, &x), ENUF_NOT_FINITE, "weight of exclusion 1");
    x.n = -3;
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x), "exclusions->n is -3");
    x.n = INT64_MAX; /* refused before the arrays are read */
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x), "4 atoms have 6 pairs");
    x = (enuf_exclusions){2, NULL, NULL};
    BAD(enuf_ewald_set_charges(ewald, 4, q, &x), "exclusions->pairs is NULL");
    enuf_ewald_destroy(&ewald);
}

static void evaluations(void)
{
    charge_system s = make_ions(152, 20, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.deterministic = 1;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    enuf_ewald_result r = make_result(s.n), before = make_result(s.n), small = r, none = r;
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &before), ENUF_SUCCESS);
    r.energy = -7;
    r.forces[5] = -7;
    small.struct_size = 4;
    none.field = NULL;
    BAD(enuf_ewald_compute(ewald, NULL, 3, 1, &r), "positions is NULL");
    BAD(enuf_ewald_compute(ewald, s.x, 2, 1, &r), "stride is 2: it has to be at least 3");
    BAD(enuf_ewald_compute(ewald, s.x, 3, 128, &r), "wanted is 128");
    BAD(enuf_ewald_compute(ewald, s.x, 3, -1, &r), "wanted is -1");
    BAD(enuf_ewald_compute(ewald, s.x, 3, 1, NULL), "result is NULL");
    BAD(enuf_ewald_compute(ewald, s.x, 3, 1, &small), "result->struct_size is 4");
    BAD(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &none), "result->field is NULL");
    BAD(enuf_ewald_tune(ewald, s.x, 1), "stride is 1");
    BAD(enuf_ewald_compute(ewald, s.x, INT64_MAX, 1, &r), "no memory holds");
    BAD(enuf_ewald_tune(ewald, s.x, INT64_MAX / 4), "no memory holds");

    double saved = s.x[3 * 7 + 1];
    s.x[3 * 7 + 1] = NAN;
    REFUSED(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &r), ENUF_NOT_FINITE, "position of atom 7");
    s.x[3 * 7 + 1] = -INFINITY;
    REFUSED(enuf_ewald_real(ewald, s.x, 3, 1, &r), ENUF_NOT_FINITE, "position of atom 7");
    REFUSED(enuf_ewald_reciprocal(ewald, s.x, 3, 1, &r), ENUF_NOT_FINITE, "position of atom 7");
    REFUSED(enuf_ewald_tune(ewald, s.x, 3), ENUF_NOT_FINITE, "position of atom 7");
    s.x[3 * 7 + 1] = saved;
    CHECK(r.energy == -7 && r.forces[5] == -7);

    enuf_ewald_error error = {.struct_size = 1};
    enuf_ewald_report report = {.struct_size = 1};
    BAD(enuf_ewald_measure_error(ewald, s.x, 3, 1, 1, &error), "error->struct_size");
    BAD(enuf_ewald_measure_error(ewald, s.x, 3, 1, 1, NULL), "error is NULL");
    error.struct_size = sizeof error;
    BAD(enuf_ewald_measure_error(ewald, s.x, 3, -1, 1, &error), "sample is -1");
    BAD(enuf_ewald_get_report(ewald, &report), "report->struct_size");
    BAD(enuf_ewald_get_report(ewald, NULL), "report is NULL");

    /* after these errors the object gives the same bits as before */
    CHECK_STATUS(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &r), ENUF_SUCCESS);
    CHECK(r.energy == before.energy);
    CHECK(memcmp(r.forces, before.forces, 3 * (size_t)s.n * sizeof(double)) == 0);

    memcpy(&s.x[6], &s.x[3], 3 * sizeof(double)); /* two ions at one place */
    BAD(enuf_ewald_compute(ewald, s.x, 3, WANT_ALL, &r), "atoms 1 and 2 are at the same place");
    CHECK(r.energy == before.energy);
    enuf_ewald_destroy(&ewald);
    free_result(&r);
    free_result(&before);
    free_system(&s);
}

/* A grid that cannot hold the modes of kmax; cutoff, alpha and kmax of 1e300; too little memory. */
static void unusable_parameters(void)
{
    charge_system s = make_ions(153, 50, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_GAUSSIAN);
    options.kmax = 8;
    for (int d = 0; d < 3; d++) options.grid[d] = 12;
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    BAD(enuf_ewald_tune(ewald, NULL, 3), "enuf_ewald_tune: ");
    CHECK_TEXT("17");
    enuf_ewald_destroy(&ewald);

    options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.cutoff = 1e300;
    ewald = make_ewald(&options, &s, NULL);
    BAD(enuf_ewald_tune(ewald, NULL, 3), "cutoff is 1e+300");
    enuf_ewald_destroy(&ewald);
    options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.alpha = 1e300;
    ewald = make_ewald(&options, &s, NULL);
    BAD(enuf_ewald_tune(ewald, NULL, 3), "alpha is 1e+300");
    enuf_ewald_destroy(&ewald);
    options = options_for(1e-6, ENUF_SPLIT_AUTO);
    options.kmax = 1e300;
    ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_OUT_OF_MEMORY);
    enuf_ewald_destroy(&ewald);

    options = options_for(1e-6, ENUF_SPLIT_GAUSSIAN);
    options.memory_limit = 1000;
    ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_OUT_OF_MEMORY);
    enuf_ewald_destroy(&ewald);
    free_system(&s);
}

/* Grids that do not fit into memory or its limit, of up to more than 2^31 cells: no number
 * overflows, and the error says what takes less memory. */
static void too_many_cells(void)
{
    static const struct {
        int64_t grid, limit;
        double length, cutoff, kmax;
        const char *remedy;
    } cases[] = {
        {INT32_MAX, 0, 30, 9, 0, "a smaller grid and kmax take less memory"},
        {1 << 17, 0, 30, 9, 0, "a smaller grid and kmax take less memory"},
        {2048, 8000000000, 30, 9, 0, "a smaller grid and kmax take less memory"},
        {0, 8000000000, 30, 0, 1000, "a smaller grid and kmax take less memory"},
        {0, 0, 30, 0, 1e9, "a smaller grid and kmax take less memory"},
        {0, 0, 1e6, 1, 0, "a larger cutoff or less accuracy takes less memory"},
        {0, 8000000000, 3e3, 1, 0, "a larger cutoff or less accuracy takes less memory"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        charge_system s = make_ions(6, 50, CELL_CUBIC, 0);
        enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
        for (int d = 0; d < 3; d++) options.grid[d] = cases[k].grid;
        for (int d = 0; d < 9; d++) s.cell[d] = d % 4 == 0 ? cases[k].length : 0;
        options.memory_limit = cases[k].limit;
        options.cutoff = cases[k].cutoff;
        options.kmax = cases[k].kmax;
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_OUT_OF_MEMORY);
        CHECK_TEXT(cases[k].remedy);
        enuf_ewald_destroy(&ewald);
        free_system(&s);
    }
}

int main(void)
{
    too_many_cells();
    order_of_calls();
    cells();
    charges_and_exclusions();
    evaluations();
    decompositions();
    unusable_parameters();
    return check_result();
}
