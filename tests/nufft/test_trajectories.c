/*
 * test_trajectories.c - sample positions of enuf/trajectories.h:
 *
 * - the numbers of readouts and samples are those of the rule, and R divides the readouts;
 * - samples lie in the box; spokes go through the centre, with N samples at equal distances;
 * - without reduction a sample is near every place of the ball, and the shell below its edge is
 *   filled evenly in all directions;
 * - the planes of a stack of stars are turned; Cartesian samples are those of the grid;
 * - random points are uniform (chi square);
 * - the same seed gives the same bits, which are known, on every machine; strides and periods only
 *   place and scale the numbers;
 * - wrong input is refused, with a text that says what would be right.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "enuf/trajectories.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct scan {
    enuf_trajectory_options options;
    int64_t n, readouts;
    double *s; /* [n][3], in periods; 0 past dim */
} scan;

static enuf_trajectory_options options_of(enuf_trajectory_kind kind, int dim, int64_t n, double r)
{
    enuf_trajectory_options o;
    enuf_trajectory_options_init(&o);
    o.kind = kind;
    o.dim = dim;
    for (int d = 0; d < dim; d++) o.modes[d] = n;
    o.reduction = r;
    return o;
}

static scan make(enuf_trajectory_options o)
{
    scan t = {.options = o};
    CHECK_STATUS(enuf_trajectory_count(&o, &t.n, &t.readouts), ENUF_SUCCESS);
    t.s = calloc((size_t)t.n * 3, sizeof *t.s);
    double *p = t.s;
    CHECK_STATUS(
        enuf_trajectory_fill(&o, t.n, p, o.dim > 1 ? p + 1 : NULL, o.dim > 2 ? p + 2 : NULL, 3),
        ENUF_SUCCESS);
    return t;
}

static double length(const double *s)
{
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

/* ---- Numbers ---- */

/* The rule of the header. The numbers of a cone are rounded up one by one. */
static int64_t readouts_of_cones(double n, double r)
{
    const double cones = ceil(pi / 2 * n);
    double sum = 0;
    for (double c = 0; c < cones; c++) {
        const double across = sin(pi * (c + 0.5) / cones), a = 4 * pi * across;
        sum += ceil(pi * n * across / sqrt(1 + a * a));
    }
    return (int64_t)ceil(sum / r);
}

static void numbers_follow_the_rule(void)
{
    static const double reductions[] = {1, 2.5, 4, 16};
    for (int k = 0; k < 4; k++) {
        const double r = reductions[k];
        int64_t n, readouts;
        enuf_trajectory_options o = options_of(ENUF_TRAJECTORY_RADIAL, 2, 62, r);
        CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
        CHECK(readouts == (int64_t)ceil(pi * 62 / (2 * r)) && n == 62 * readouts);
        o.modes[1] = 94; /* the larger counts */
        CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
        CHECK(readouts == (int64_t)ceil(pi * 94 / (2 * r)) && n == 94 * readouts);
        o = options_of(ENUF_TRAJECTORY_RADIAL, 3, 62, r);
        CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
        CHECK(readouts == (int64_t)ceil(pi * 62 * 62 / (2 * r)) && n == 62 * readouts);
        o = options_of(ENUF_TRAJECTORY_STACK_OF_STARS, 3, 62, r);
        o.modes[2] = 15;
        CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
        CHECK(readouts == 15 * (int64_t)ceil(pi * 62 / (2 * r)) && n == 62 * readouts);
        o = options_of(ENUF_TRAJECTORY_CONES, 3, 62, r);
        CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
        CHECK(readouts == readouts_of_cones(62, r));
        for (int kind = ENUF_TRAJECTORY_RANDOM; kind <= ENUF_TRAJECTORY_CLUSTER; kind++) {
            o = options_of((enuf_trajectory_kind)kind, 3, 11, r);
            CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
            CHECK(n == (int64_t)ceil(11 * 11 * 11 / r) && readouts == n);
        }
        o = options_of(ENUF_TRAJECTORY_CARTESIAN, 3, 11, r);
        CHECK_STATUS(enuf_trajectory_count(&o, &n, &readouts), ENUF_SUCCESS);
        CHECK(readouts == (int64_t)ceil(11 * 11 / r) && n == 11 * readouts);
    }
}

static void a_fourth_has_a_quarter(void)
{
    for (int kind = ENUF_TRAJECTORY_RADIAL; enuf_trajectory_kind_name((enuf_trajectory_kind)kind);
         kind++) {
        scan all = make(options_of((enuf_trajectory_kind)kind, 3, 40, 1));
        scan quarter = make(options_of((enuf_trajectory_kind)kind, 3, 40, 4));
        const char *name = enuf_trajectory_kind_name((enuf_trajectory_kind)kind);
        /* rounding up: a readout, of stacks of stars one a plane */
        const double rounding = kind == ENUF_TRAJECTORY_STACK_OF_STARS ? 40 : 1;
        CHECK(quarter.readouts * 4 >= all.readouts &&
              (double)quarter.readouts < (double)all.readouts / 4 + rounding);
        CHECK_CLOSE((double)quarter.n / (double)all.n, 0.25, 0.02, name);
        free(all.s);
        free(quarter.s);
    }
}

/* ---- Places ---- */

static void samples_lie_in_the_box(void)
{
    static const int64_t sizes[][3] = {{40, 40, 40}, {24, 17, 9}, {1, 1, 1}, {2, 3, 1}};
    for (int kind = ENUF_TRAJECTORY_RADIAL; enuf_trajectory_kind_name((enuf_trajectory_kind)kind);
         kind++)
        for (int dim = 1; dim <= 3; dim++)
            for (int k = 0; k < 4; k++) {
                enuf_trajectory_options o = options_of((enuf_trajectory_kind)kind, dim, 1, 1);
                memcpy(o.modes, sizes[k], sizeof o.modes);
                if ((dim < 3 &&
                     (kind == ENUF_TRAJECTORY_STACK_OF_STARS || kind == ENUF_TRAJECTORY_CONES)) ||
                    (dim < 2 && kind == ENUF_TRAJECTORY_RADIAL))
                    continue;
                scan t = make(o);
                double largest = 0;
                for (int64_t i = 0; i < 3 * t.n; i++) largest = fmax(largest, fabs(t.s[i]));
                CHECK(t.n > 0 && largest <= 0.5);
                free(t.s);
            }
}

/* Sample i of a spoke is (i - N/2)/N of its direction, which sample 0 shows. */
static void check_spokes(const scan *t, int64_t samples, const char *name)
{
    double worst = 0, bend = 0;
    for (int64_t r = 0; r < t->readouts; r++) {
        const double *spoke = t->s + 3 * r * samples, height = spoke[3 * (samples / 2) + 2];
        for (int64_t i = 0; i < samples; i++) {
            const double at = (double)(i - samples / 2) / (double)samples;
            double s[3];
            memcpy(s, spoke + 3 * i, sizeof s);
            if (t->options.kind == ENUF_TRAJECTORY_STACK_OF_STARS) s[2] -= height;
            worst = fmax(worst, fabs(length(s) - fabs(at)));
            for (int d = 0; d < 2; d++) bend = fmax(bend, fabs(s[d] - at / -0.5 * spoke[d]));
        }
    }
    printf("%s, %lld spokes of %lld samples\n", name, (long long)t->readouts, (long long)samples);
    CHECK_BELOW(worst, 3e-16, "radius - i/N (rounding)");
    CHECK_BELOW(bend, 3e-16, "distance from the line (rounding)");
}

static void spokes_are_straight(void)
{
    scan t = make(options_of(ENUF_TRAJECTORY_RADIAL, 2, 62, 1));
    check_spokes(&t, 62, "2D radial");
    double turned = 0;
    for (int64_t r = 0; r < t.readouts; r++) {
        const double *s = t.s + 3 * r * 62;
        turned = fmax(turned, fabs(atan2(-s[1], -s[0]) - pi * (double)r / (double)t.readouts));
    }
    CHECK_BELOW(turned, 1e-15, "angles of spokes - pi i / n (rounding)");
    free(t.s);
    t = make(options_of(ENUF_TRAJECTORY_RADIAL, 3, 20, 2));
    check_spokes(&t, 20, "3D radial");
    free(t.s);
    enuf_trajectory_options o = options_of(ENUF_TRAJECTORY_STACK_OF_STARS, 3, 20, 1);
    o.modes[2] = 7;
    t = make(o);
    check_spokes(&t, 20, "stack of stars");
    free(t.s);
}

/* Plane p stands at (p - n/2)/n and begins {p g} of an angle between spokes later. */
static void planes_are_turned(void)
{
    enuf_trajectory_options o = options_of(ENUF_TRAJECTORY_STACK_OF_STARS, 3, 20, 1);
    o.modes[2] = 7;
    scan t = make(o);
    const int64_t spokes = t.readouts / 7;
    double worst = 0, nearest = 1, place = 0, part[7];
    for (int p = 0; p < 7; p++) {
        const double *s = t.s + 3 * p * spokes * 20, golden = p * (sqrt(5) + 1) / 2;
        part[p] = atan2(-s[1], -s[0]) / pi * (double)spokes;
        worst = fmax(worst, fabs(part[p] - (golden - floor(golden))));
        place = fmax(place, fabs(s[2] - (p - 3) / 7.0));
        for (int q = 0; q < p; q++) nearest = fmin(nearest, fabs(part[p] - part[q]));
    }
    CHECK_BELOW(worst, 1e-14, "turns of planes, in angles between spokes (rounding of 7 g)");
    CHECK_BELOW(place, 1e-16, "heights of planes");
    CHECK(nearest > 0.05); /* of 7 multiples of the golden ratio: 1/13 or more */
    free(t.s);
}

/* Random places, as far from the edge as the last samples allow. */
static void check_cover(const scan *t, double bound, const char *name)
{
    enum { PLACES = 400 };
    const double n = (double)t->options.modes[0];
    const int dim = t->options.dim, flat = t->options.kind == ENUF_TRAJECTORY_STACK_OF_STARS;
    double numbers[3 * PLACES], worst = 0;
    random_numbers(5, 3 * PLACES, -1, 1, numbers);
    for (int k = 0; k < PLACES; k++) {
        double *u = numbers + 3 * k, nearest = 1;
        if (dim < 3) u[2] = 0;
        const double size = flat ? sqrt(u[0] * u[0] + u[1] * u[1]) : length(u);
        if (size > 1) continue;
        const double scale = 0.5 - 1.5 / n;
        for (int64_t j = 0; j < t->n; j++) {
            const double *s = t->s + 3 * j;
            const double to[3] = {s[0] - scale * u[0], s[1] - scale * u[1], s[2] - scale * u[2]};
            nearest = fmin(nearest, length(to));
        }
        worst = fmax(worst, n * nearest);
    }
    printf("%s of %g modes: %lld samples\n", name, n, (long long)t->n);
    CHECK_BELOW(worst, bound, "Nyquist steps from a place to the nearest sample");
}

static void samples_are_near_every_place(void)
{
    scan t = make(options_of(ENUF_TRAJECTORY_RADIAL, 2, 62, 1));
    check_cover(&t, sqrt(0.5), "2D radial (half the diagonal of a square)");
    free(t.s);
    t = make(options_of(ENUF_TRAJECTORY_STACK_OF_STARS, 3, 24, 1));
    check_cover(&t, sqrt(0.75), "stack of stars (half the diagonal of a cube)");
    free(t.s);
    t = make(options_of(ENUF_TRAJECTORY_CONES, 3, 24, 1));
    check_cover(&t, sqrt(0.75), "cones (half the diagonal of a cube)");
    free(t.s);
    t = make(options_of(ENUF_TRAJECTORY_RADIAL, 3, 24, 1));
    /* the cells around the ends have equal areas, but are no squares */
    check_cover(&t, 1, "3D radial (one step)");
    free(t.s);
}

/* The four outer steps in bands and sectors of equal volume: each holds as many samples, to `even`.
 * The shell has `density` samples a cubic step. */
static void check_shell(const scan *t, double density, double even, const char *name)
{
    enum { BANDS = 10, SECTORS = 8 };
    const double n = (double)t->options.modes[0], outer = n / 2 - 0.5, inner = outer - 4;
    double band[BANDS] = {0}, sector[SECTORS] = {0}, all = 0, worst = 0;
    for (int64_t j = 0; j < t->n; j++) {
        const double *s = t->s + 3 * j, r = length(s);
        if (n * r < inner || n * r >= outer) continue;
        band[(int)fmin(BANDS - 1, BANDS * (s[2] / r + 1) / 2)]++;
        sector[(int)fmin(SECTORS - 1, SECTORS * (atan2(s[1], s[0]) / pi + 1) / 2)]++;
        all++;
    }
    for (int k = 0; k < BANDS; k++) worst = fmax(worst, fabs(BANDS * band[k] / all - 1));
    for (int k = 0; k < SECTORS; k++) worst = fmax(worst, fabs(SECTORS * sector[k] / all - 1));
    const double steps = 4 * pi / 3 * (pow(outer, 3) - pow(inner, 3));
    printf("%s: %g samples in the shell, %.3f a cubic step\n", name, all, all / steps);
    CHECK_BELOW(worst, even, "band or sector of the shell - their mean");
    CHECK_CLOSE(all / steps, density, even, "samples a cubic step in the shell");
}

/* Without reduction readouts are a step apart at the edge. Below it they are denser: straight lines
 * as 1/r^2, windings as 1/r. Means over the shell. */
static void shells_are_filled_evenly(void)
{
    const double outer = 30.5, inner = 26.5, volume = (pow(outer, 3) - pow(inner, 3)) / 3;
    const double lines = 31 * 31 * (outer - inner) / volume;
    const double windings = 31 * (pow(outer, 2) - pow(inner, 2)) / 2 / volume;
    scan t = make(options_of(ENUF_TRAJECTORY_RADIAL, 3, 62, 1));
    check_shell(&t, lines, 0.01, "3D radial");
    free(t.s);
    /* a cone has about N/4 readouts, and they are rounded up */
    t = make(options_of(ENUF_TRAJECTORY_CONES, 3, 62, 1));
    check_shell(&t, windings, 4.0 / 62 + 0.01, "cones");
    free(t.s);
    t = make(options_of(ENUF_TRAJECTORY_CONES, 3, 62, 2));
    check_shell(&t, windings / 2, 4.0 / 62 + 0.01, "cones, R = 2");
    free(t.s);
}

/* Consecutive samples of cones are at most a step apart, and most are nearly that. */
static void paths_of_cones_have_even_steps(void)
{
    scan t = make(options_of(ENUF_TRAJECTORY_CONES, 3, 32, 1));
    double longest = 0, sum = 0;
    int64_t begins = 0;
    for (int64_t j = 0; j < t.n; j++) {
        const double *s = t.s + 3 * j;
        if (length(s) == 0) {
            begins++;
            continue;
        }
        const double step[3] = {s[0] - s[-3], s[1] - s[-2], s[2] - s[-1]};
        longest = fmax(longest, 32 * length(step));
        sum += 32 * length(step);
    }
    CHECK(begins == t.readouts);
    CHECK_BELOW(longest, 1, "longest step along a readout, in Nyquist steps");
    CHECK_CLOSE(sum / (double)(t.n - begins), 1, 0.03, "mean step (a readout is a whole number)");
    free(t.s);
}

static void cartesian_samples_are_the_grid(void)
{
    enuf_trajectory_options o = options_of(ENUF_TRAJECTORY_CARTESIAN, 3, 1, 1);
    const int64_t n[3] = {6, 5, 4};
    memcpy(o.modes, n, sizeof n);
    scan t = make(o);
    double worst = 0;
    for (int64_t j = 0; j < t.n; j++) {
        const int64_t at[3] = {j % 6, j / 6 % 5, j / 30};
        for (int d = 0; d < 3; d++)
            worst = fmax(worst, fabs(t.s[3 * j + d] - (double)(at[d] - n[d] / 2) / (double)n[d]));
    }
    CHECK(t.n == 120 && t.readouts == 20);
    CHECK_BELOW(worst, 1e-16, "place on the grid");
    o.reduction = 3; /* 7 of 20 lines, no two the same */
    scan part = make(o);
    CHECK(part.readouts == 7);
    for (int64_t r = 0; r < part.readouts; r++)
        CHECK(memcmp(part.s + 18 * r, t.s + 18 * (r * 20 / 7), 18 * sizeof *t.s) == 0);
    free(part.s);
    free(t.s);
}

/* Chi square of 8^3 equal boxes: mean 511, variance 1022. */
static void random_points_are_uniform(void)
{
    enum { SIDE = 8, BOXES = SIDE * SIDE * SIDE };
    for (int kind = ENUF_TRAJECTORY_RANDOM; kind <= ENUF_TRAJECTORY_CLUSTER; kind++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            enuf_trajectory_options o = options_of((enuf_trajectory_kind)kind, 3, 40, 1);
            o.seed = seed;
            scan t = make(o);
            double count[BOXES] = {0}, square = 0;
            const double edge = kind == ENUF_TRAJECTORY_CLUSTER ? 0.1 : 1;
            const double expected = (double)t.n / BOXES;
            for (int64_t j = 0; j < t.n; j++) {
                int box = 0;
                for (int d = 0; d < 3; d++)
                    box = SIDE * box + (int)floor(SIDE * (t.s[3 * j + d] / edge + 0.5));
                if (CHECK(box >= 0 && box < BOXES)) count[box]++;
            }
            for (int b = 0; b < BOXES; b++)
                square += (count[b] - expected) * (count[b] - expected) / expected;
            CHECK_BELOW((square - 511) / sqrt(1022), 4,
                        "chi square - mean (4 standard deviations)");
            free(t.s);
        }
}

/* ---- Bits ---- */

/* FNV-1a of the bytes, lowest first. */
static uint64_t hash(const scan *t)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < 3 * t->n; i++) {
        uint64_t bits;
        memcpy(&bits, &t->s[i], sizeof bits);
        for (int b = 0; b < 64; b += 8) h = (h ^ (bits >> b & 255)) * 0x100000001b3u;
    }
    return h;
}

/* The hashes come from this test itself (x86-64, gcc 12). */
static void bits_are_the_same_everywhere(void)
{
    static const struct {
        enuf_trajectory_kind kind;
        int dim;
        uint64_t hash;
    } known[] = {{ENUF_TRAJECTORY_RADIAL, 2, 0xbc6d98030f7d2047},
                 {ENUF_TRAJECTORY_RADIAL, 3, 0xe87ca379b85445da},
                 {ENUF_TRAJECTORY_STACK_OF_STARS, 3, 0x751dbaf7a5cf21ef},
                 {ENUF_TRAJECTORY_CONES, 3, 0x2b0206eff996856e},
                 {ENUF_TRAJECTORY_RANDOM, 3, 0x3416f31cfd8c18e1},
                 {ENUF_TRAJECTORY_CLUSTER, 2, 0xb2019b873be8ff96},
                 {ENUF_TRAJECTORY_CARTESIAN, 2, 0x69d77d3841fa1735}};
    for (int k = 0; k < (int)(sizeof known / sizeof *known); k++) {
        enuf_trajectory_options o = options_of(known[k].kind, known[k].dim, 14, 1.5);
        o.seed = 7;
        scan t = make(o), again = make(o);
        o.seed = 8;
        scan other = make(o);
        const int drawn = o.kind == ENUF_TRAJECTORY_RANDOM || o.kind == ENUF_TRAJECTORY_CLUSTER;
        printf("%s: %016llx\n", enuf_trajectory_kind_name(o.kind), (unsigned long long)hash(&t));
        CHECK(hash(&t) == known[k].hash);
        CHECK(memcmp(t.s, again.s, (size_t)t.n * 3 * sizeof *t.s) == 0);
        CHECK((hash(&other) != hash(&t)) == drawn);
        free(t.s);
        free(again.s);
        free(other.s);
    }
}

static void strides_and_periods(void)
{
    enuf_trajectory_options o = options_of(ENUF_TRAJECTORY_CONES, 3, 9, 2);
    scan t = make(o);
    double *planar = calloc((size_t)t.n * 3, sizeof *planar), worst = 0;
    o.period = 2 * pi;
    CHECK_STATUS(enuf_trajectory_fill(&o, t.n, planar, planar + t.n, planar + 2 * t.n, 1),
                 ENUF_SUCCESS);
    for (int64_t j = 0; j < t.n; j++)
        for (int d = 0; d < 3; d++)
            worst = fmax(worst, fabs(planar[d * t.n + j] - 2 * pi * t.s[3 * j + d]));
    CHECK_BELOW(worst, 0, "planar coordinates in radians");
    free(planar);
    free(t.s);
}

/* ---- Refusals ---- */

#define REFUSED(change, text)                                                                      \
    do {                                                                                           \
        enuf_trajectory_options o = good;                                                          \
        int64_t count = -5;                                                                        \
        change;                                                                                    \
        CHECK_STATUS(enuf_trajectory_count(&o, &count, NULL), ENUF_BAD_ARGUMENT);                  \
        CHECK_TEXT("enuf_trajectory_count: " text);                                                \
        CHECK(count == -5);                                                                        \
    } while (0)

static void wrong_input_is_refused(void)
{
    const enuf_trajectory_options good = options_of(ENUF_TRAJECTORY_RADIAL, 2, 8, 1);
    REFUSED(o.struct_size = 3, "options.struct_size is 3");
    REFUSED(o.kind = (enuf_trajectory_kind)99, "kind is 99: use one of ENUF_TRAJECTORY_KINDS");
    REFUSED(o.dim = 4, "dim is 4: use 1, 2 or 3");
    REFUSED(o.dim = 1, "dim is 1: radial needs 2 or 3");
    REFUSED(o.kind = ENUF_TRAJECTORY_CONES, "dim is 2: cones needs 3");
    REFUSED(o.kind = ENUF_TRAJECTORY_STACK_OF_STARS, "dim is 2: stack_of_stars needs 3");
    REFUSED(o.modes[1] = 0, "modes[1] is 0: use 1 or more");
    REFUSED(o.modes[1] = 1000000000, "radial has 1.6e+18 samples without reduction");
    REFUSED(o.reduction = 0.5, "reduction is 0.5: use a number of at least 1");
    REFUSED(o.reduction = NAN, "reduction is nan");
    REFUSED(o.reduction = HUGE_VAL, "reduction is inf");
    REFUSED(o.period = 0, "period is 0: use a number above 0");
    int64_t n;
    double x[1024];
    CHECK_STATUS(enuf_trajectory_count(NULL, &n, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("options is NULL");
    CHECK_STATUS(enuf_trajectory_count(&good, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("n is NULL");
    CHECK_STATUS(enuf_trajectory_count(&good, &n, NULL), ENUF_SUCCESS);
    CHECK_STATUS(enuf_trajectory_fill(&good, n - 1, x, x, NULL, 1), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("n is 103, but there are 104 samples: use enuf_trajectory_count()");
    CHECK_STATUS(enuf_trajectory_fill(&good, n, x, NULL, NULL, 1), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("y is NULL: give 2 coordinates");
    CHECK_STATUS(enuf_trajectory_fill(&good, n, x, x, NULL, 0), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("stride is 0: use 1 or more");
    CHECK_STATUS(enuf_trajectory_fill(&good, n, x, x, NULL, INT64_MAX), ENUF_BAD_ARGUMENT);
    enuf_trajectory_kind kind = ENUF_TRAJECTORY_CLUSTER;
    CHECK_STATUS(enuf_trajectory_kind_parse("spiral", &kind), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("radial, stack_of_stars, cones, random, cluster, cartesian");
    CHECK(kind == ENUF_TRAJECTORY_CLUSTER);
    CHECK_STATUS(enuf_trajectory_kind_parse("cones", &kind), ENUF_SUCCESS);
    CHECK(kind == ENUF_TRAJECTORY_CONES);
}

int main(void)
{
    numbers_follow_the_rule();
    a_fourth_has_a_quarter();
    samples_lie_in_the_box();
    spokes_are_straight();
    planes_are_turned();
    samples_are_near_every_place();
    shells_are_filled_evenly();
    paths_of_cones_have_even_steps();
    cartesian_samples_are_the_grid();
    random_points_are_uniform();
    bits_are_the_same_everywhere();
    strides_and_periods();
    wrong_input_is_refused();
    return check_result();
}
