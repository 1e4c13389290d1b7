/*
 * direct.c - pairs of sample and pixel a second of direct sums, forward and adjoint, with the error
 * of each result; beside them direct sums of NFFT3 and BART on the CPU and, on a GPU, the sum as it
 * is commonly written.
 *
 *   direct [--grids 64^2,128^2,256^2,64^3,128^3] [--trajectories spiral,radial,random]
 *          [--kinds plain,field,decay,gradients] [--precisions double,float] [--backends cpu,cuda]
 *          [--memory host,device] [--pairs N] [--threads N] [--batch N] [--repeats N] [--csv FILE]
 *          [--markdown]
 *
 * --pairs caps the samples of a grid so that a call has about so many pairs. A time is the least of
 * the repeats: with one thread on the CPU processor time, else wall time, which with device memory
 * ends when the results are there. Kinds: plain has none, field a field map, decay a field map and
 * a decay, gradients a field map and gradients in voxels. The error is relative l2 at some outputs,
 * against sums in double on the CPU, whose own is not seen. The peers on the CPU serve `plain`:
 * NFFT3 in double (NFFT3_LIBRARY names its file, peers/library.h), BART in float (BART_PROGRAM or
 * `bart` on the path; its time has its start and its files in it). OMP_NUM_THREADS gives their
 * threads.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "direct_device.h"
#include "direct_peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "direct";

enum { GRIDS = 5 };
static const char *const grid_names[GRIDS] = {"64^2", "128^2", "256^2", "64^3", "128^3"};
static const struct {
    int dim;
    int64_t edge;
} grids[GRIDS] = {{2, 64}, {2, 128}, {2, 256}, {3, 64}, {3, 128}};
static const char *const trajectory_names[] = {"spiral", "radial", "random"};
static const char *const kind_names[] = {"plain", "field", "decay", "gradients"};
static const char *const precision_names[] = {"double", "float"};
static const char *const backend_names[] = {"cpu", "cuda"};
static const char *const memory_names[] = {"host", "device"};

static direct_request read_arguments(int argc, char **argv)
{
    direct_request r = {.grids = 31,
                        .trajectories = 7,
                        .kinds = 15,
                        .precisions = 3,
                        .backends = 1,
                        .memories = 1,
                        .pairs = 2e8,
                        .batch = 1,
                        .repeats = 3,
                        .output = {.program = PROGRAM}};
    const struct {
        const char *name;
        int *to, n;
        const char *const *names;
    } lists[] = {{"--grids", &r.grids, GRIDS, grid_names},
                 {"--trajectories", &r.trajectories, BENCH_TRAJECTORIES, trajectory_names},
                 {"--kinds", &r.kinds, BENCH_SCANS, kind_names},
                 {"--precisions", &r.precisions, 2, precision_names},
                 {"--backends", &r.backends, 2, backend_names},
                 {"--memory", &r.memories, 2, memory_names}};
    const int n_lists = (int)(sizeof lists / sizeof lists[0]);
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        int k = 0;
        while (k < n_lists && strcmp(name, lists[k].name) != 0) k++;
        if (k < n_lists)
            *lists[k].to = bench_names(PROGRAM, value, lists[k].names, lists[k].n);
        else if (strcmp(name, "--pairs") == 0)
            r.pairs = strtod(value, NULL);
        else if (strcmp(name, "--threads") == 0)
            r.threads = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--batch") == 0)
            r.batch = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--repeats") == 0)
            r.repeats = (int)strtol(value, NULL, 10);
        else
            bench_die(PROGRAM, "%s: unknown argument", name);
    }
    if (r.batch < 1 || r.repeats < 1) bench_die(PROGRAM, "--batch and --repeats: 1 or more");
    return r;
}

static void measure(bench_table *t, const bench_scan *s, const direct_request *r,
                    const direct_row *w, int grid)
{
    const double pairs = (double)s->samples * (double)s->pixels;
    const char *name;
    double error;
    bench_progress("%s %s %s", grid_names[grid], trajectory_names[s->trajectory],
                   kind_names[s->kind]);
    const double seconds = direct_time(s, r, w, &error), peer = direct_time_peer(s, r, w, &name);
    bench_text(t, backend_names[w->backend == ENUF_BACKEND_CUDA]);
    bench_text(t, memory_names[w->memory == ENUF_DEVICE]);
    bench_text(t, precision_names[w->precision == ENUF_FLOAT]);
    bench_text(t, grid_names[grid]);
    bench_text(t, trajectory_names[s->trajectory]);
    bench_number(t, "%.0f", (double)s->samples);
    bench_number(t, "%.0f", r->batch);
    bench_text(t, kind_names[s->kind]);
    bench_text(t, w->adjoint ? "adjoint" : "forward");
    bench_number(t, "%.4g", seconds);
    bench_number(t, "%.3g", r->batch * pairs / seconds);
    bench_number(t, "%.1e", error);
    bench_text(t, name);
    bench_number(t, "%.3g", pairs / peer);
    bench_number(t, "%.2f", r->batch * peer / seconds);
}

static void measure_scan(bench_table *t, bench_scan *s, const direct_request *r, int grid)
{
    for (int place_of = 0; place_of < 4; place_of++) {
        const int cuda = place_of / 2, device = place_of % 2;
        if (!(r->backends >> cuda & 1) || !(r->memories >> device & 1) || (device && !cuda))
            continue;
        for (int single = 0; single < 2; single++)
            for (int adjoint = 0; adjoint < 2; adjoint++) {
                const direct_row w = {single ? ENUF_FLOAT : ENUF_DOUBLE,
                                      cuda ? ENUF_BACKEND_CUDA : ENUF_BACKEND_CPU,
                                      device ? ENUF_DEVICE : ENUF_HOST, adjoint};
                if (r->precisions >> single & 1) measure(t, s, r, &w, grid);
            }
    }
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"backend", -7}, {"memory", -6},       {"precision", -9},
                                           {"grid", -6},    {"trajectory", -10},  {"samples", 9},
                                           {"batch", 5},    {"kind", -9},         {"direction", -9},
                                           {"s", 10},       {"pairs/s", 9},       {"error", 8},
                                           {"peer", -16},   {"peer pairs/s", 12}, {"ratio", 7}};
    direct_request r = read_arguments(argc, argv);
    bench_table table;
    const char *peers = direct_open_peers();
    if (r.memories >> 1 & 1 && !bench_device_built())
        bench_die(PROGRAM, "--memory device: this program was built without CUDA");
    bench_table_begin(&table, &r.output, peers, columns, (int)(sizeof columns / sizeof columns[0]));
    for (int grid = 0; grid < GRIDS; grid++)
        for (int trajectory = 0; trajectory < BENCH_TRAJECTORIES; trajectory++) {
            if (!(r.grids >> grid & 1) || !(r.trajectories >> trajectory & 1)) continue;
            const double pixels = pow((double)grids[grid].edge, grids[grid].dim);
            const double samples = fmax(DIRECT_OUTPUTS, fmin(4 * pixels, r.pairs / pixels));
            bench_scan scan =
                bench_scan_make(grids[grid].dim, grids[grid].edge, trajectory, (int64_t)samples);
            for (scan.kind = 0; scan.kind < BENCH_SCANS; scan.kind++)
                if (r.kinds >> scan.kind & 1) measure_scan(&table, &scan, &r, grid);
            bench_scan_free(&scan);
        }
    bench_table_end(&table);
    return 0;
}
