/*
 * imaging.c - images of as many samples as pixels, stage by stage and by number of coils: tables I
 * to IV of Soerensen, Schaeffter, Noe, Hansen, IEEE Trans. Med. Imaging 27 (2008) 538, on this
 * machine, with peers in the same run.
 *
 *   imaging_bench [--backend cpu|cuda] [--sides 128,256,512] [--trajectories radial,spiral]
 *                 [--coils 1,8,32] [--threads N] [--seconds 0.3] [--rounds 1] [--csv FILE]
 *                 [--markdown]
 *
 * All in float. Forward is type 2, adjoint is type 1. `layout` 2/4 is tables I to III: upsampling 2
 * and a window of W = 4 cells of the image's grid, which are 8 of the fine grid. 2/3 and 1/4 are
 * table IV, with 256 spokes. With upsampling 1 the grid has two cells more than pixels. The
 * Gaussians of upsampling 2 have the deviations of examples/imaging/table_v.c. `error` is what enuf
 * chooses by itself for the error that the Gaussian of 2/4 delivers. Method `table` reads the
 * window from a table, as the source's L does. On the CPU `computed` computes and sets the samples
 * in each call, as the source's processors do on the fly: its `total` is to compare with a frame
 * whose samples are set anew. `runs`, on spokes, sets them by enuf_nufft_set_runs(). Errors are
 * relative l2, of random data, at 40 outputs.
 *
 * Times are the least of the turns in all rounds; a round has each method of a case once. On the
 * CPU they are processor time with one thread, else wall time. With --backend cuda arrays are in
 * device memory, CUDA events time ten calls in a row. `total` has its samples set. images_s and
 * moving_s are frames a second of so many coils, with samples that stay, and with samples that are
 * set anew in each frame. imaging_times.h tells what the parts are, imaging_peers.h what the peers
 * do: NFFT3_LIBRARY, FINUFFT_LIBRARY and CUFINUFFT_LIBRARY name their files; OMP_NUM_THREADS gives
 * NFFT3's threads. SPDX-License-Identifier: BSD-3-Clause
 */
#include "fail.h"
#include "imaging_peers.h"
#include "table.h"
#include "table_v.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "imaging_bench";
static const char *const trajectory_names[] = {"radial", "spiral"};
static const trajectory trajectories[] = {TRAJECTORY_RADIAL, TRAJECTORY_SPIRAL};
static const char *const direction_names[] = {"forward", "adjoint"};
static const enuf_window windows[] = {ENUF_WINDOW_GAUSSIAN, ENUF_WINDOW_KAISER_BESSEL,
                                      ENUF_WINDOW_PROLATE};
enum { N_WINDOWS = sizeof windows / sizeof *windows };
/* Of the source: sigma 2 and W 4; and of its table IV. */
enum { LAYOUTS = 3, OF_TABLE_4 = 1, SIDE_OF_TABLE_4 = 256 };
static const struct {
    const char *name;
    int row; /* of table_rows */
} layouts[LAYOUTS] = {{"2/4", 4}, {"2/3", 3}, {"1/4", 1}};

typedef struct request {
    imaging_clock clock;
    int n_sides, rounds, trajectories; /* trajectories: bits */
    double sides[BENCH_MOST_VALUES];
    bench_output output;
} request;

static request read_arguments(int argc, char **argv)
{
    request r = {.clock = {.backend = ENUF_BACKEND_CPU, .seconds = 0.3, .n_coils = 3},
                 .n_sides = 3,
                 .rounds = 1,
                 .trajectories = 3,
                 .sides = {128, 256, 512},
                 .output = {.program = PROGRAM}};
    memcpy(r.clock.coils, (double[]){1, 8, 32}, 3 * sizeof(double));
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        if (strcmp(name, "--backend") == 0) {
            if (enuf_backend_parse(value, &r.clock.backend) != ENUF_SUCCESS)
                bench_die(PROGRAM, "%s", enuf_last_error());
        } else if (strcmp(name, "--sides") == 0)
            r.n_sides = bench_numbers(PROGRAM, value, r.sides);
        else if (strcmp(name, "--coils") == 0)
            r.clock.n_coils = bench_numbers(PROGRAM, value, r.clock.coils);
        else if (strcmp(name, "--trajectories") == 0)
            r.trajectories = bench_names(PROGRAM, value, trajectory_names, 2);
        else if (strcmp(name, "--threads") == 0)
            r.clock.threads = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--rounds") == 0)
            r.rounds = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--seconds") == 0)
            r.clock.seconds = strtod(value, NULL);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.rounds < 1) bench_die(PROGRAM, "--rounds %d: 1 or more", r.rounds);
    if (r.clock.coils[0] != 1) bench_die(PROGRAM, "--coils: 1 is needed, and is first");
    for (int k = 0; k < r.n_sides; k++)
        if (!(r.sides[k] >= 16 && r.sides[k] <= 4096))
            bench_die(PROGRAM, "--sides %g: 16 to 4096", r.sides[k]);
    return r;
}

static void need_backend(const imaging_clock *clock)
{
    const char *reason = "";
    if (clock->backend == ENUF_BACKEND_AUTO) bench_die(PROGRAM, "--backend auto: name cpu or cuda");
    if (!enuf_backend_usable(clock->backend, &reason))
        bench_die(PROGRAM, "--backend %s: %s", enuf_backend_name(clock->backend), reason);
}

/* A row of enuf, with the least times of the rounds. */
typedef struct our_work {
    const char *name, *layout;
    enuf_nufft_options method;
    imaging_samples samples;
    imaging_times times;
} our_work;

enum { MOST_ROWS = LAYOUTS * N_WINDOWS + 5 };

/* ---- Rows ---- */

typedef struct place {
    bench_table *table;
    const request *r;
    const imaging_case *c;
    imaging_direction direction;
} place;

static void row_head(const place *at, const char *method, const char *layout, const char *window)
{
    bench_number(at->table, "%.0f", (double)at->c->side);
    bench_text(at->table, trajectory_name(at->c->kind));
    bench_text(at->table, direction_names[at->direction]);
    bench_text(at->table, enuf_backend_name(at->r->clock.backend));
    bench_text(at->table, method);
    bench_text(at->table, layout);
    bench_text(at->table, window);
}

static void our_row(const place *at, const our_work *row)
{
    const imaging_clock *clock = &at->r->clock;
    const imaging_times *t = &row->times;
    row_head(at, row->name, row->layout, enuf_window_name(row->method.window));
    bench_number(at->table, "%.2f", t->upsampling);
    bench_number(at->table, "%.0f", t->width);
    bench_number(at->table, "%.1e", t->error);
    bench_number(at->table, "%.4f", 1e3 * t->convolution);
    bench_number(at->table, "%.4f", 1e3 * t->fft);
    bench_number(at->table, "%.4f", 1e3 * t->deapodisation);
    bench_number(at->table, "%.4f", 1e3 * t->total);
    bench_number(at->table, "%.4f", 1e3 * t->setting);
    for (int i = 0; i < clock->n_coils; i++) bench_number(at->table, "%.1f", 1 / t->still[i]);
    for (int i = 0; i < clock->n_coils; i++) bench_number(at->table, "%.1f", 1 / t->moving[i]);
}

/* Of frames of one coil: a peer's further coils are further calls. */
static void peer_row(const place *at, const imaging_peer *p)
{
    const int coils = at->r->clock.n_coils;
    row_head(at, p->name, p->layout, p->window);
    bench_number(at->table, "%.2f", p->upsampling);
    bench_number(at->table, "%.0f", p->width > 0 ? (double)p->width : NAN);
    bench_number(at->table, "%.1e", p->error);
    for (int i = 0; i < 3; i++) bench_number(at->table, "%.4f", NAN);
    bench_number(at->table, "%.4f", 1e3 * p->total);
    bench_number(at->table, "%.4f", 1e3 * p->setting);
    for (int i = 0; i < coils; i++) bench_number(at->table, "%.1f", i ? NAN : 1 / p->total);
    for (int i = 0; i < coils; i++)
        bench_number(at->table, "%.1f", i ? NAN : 1 / (p->total + p->setting));
}

/* ---- Measurements ---- */

static enuf_nufft_options method_of(int layout, enuf_window window, int64_t side)
{
    const table_row *row = &table_rows[layouts[layout].row];
    enuf_nufft_options options =
        window == ENUF_WINDOW_GAUSSIAN ? table_gaussian(row, side) : table_default(row, side);
    options.window = window;
    return options;
}

/* All rows but enuf's own choice, which needs the error of the first one. */
static int list_rows(const imaging_case *c, int on_cpu, our_work rows[MOST_ROWS])
{
    const int table_4 = c->side == SIDE_OF_TABLE_4 && c->kind == TRAJECTORY_RADIAL;
    int n = 0;
    for (int layout = 0; layout < (table_4 ? LAYOUTS : OF_TABLE_4); layout++)
        for (int k = 0; k < N_WINDOWS; k++)
            rows[n++] = (our_work){.name = "enuf",
                                   .layout = layouts[layout].name,
                                   .method = method_of(layout, windows[k], c->side)};
    for (int k = 0; k < 2; k++) { /* Gaussian, Kaiser-Bessel */
        rows[n] = rows[k];
        rows[n].name = "table";
        rows[n++].method.window_table = 1;
    }
    if (c->kind == TRAJECTORY_RADIAL) {
        rows[n] = rows[0];
        rows[n].name = "runs";
        rows[n++].samples = IMAGING_RUNS;
    }
    if (!on_cpu) return n;
    rows[n] = rows[0];
    rows[n].name = "computed";
    rows[n++].samples = IMAGING_COMPUTED;
    return n;
}

/* Parts stay with their total. */
static void keep_least(imaging_times *kept, const imaging_times *t, int n_coils)
{
    imaging_times least = kept->total <= t->total ? *kept : *t;
    least.setting = fmin(kept->setting, t->setting);
    for (int i = 0; i < n_coils; i++) {
        least.still[i] = fmin(kept->still[i], t->still[i]);
        least.moving[i] = fmin(kept->moving[i], t->moving[i]);
    }
    *kept = least;
}

static void measure_ours(const place *at, int round, our_work *row)
{
    const imaging_clock *clock = &at->r->clock;
    const imaging_times t =
        imaging_measure(at->c, at->direction, &row->method, row->samples, clock);
    if (round == 0)
        row->times = t;
    else
        keep_least(&row->times, &t, clock->n_coils);
}

static void measure(const place *at)
{
    our_work rows[MOST_ROWS];
    imaging_peer peers[IMAGING_MOST_PEERS], again[IMAGING_MOST_PEERS];
    const int own = list_rows(at->c, at->r->clock.backend == ENUF_BACKEND_CPU, rows);
    int n_peers = 0;
    for (int round = 0; round < at->r->rounds; round++) {
        for (int k = 0; k < own; k++) measure_ours(at, round, &rows[k]);
        const double asked = rows[0].times.error; /* by the Gaussian of 2/4 */
        if (round == 0)
            rows[own] = (our_work){
                .name = "enuf", .layout = "error", .method = gridding_options(at->c->side, asked)};
        measure_ours(at, round, &rows[own]);
        n_peers = imaging_peers_time(at->c, at->direction, asked, &at->r->clock,
                                     round == 0 ? peers : again);
        for (int k = 0; round > 0 && k < n_peers; k++) {
            peers[k].total = fmin(peers[k].total, again[k].total);
            peers[k].setting = fmin(peers[k].setting, again[k].setting);
        }
    }
    for (int k = 0; k <= own; k++) our_row(at, &rows[k]);
    for (int k = 0; k < n_peers; k++) peer_row(at, &peers[k]);
}

static void measure_all(bench_table *table, const request *r)
{
    for (int s = 0; s < r->n_sides; s++)
        for (int k = 0; k < 2; k++) {
            if (!(r->trajectories >> k & 1)) continue;
            bench_progress("%.0f %s", r->sides[s], trajectory_names[k]);
            imaging_case c = imaging_case_make(trajectories[k], (int64_t)r->sides[s]);
            for (int d = IMAGING_FORWARD; d <= IMAGING_ADJOINT; d++) {
                const place at = {table, r, &c, (imaging_direction)d};
                measure(&at);
            }
            imaging_case_free(&c);
        }
}

int main(int argc, char **argv)
{
    static const bench_column fixed[] = {{"side", 4},
                                         {"trajectory", -10},
                                         {"direction", -9},
                                         {"backend", -7},
                                         {"method", -12},
                                         {"layout", -6},
                                         {"window", -13},
                                         {"upsampling", 4},
                                         {"width", 5},
                                         {"error", 7},
                                         {"convolution ms", 8},
                                         {"fft ms", 8},
                                         {"deapodisation ms", 8},
                                         {"total ms", 8},
                                         {"set points ms", 8}};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    bench_column columns[FIXED + 2 * BENCH_MOST_VALUES];
    char titles[2 * BENCH_MOST_VALUES][32];
    const request r = read_arguments(argc, argv);
    const int coils = r.clock.n_coils;
    bench_table table;
    fail_name(PROGRAM);
    need_backend(&r.clock);
    memcpy(columns, fixed, sizeof fixed);
    for (int i = 0; i < 2 * coils; i++) {
        snprintf(titles[i], sizeof titles[i], "%s s %.0f", i < coils ? "images" : "moving",
                 r.clock.coils[i % coils]);
        columns[FIXED + i] = (bench_column){titles[i], 8};
    }
    bench_table_begin(&table, &r.output, imaging_peers_open(r.clock.backend), columns,
                      FIXED + 2 * coils);
    measure_all(&table, &r);
    bench_table_end(&table);
    return 0;
}
