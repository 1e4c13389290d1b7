/*
 * test_cli_structure_factor.c - `enuf structure-factor`: rock salt has the Bragg intensities of its
 * basis with charges, unit weights and atomic numbers, at single vectors and in shells; random ions
 * in a tilted cell have the sums of this test, at any vector and in shells of the reciprocal
 * lattice; ions without a cell have Debye's average over directions. Many vectors, which come from
 * one transform, agree with sums. --plot writes its files. Wrong options and files are refused.
 * Argument: --backend of the sums (cpu); with cuda the test looks at numbers alone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const char *backend = "cpu";

#define FACTORS(...) JSON("structure-factor", "--backend", backend, __VA_ARGS__)

/* ---- Rock salt ---- */

/* S of a cell of rock salt: with h, k, l all even 4 (Na + Cl), all odd 4 (Na - Cl), else 0. The
 * indices here are all of one parity. */
static double rock_salt(int odd, double na, double cl)
{
    const double s = 4 * (odd ? na - cl : na + cl);
    return s * s / (4 * (na * na + cl * cl));
}

static void bragg_intensities(const char *weights, double na, double cl)
{
    cJSON *report = FACTORS("nacl.xyz", "--weights", weights, "--q",
                            "1,1,1; 2,0,0; 1,0,0; -3,1,-1; 2,-2,4; 2,1,0");
    const double expected[] = {rock_salt(1, na, cl), rock_salt(0, na, cl), 0,
                               rock_salt(1, na, cl), rock_salt(0, na, cl), 0};
    const cJSON *vectors = json_at(report, "vectors");
    printf("%s\n", weights);
    CHECK(cJSON_GetArraySize(vectors) == 6);
    CHECK(strcmp(json_text(report, "weights"), weights) == 0);
    CHECK_CLOSE(json_number(report, "squares"), 4 * (na * na + cl * cl), 1e-15, "sum of squares");
    for (int k = 0; k < cJSON_GetArraySize(vectors); ++k)
        CHECK_BELOW(json_number(cJSON_GetArrayItem(vectors, k), "s") - expected[k], 1e-13,
                    "Bragg intensity");
    CHECK_CLOSE(json_number(cJSON_GetArrayItem(vectors, 3), "q"), 2 * pi / 5.64 * sqrt(11), 1e-15,
                "|q|");
    cJSON_Delete(report);
}

/* Shells so narrow that each has vectors of one length. */
static void powder_lines(void)
{
    cJSON *report = FACTORS("nacl.xyz", "--weights", "numbers", "--sphere", "4:40");
    /* h^2 + k^2 + l^2, how many, whether all are even or odd */
    static const struct {
        int square, count, parity;
    } lines[] = {{1, 6, -1}, {2, 12, -1}, {3, 8, 1},    {4, 6, 0},   {5, 24, -1}, {6, 24, -1},
                 {8, 12, 0}, {9, 30, -1}, {10, 24, -1}, {11, 24, 1}, {12, 8, 0}};
    const int n = sizeof lines / sizeof *lines;
    const cJSON *shells = json_at(report, "shells");
    CHECK(cJSON_GetArraySize(shells) == n);
    for (int k = 0; k < n && k < cJSON_GetArraySize(shells); ++k) {
        const cJSON *shell = cJSON_GetArrayItem(shells, k);
        const double s = lines[k].parity < 0 ? 0 : rock_salt(lines[k].parity, 11, 17);
        CHECK_CLOSE(json_number(shell, "q"), 2 * pi / 5.64 * sqrt(lines[k].square), 1e-14, "|q|");
        CHECK(json_number(shell, "count") == lines[k].count);
        /* the transform's error: 1e-11 of the root of the mean of |S|^2, in s twice that */
        CHECK_BELOW(json_number(shell, "s") - s, 1e-10, "powder line");
    }
    cJSON_Delete(report);
}

/* ---- Random ions ---- */

enum { IONS = 60 };

static const double tilted[9] = {9.1, 0.3, -0.2, 3.1, 8.2, 0.5, -1.7, 2.2, 10.4};

typedef struct ions {
    int64_t n;
    double *x, *q;
} ions;

static ions make_ions(uint64_t seed, int64_t n, const double cell[9])
{
    ions made = {n, calloc((size_t)n * 3, sizeof(double)), calloc((size_t)n, sizeof(double))};
    random_ions(seed, n, cell, 1.0, made.x, made.q);
    for (int64_t i = 0; i < n; ++i) made.q[i] *= 1 + 0.1 * (double)(i % 7);
    return made;
}

static void free_ions(ions *s)
{
    free(s->x);
    free(s->q);
}

static void write_ions(const char *name, const ions *s, const double *cell)
{
    FILE *file = fopen(name, "w");
    fprintf(file, "%lld\n", (long long)s->n);
    if (cell) {
        fputs("Lattice=\"", file);
        for (int c = 0; c < 9; ++c) fprintf(file, "%.17g ", cell[c]);
        fputs("\" ", file);
    }
    fputs("Properties=species:S:1:pos:R:3:charge:R:1\n", file);
    for (int64_t i = 0; i < s->n; ++i)
        fprintf(file, "X %.17g %.17g %.17g %.17g\n", s->x[3 * i], s->x[3 * i + 1], s->x[3 * i + 2],
                s->q[i]);
    fclose(file);
}

static double squares(const ions *s)
{
    double sum = 0;
    for (int64_t i = 0; i < s->n; ++i) sum += s->q[i] * s->q[i];
    return sum;
}

/* S at q, and s; one ion after the other. */
static double sum_at(const ions *s, const double q[3], double sum[2])
{
    sum[0] = sum[1] = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        const double *x = s->x + 3 * i, phase = q[0] * x[0] + q[1] * x[1] + q[2] * x[2];
        sum[0] += s->q[i] * cos(phase);
        sum[1] += s->q[i] * sin(phase);
    }
    return (sum[0] * sum[0] + sum[1] * sum[1]) / squares(s);
}

/* q = 2 pi (h a* + k b* + l c*) by Cramer's rule: q.a = 2 pi h, ... */
static void wave_vector(const double cell[9], const double hkl[3], double q[3])
{
    const double *a = cell, *b = cell + 3, *c = cell + 6;
    const double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                          a[2] * (b[0] * c[1] - b[1] * c[0]);
    for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        q[d] = 2 * pi / volume *
               (hkl[0] * (b[e] * c[f] - b[f] * c[e]) + hkl[1] * (c[e] * a[f] - c[f] * a[e]) +
                hkl[2] * (a[e] * b[f] - a[f] * b[e]));
    }
}

static double length(const double q[3])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
}

static void check_vector(const ions *s, const cJSON *row, const double q[3], double bound)
{
    double sum[2];
    const double factor = sum_at(s, q, sum), scale = sqrt(squares(s));
    CHECK_CLOSE(json_number(row, "q"), length(q), 1e-13, "|q|");
    CHECK_BELOW((json_number(row, "re") - sum[0]) / scale, bound, "real part");
    CHECK_BELOW((json_number(row, "im") - sum[1]) / scale, bound, "imaginary part");
    CHECK_BELOW(json_number(row, "s") - factor, bound * (1 + factor), "s");
}

static void single_vectors(const ions *s)
{
    static const double hkl[][3] = {{1, 0, 0}, {0.5, -1.25, 3}, {-7, 2, 11.5}, {0, 0, 0}};
    static const double xyz[][3] = {{0.3, -1.1, 2.5}, {9, 0, -4.25}};
    cJSON *report =
        FACTORS("tilted.xyz", "--q", "1,0,0;0.5,-1.25,3;-7,2,11.5;0,0,0", "--threads", "2");
    const cJSON *rows = json_at(report, "vectors");
    CHECK(cJSON_GetArraySize(rows) == 4);
    for (int k = 0; k < cJSON_GetArraySize(rows); ++k) {
        const cJSON *row = cJSON_GetArrayItem(rows, k);
        double q[3];
        wave_vector(tilted, hkl[k], q);
        CHECK(json_number(row, "h") == hkl[k][0] && json_number(row, "k") == hkl[k][1] &&
              json_number(row, "l") == hkl[k][2]);
        if (k < 3) check_vector(s, row, q, 1e-13);
    }
    cJSON_Delete(report);
    program_write_file("q.txt", "# along x, y, z\n0.3 -1.1 2.5\n\n9 0 -4.25 # the second\n");
    report = FACTORS("tilted.xyz", "--q-file", "q.txt", "--cartesian");
    rows = json_at(report, "vectors");
    CHECK(cJSON_GetArraySize(rows) == 2);
    for (int k = 0; k < cJSON_GetArraySize(rows); ++k) {
        CHECK(json_number(cJSON_GetArrayItem(rows, k), "qy") == xyz[k][1]);
        check_vector(s, cJSON_GetArrayItem(rows, k), xyz[k], 1e-13);
    }
    cJSON_Delete(report);
}

/* All vectors of a box around the sphere. */
static void shells_of_the_lattice(const ions *s)
{
    enum { SHELLS = 9, BOX = 10 };
    const double most = 4.2;
    double q_mean[SHELLS] = {0}, mean[SHELLS] = {0};
    int count[SHELLS] = {0}, last = 0;
    for (int h = -BOX; h <= BOX; ++h)
        for (int k = -BOX; k <= BOX; ++k)
            for (int l = -BOX; l <= BOX; ++l) {
                const double hkl[3] = {h, k, l};
                double q[3], sum[2];
                wave_vector(tilted, hkl, q);
                if (length(q) == 0 || length(q) > most) continue;
                last = (int)fmax(last, fmax(abs(h), fmax(abs(k), abs(l))));
                const int shell = (int)ceil(length(q) / most * SHELLS) - 1;
                mean[shell] += sum_at(s, q, sum);
                q_mean[shell] += length(q);
                ++count[shell];
            }
    CHECK(last < BOX); /* the box holds the sphere */
    cJSON *report = FACTORS("tilted.xyz", "--sphere", "4.2:9");
    const cJSON *shells = json_at(report, "shells");
    int at = 0;
    for (int k = 0; k < SHELLS; ++k) {
        if (count[k] == 0) continue;
        const cJSON *shell = cJSON_GetArrayItem(shells, at++);
        CHECK(json_number(shell, "count") == count[k]);
        CHECK_CLOSE(json_number(shell, "q"), q_mean[k] / count[k], 1e-13, "mean |q|");
        CHECK_BELOW(json_number(shell, "s") - mean[k] / count[k], 1e-10, "mean s");
    }
    CHECK(cJSON_GetArraySize(shells) == at && at > 5);
    cJSON_Delete(report);
}

/* Debye, Ann. Phys. 351 (1915) 809: mean |S|^2 = sum w_i w_j sin(q r_ij)/(q r_ij). */
static double debye(const ions *s, double q)
{
    double sum = 0;
    for (int64_t i = 0; i < s->n; ++i)
        for (int64_t j = 0; j < s->n; ++j) {
            double r[3];
            for (int d = 0; d < 3; ++d) r[d] = s->x[3 * i + d] - s->x[3 * j + d];
            const double qr = q * length(r);
            sum += s->q[i] * s->q[j] * (i == j ? 1 : sin(qr) / qr);
        }
    return sum / squares(s);
}

static void average_over_directions(const ions *s)
{
    cJSON *report = FACTORS("cluster.xyz", "--sphere", "8:16");
    const cJSON *shells = json_at(report, "shells");
    double extent = 0, worst = 0, sampled = 0;
    for (int64_t i = 0; i < s->n; ++i)
        for (int64_t j = 0; j < i; ++j) {
            double r[3];
            for (int d = 0; d < 3; ++d) r[d] = s->x[3 * i + d] - s->x[3 * j + d];
            extent = fmax(extent, length(r));
        }
    CHECK(cJSON_GetArraySize(shells) == 16);
    for (int k = 0; k < cJSON_GetArraySize(shells); ++k) {
        const cJSON *shell = cJSON_GetArrayItem(shells, k);
        const double q = 0.5 * (k + 1), off = json_number(shell, "s") - debye(s, q);
        CHECK_CLOSE(json_number(shell, "q"), q, 1e-15, "|q|");
        if (q * extent < 60) /* the rule counts from the centre of all ions */
            worst = fmax(worst, fabs(off));
        else
            sampled = fmax(sampled, fabs(off));
    }
    CHECK_BELOW(worst, 1e-11, "Debye's average");
    /* 8192 directions of a function that varies by its mean: about 1/sqrt(8192) */
    CHECK_BELOW(sampled, 0.05, "Debye's average by a sample of directions");
    cJSON_Delete(report);

    cJSON *vectors = FACTORS("cluster.xyz", "--q", "0.3,-1.1,2.5");
    const double q[3] = {0.3, -1.1, 2.5};
    check_vector(s, cJSON_GetArrayItem(json_at(vectors, "vectors"), 0), q, 1e-13);
    cJSON_Delete(vectors);
}

/* So many vectors of the lattice come from one transform. */
static void many_vectors(void)
{
    enum { MOST = 15 };
    static const double cube[9] = {30, 0, 0, 0, 28, 0, 0, 0, 26};
    ions s = make_ions(5, 2000, cube);
    write_ions("many.xyz", &s, cube);
    FILE *file = fopen("many.txt", "w");
    for (int h = -MOST; h <= MOST; ++h)
        for (int k = -MOST; k <= MOST; ++k)
            for (int l = -MOST; l <= MOST; ++l) fprintf(file, "%d %d %d\n", h, k, l);
    fclose(file);
    cJSON *report = FACTORS("many.xyz", "--q-file", "many.txt");
    const cJSON *row = json_at(report, "vectors")->child;
    int rows = 0;
    for (; row; row = row->next, ++rows) {
        if (rows % 1009) continue;
        const double hkl[3] = {json_number(row, "h"), json_number(row, "k"), json_number(row, "l")};
        double q[3];
        wave_vector(cube, hkl, q);
        check_vector(&s, row, q, 1e-10);
    }
    CHECK(rows == 31 * 31 * 31);
    cJSON_Delete(report);
    free_ions(&s);
}

/* ---- Files, names, refusals ---- */

static void files_are_written(void)
{
    program_run run;
    const int before = program_files();
    RUN(&run, "structure-factor", "nacl.xyz", "--weights", "unit", "--sphere", "5:20", "--plot",
        "p.svg");
    CHECK(run.status == 0);
    CHECK(strncmp(run.out, "q,s,count\n", 10) == 0);
    char *numbers = program_read_file("p.csv"), *picture = program_read_file("p.svg");
    CHECK(strcmp(numbers, run.out) == 0);
    if (strstr(run.err, "gnuplot is not installed"))
        CHECK(program_files() == before + 1);
    else
        CHECK(strstr(picture, "|q| (1/\303\205)") && strstr(picture, "nacl.xyz: structure factor"));
    free(numbers);
    free(picture);
    program_free(&run);

    RUN(&run, "structure-factor", "nacl.xyz", "--q", "1,1,1;2,0,0", "--plot", "v.svg");
    CHECK(run.status == 0 && program_lines(run.out) == 3);
    CHECK(strncmp(run.out, "h,k,l,q,re,im,s\n1,1,1,", 22) == 0);
    numbers = program_read_file("v.csv");
    CHECK(strcmp(numbers, run.out) == 0);
    free(numbers);
    program_free(&run);
}

/* Atomic numbers come from names, also of ions without charge: C 6, O 8, Na 11, H 1. */
static void names_give_atomic_numbers(void)
{
    program_write_file("names.xyz", "4\n\nC1 0 0 0\nOW 1 0 0\nNa+ 0 2 0\nH 0 0 3\n");
    cJSON *report = JSON("structure-factor", "names.xyz", "--weights", "numbers", "--q", "0,0,0");
    CHECK_CLOSE(json_number(report, "squares"), 36 + 64 + 121 + 1, 0, "sum of squares");
    CHECK_CLOSE(json_number(cJSON_GetArrayItem(json_at(report, "vectors"), 0), "re"), 26, 1e-15,
                "S(0)");
    cJSON_Delete(report);
    REFUSED("no charge for 'C1'", "structure-factor", "names.xyz", "--q", "1,1,1");
    program_write_file("other.xyz", "1\n\nQx 0 0 0\n");
    REFUSED("'Qx' in other.xyz begins with no symbol", "structure-factor", "other.xyz", "--weights",
            "numbers", "--q", "1,1,1");
    REFUSED("all charges are 0", "structure-factor", "other.xyz", "--charge", "Qx=0", "--q",
            "1,1,1");
}

static void wrong_options(void)
{
    REFUSED("no FILE given", "structure-factor", "--q", "1,1,1");
    REFUSED("give one of --q, --q-file and --sphere", "structure-factor", "nacl.xyz");
    REFUSED("give one of", "structure-factor", "nacl.xyz", "--q", "1,1,1", "--sphere", "3");
    REFUSED("--q '1,1': give three numbers", "structure-factor", "nacl.xyz", "--q", "0,1,2;1,1");
    REFUSED("wave vector 2 is 1e+308, 1, 1: numbers up to 1e15", "structure-factor", "nacl.xyz",
            "--q", "1,1,1;1e308,1,1");
    REFUSED("--q '1,1,nan", "structure-factor", "nacl.xyz", "--q", "1,1,nan");
    REFUSED("--sphere '3:0': give QMAX", "structure-factor", "nacl.xyz", "--sphere", "3:0");
    REFUSED("--sphere '-3': give QMAX", "structure-factor", "nacl.xyz", "--sphere", "-3");
    REFUSED("--sphere 0.5: no vector of the reciprocal lattice is so short", "structure-factor",
            "nacl.xyz", "--sphere", "0.5");
    REFUSED("--sphere 1e+09: ", "structure-factor", "nacl.xyz", "--sphere", "1e9");
    REFUSED("--cartesian is for --q", "structure-factor", "nacl.xyz", "--sphere", "3",
            "--cartesian");
    REFUSED("there is one standard input", "structure-factor", "-", "--q-file", "-");
    REFUSED("none.txt", "structure-factor", "nacl.xyz", "--q-file", "none.txt");
    program_write_file("bad.txt", "1 2 3\n1 2\n");
    REFUSED("bad.txt, line 2: 2 columns", "structure-factor", "nacl.xyz", "--q-file", "bad.txt");
    program_write_file("empty.txt", "# nothing\n");
    REFUSED("empty.txt: no wave vectors", "structure-factor", "nacl.xyz", "--q-file", "empty.txt");
}

static void numbers(void)
{
    bragg_intensities("charges", 1, -1);
    bragg_intensities("unit", 1, 1);
    bragg_intensities("numbers", 11, 17);
    powder_lines();
    ions s = make_ions(3, IONS, tilted);
    write_ions("tilted.xyz", &s, tilted);
    write_ions("cluster.xyz", &s, NULL);
    single_vectors(&s);
    shells_of_the_lattice(&s);
    average_over_directions(&s);
    free_ions(&s);
    many_vectors();
}

int main(int argc, char **argv)
{
    const char *reason = "";
    if (argc > 1) backend = argv[1];
    const int cuda = strcmp(backend, "cuda") == 0;
    if (cuda && !enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip(reason);
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);
    numbers();
    if (!cuda) {
        files_are_written();
        names_give_atomic_numbers();
        wrong_options();
    }
    program_leave_directory();
    return check_result();
}
