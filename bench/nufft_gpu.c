/*
 * nufft_gpu.c - times of transforms of types 1 to 3 in 1D to 3D on the GPU, against cuFINUFFT (the
 * best of its methods) in the same run with equal points and tolerance: set points + execute, and
 * execute alone, with the error of each result. All data stay in device memory; CUDA events measure
 * the times.
 *
 *   nufft_gpu [--dim 3] [--modes 64,128,256] [--density 0.1,1,10] [--float 1e-3,1e-5]
 *             [--double 1e-6,1e-12] [--points rand|cluster] [--type 1,2,3] [--upsampling S]
 *             [--repeats N] [--storage packed,indexed] [--kinds complex,real,gradient]
 *             [--methods 1,2,3,4] [--batch 1] [--no-peer] [--require-peer] [--csv FILE]
 *             [--markdown]
 *
 * Modes are counted along an axis: by default 64, 128, 256 in 3D, 256, 1024 in 2D, 1e5, 1e6 in 1D.
 * Density is points per mode. Type 3, which has complex strengths here, has as many targets as
 * points, uniform in the box of the modes; set points counts its targets. A cluster fills 8 cells
 * along each axis of a grid of twice the modes. GB is the peak device memory of plan, points and
 * execute, as the driver counts it. Ratios are peer/enuf: above 1 enuf is faster. Storage is an
 * enuf_point_storage. Kind `real`: enuf with real strengths, against the complex transform of the
 * peer, which has no real one. Kind `gradient`: a type 2 with its gradient and real strengths,
 * against 1 + dim type 2 of the peer. A batch is timed without the peer, and its error is that of
 * its first vector. Without the peer its columns are empty; with --require-peer the program then
 * ends with 77. SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "device_memory.h"
#include "nufft_gpu_direct.h"
#include "peers/cufinufft.h"
#include "table.h"

#include "enuf/nufft.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "nufft_gpu";

typedef struct list {
    int n;
    double value[BENCH_MOST_VALUES];
} list;

/* Names by the values of enuf_point_storage, and names of the kinds of rows. */
static const char *const storages[] = {"packed", "indexed", "auto"};
static const char *const kinds[] = {"complex", "real", "gradient"};
static const int kinds_of_type[] = {0, 2, 3, 1};

typedef struct request {
    list dims, modes, densities, tolerances[2], types; /* tolerances of double, of float */
    list methods;                                      /* of the peer */
    int cluster, repeats, batch, peer, require_peer;
    int storages, kinds; /* bits */
    double upsampling;
    bench_output output;
} request;

/* One problem's arrays on the device. */
typedef struct arrays {
    void *x[3], *radians[3], *targets[3], *strengths, *spectrum, *values, *gradients;
} arrays;

typedef struct problem {
    int dim, single, type, real, gradients, storage;
    int64_t m, n;
    double density, tolerance;
} problem;

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) bench_die(PROGRAM, "%s: %s", what, cudaGetErrorString(error));
}

static void take_list(list *to, const char *text)
{
    to->n = bench_numbers(PROGRAM, text, to->value);
}

/* Modes along an axis without --modes, by dimension. */
static const list default_modes[] = {
    {0}, {2, {100000, 1000000}}, {2, {256, 1024}}, {3, {64, 128, 256}}};

static int asks_for_type3(const request *r)
{
    for (int k = 0; k < r->types.n; k++)
        if (r->types.value[k] == 3) return 1;
    return 0;
}

static request read_arguments(int argc, char **argv)
{
    request r = {.dims = {1, {3}},
                 .densities = {3, {0.1, 1, 10}},
                 .tolerances = {{2, {1e-6, 1e-12}}, {2, {1e-3, 1e-5}}},
                 .types = {2, {1, 2}},
                 .methods = {4, {1, 2, 3, 4}},
                 .storages = 1 << ENUF_POINTS_PACKED,
                 .kinds = 7,
                 .repeats = 3,
                 .batch = 1,
                 .peer = 1,
                 .output = {.program = PROGRAM}};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        if (strcmp(argv[i], "--no-peer") == 0) {
            r.peer = 0;
            continue;
        }
        if (strcmp(argv[i], "--require-peer") == 0) {
            r.require_peer = 1;
            continue;
        }
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", argv[i]);
        if (strcmp(argv[i], "--dim") == 0)
            take_list(&r.dims, value);
        else if (strcmp(argv[i], "--modes") == 0)
            take_list(&r.modes, value);
        else if (strcmp(argv[i], "--density") == 0)
            take_list(&r.densities, value);
        else if (strcmp(argv[i], "--double") == 0)
            take_list(&r.tolerances[0], value);
        else if (strcmp(argv[i], "--float") == 0)
            take_list(&r.tolerances[1], value);
        else if (strcmp(argv[i], "--type") == 0)
            take_list(&r.types, value);
        else if (strcmp(argv[i], "--storage") == 0)
            r.storages = bench_names(PROGRAM, value, storages, 3);
        else if (strcmp(argv[i], "--kinds") == 0)
            r.kinds = bench_names(PROGRAM, value, kinds, 3);
        else if (strcmp(argv[i], "--methods") == 0)
            take_list(&r.methods, value);
        else if (strcmp(argv[i], "--points") == 0) {
            r.cluster = strcmp(value, "cluster") == 0;
            if (!r.cluster && strcmp(value, "rand") != 0)
                bench_die(PROGRAM, "--points %s: rand or cluster", value);
        } else if (strcmp(argv[i], "--upsampling") == 0)
            r.upsampling = strtod(value, NULL);
        else if (strcmp(argv[i], "--batch") == 0)
            r.batch = (int)strtol(value, NULL, 10);
        else if (strcmp(argv[i], "--repeats") == 0)
            r.repeats = (int)strtol(value, NULL, 10);
        else
            bench_die(PROGRAM, "%s: unknown argument", argv[i]);
        i++;
    }
    for (int k = 0; k < r.types.n; k++)
        if (r.types.value[k] != 1 && r.types.value[k] != 2 && r.types.value[k] != 3)
            bench_die(PROGRAM, "--type %g: 1, 2 or 3", r.types.value[k]);
    if (asks_for_type3(&r) && !(r.kinds & 1))
        bench_die(PROGRAM, "--type 3: its strengths are complex: add complex to --kinds");
    if (r.batch < 1) bench_die(PROGRAM, "--batch %d: 1 or more", r.batch);
    if (r.batch > 1) r.peer = 0;
    return r;
}

static void *device_array(int64_t n, int single)
{
    void *array;
    check(cudaMalloc(&array, (size_t)n * (single ? sizeof(float) : sizeof(double)) + 256),
          "device memory");
    return array;
}

static int64_t modes_of(const problem *p)
{
    int64_t modes = 1;
    for (int d = 0; d < p->dim; d++) modes *= p->m;
    return modes;
}

static arrays make_arrays(const request *r, const problem *p)
{
    arrays a = {0};
    const int64_t modes = modes_of(p), numbers = 2 * r->batch * modes, values = 2 * r->batch * p->n;
    const double size = r->cluster ? 8 / (2 * (double)p->m) : 1, corner = r->cluster ? 0.3 : 0;
    const double half = 0.5 * (double)p->m;
    int failed = 0;
    for (int d = 0; d < p->dim && asks_for_type3(r); d++) {
        a.targets[d] = device_array(p->n, p->single);
        failed |= bench_fill(a.targets[d], p->single, p->n, (uint64_t)d + 21, -half, half);
    }
    for (int d = 0; d < p->dim; d++) {
        a.x[d] = device_array(p->n, p->single);
        a.radians[d] = device_array(p->n, p->single);
        failed |= bench_fill(a.x[d], p->single, p->n, (uint64_t)d + 1, corner, corner + size);
        failed |= bench_radians(a.x[d], a.radians[d], p->single, p->n);
    }
    a.strengths = device_array(values, p->single);
    a.values = device_array(values, p->single);
    a.gradients = device_array(3 * r->batch * p->n, p->single);
    a.spectrum = device_array(numbers, p->single);
    failed |= bench_fill(a.strengths, p->single, values, 11, -0.5, 0.5);
    failed |= bench_fill(a.spectrum, p->single, numbers, 12, -0.5, 0.5);
    if (failed) bench_die(PROGRAM, "data could not be made on the device");
    return a;
}

static void free_arrays(arrays *a)
{
    for (int d = 0; d < 3; d++) {
        cudaFree(a->x[d]);
        cudaFree(a->radians[d]);
        cudaFree(a->targets[d]);
    }
    cudaFree(a->strengths);
    cudaFree(a->values);
    cudaFree(a->gradients);
    cudaFree(a->spectrum);
}

/* Relative error of the result in the arrays. peer 1: of the peer, whose points are in radians, as
 * all are of type 3. */
static double error_of(const problem *p, const arrays *a, int peer)
{
    const int in_radians = peer || p->type == 3;
    bench_sum s = {.dim = p->dim,
                   .single = p->single,
                   .real = p->real && !peer,
                   .type = p->type,
                   .m = p->m,
                   .n = p->n,
                   .period = in_radians ? 6.283185307179586 : 1,
                   .strengths = a->strengths,
                   .spectrum = a->spectrum,
                   .values = a->values};
    for (int d = 0; d < 3; d++) {
        s.x[d] = in_radians ? a->radians[d] : a->x[d];
        s.targets[d] = a->targets[d];
    }
    double error = bench_error(&s);
    if (error < 0)
        bench_die(PROGRAM, "direct sums failed: %s", cudaGetErrorString(cudaGetLastError()));
    return error;
}

typedef struct our_times {
    double seconds, execute, error, gigabytes;
    int width;
    double upsampling;
} our_times;

static enuf_nufft *make_plan(const request *r, const problem *p)
{
    enuf_nufft_options o;
    enuf_nufft *plan;
    enuf_nufft_options_init(&o);
    o.dim = p->dim;
    o.type3 = p->type == 3;
    for (int d = 0; d < p->dim && !o.type3; d++) o.modes[d] = p->m;
    o.precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.strengths = p->real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    o.tolerance = p->tolerance;
    o.upsampling = r->upsampling;
    o.density = p->density;
    o.batch = r->batch;
    o.backend = ENUF_BACKEND_CUDA;
    o.memory = ENUF_DEVICE;
    o.point_storage = (enuf_point_storage)p->storage;
    if (enuf_nufft_create(&o, &plan) != ENUF_SUCCESS ||
        (!o.type3 && enuf_nufft_reserve(plan, p->n) != ENUF_SUCCESS))
        bench_die(PROGRAM, "%s", enuf_last_error());
    return plan;
}

static enuf_status set_all(const problem *p, const arrays *a, enuf_nufft *plan)
{
    void *const *x = p->type == 3 ? a->radians : a->x, *const *s = a->targets;
    const enuf_status status = p->single
                                   ? enuf_nufft_set_points_f32(plan, p->n, x[0], x[1], x[2], 1)
                                   : enuf_nufft_set_points(plan, p->n, x[0], x[1], x[2], 1);
    if (status != ENUF_SUCCESS || p->type != 3) return status;
    return p->single ? enuf_nufft_set_targets_f32(plan, p->n, s[0], s[1], s[2], 1)
                     : enuf_nufft_set_targets(plan, p->n, s[0], s[1], s[2], 1);
}

static enuf_status execute(const problem *p, const arrays *a, enuf_nufft *plan)
{
    if (p->type == 1) return enuf_nufft_type1(plan, a->strengths, a->spectrum);
    if (p->type == 3) return enuf_nufft_type3(plan, a->strengths, a->values);
    return enuf_nufft_type2(plan, a->spectrum, a->values, p->gradients ? a->gradients : NULL);
}

static our_times time_ours(const request *r, const problem *p, const arrays *a)
{
    our_times t = {.seconds = HUGE_VAL, .execute = HUGE_VAL};
    const bench_device_memory memory = bench_device_memory_start();
    enuf_nufft_report report = {.struct_size = sizeof report};
    enuf_nufft *plan = make_plan(r, p);
    cudaEvent_t event[3];
    for (int k = 0; k < 3; k++) check(cudaEventCreate(&event[k]), "an event");
    for (int k = 0; k <= r->repeats; k++) { /* the first to warm up */
        float first, second;
        check(cudaEventRecord(event[0], NULL), "an event");
        enuf_status status = set_all(p, a, plan);
        check(cudaEventRecord(event[1], NULL), "an event");
        if (status == ENUF_SUCCESS) status = execute(p, a, plan);
        check(cudaEventRecord(event[2], NULL), "an event");
        check(cudaEventSynchronize(event[2]), "a transform");
        if (status == ENUF_SUCCESS) status = enuf_nufft_check(plan, NULL);
        if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
        check(cudaEventElapsedTime(&first, event[0], event[1]), "a time");
        check(cudaEventElapsedTime(&second, event[1], event[2]), "a time");
        if (k == 0) t.gigabytes = 1e-9 * bench_device_memory_peak(&memory);
        if (k == 0) continue;
        t.seconds = fmin(t.seconds, 1e-3 * (double)(first + second));
        t.execute = fmin(t.execute, 1e-3 * (double)second);
    }
    for (int k = 0; k < 3; k++) cudaEventDestroy(event[k]);
    if (enuf_nufft_get_report(plan, &report) != ENUF_SUCCESS)
        bench_die(PROGRAM, "%s", enuf_last_error());
    t.width = report.width;
    t.upsampling = report.upsampling;
    enuf_nufft_destroy(&plan);
    t.error = error_of(p, a, 0);
    return t;
}

static void row(bench_table *t, const request *r, const problem *p, const char *kind,
                const our_times *ours, const cufinufft_times *peer, double peer_error)
{
    const int there = peer->method > 0;
    const double times = p->gradients ? 1 + p->dim : 1;
    bench_number(t, "%.0f", p->dim);
    bench_text(t, p->single ? "float" : "double");
    bench_text(t, kind);
    bench_number(t, "%.0f", p->type);
    bench_number(t, "%.0f", (double)p->m);
    bench_number(t, "%.2g", p->density);
    bench_text(t, r->cluster ? "cluster" : "rand");
    bench_text(t, storages[p->storage]);
    bench_number(t, "%.0f", r->batch);
    bench_number(t, "%.0e", p->tolerance);
    bench_number(t, "%.3f", 1e3 * ours->seconds);
    bench_number(t, "%.3f", 1e3 * ours->execute);
    bench_number(t, "%.1e", ours->error);
    bench_number(t, "%.0f", ours->width);
    bench_number(t, "%.2f", ours->upsampling);
    bench_number(t, "%.2f", ours->gigabytes);
    bench_number(t, "%.3f", there ? times * 1e3 * peer->seconds : NAN);
    bench_number(t, "%.3f", there ? times * 1e3 * peer->execute : NAN);
    bench_number(t, "%.1e", there ? peer_error : NAN);
    bench_number(t, "%.0f", there ? (double)peer->method : NAN);
    bench_number(t, "%.2f", there ? 1e-9 * peer->bytes : NAN);
    bench_number(t, "%.2f", there ? times * peer->seconds / ours->seconds : NAN);
    bench_number(t, "%.2f", there ? times * peer->execute / ours->execute : NAN);
}

static void compare(bench_table *t, const request *r, problem *p)
{
    arrays a = make_arrays(r, p);
    for (int k = 0; k < r->types.n; k++) {
        p->type = (int)r->types.value[k];
        p->real = p->gradients = 0;
        cufinufft_times peer = {0};
        double peer_error = NAN;
        /* type 2 of the peer writes its values into the array of strengths */
        cufinufft_problem q = {.dim = p->dim,
                               .single = p->single,
                               .type = p->type,
                               .modes = {p->m, p->dim > 1 ? p->m : 1, p->dim > 2 ? p->m : 1},
                               .tolerance = p->tolerance,
                               .n = p->n,
                               .radians = {a.radians[0], a.radians[1], a.radians[2]},
                               .targets = {a.targets[0], a.targets[1], a.targets[2]},
                               .strengths = p->type == 2 ? a.values : a.strengths,
                               .spectrum = p->type == 3 ? a.values : a.spectrum};
        for (int i = 0; i < r->methods.n; i++) q.methods |= 1 << (int)r->methods.value[i];
        if (r->peer) peer = cufinufft_time(&q, r->repeats);
        if (peer.method > 0)
            peer_error = error_of(p, &a, 1);
        else if (r->peer)
            fprintf(stderr, "cuFINUFFT refuses %dD, type %d, %s, tolerance %.0e: status %d\n",
                    p->dim, p->type, p->single ? "float" : "double", p->tolerance, peer.status);
        if (p->type == 2) /* the result of type 1 overwrote the spectrum */
            bench_fill(a.spectrum, p->single, 2 * r->batch * modes_of(p), 12, -0.5, 0.5);
        for (int kind = 0; kind < kinds_of_type[p->type]; kind++) {
            p->real = kind > 0;
            p->gradients = kind == 2;
            for (p->storage = 0; p->storage < 3; p->storage++) {
                if (!(r->kinds >> kind & 1) || !(r->storages >> p->storage & 1)) continue;
                our_times ours = time_ours(r, p, &a);
                row(t, r, p, kinds[kind], &ours, &peer, peer_error);
            }
        }
    }
    free_arrays(&a);
}

/* Every density, precision and tolerance of one size. */
static void compare_size(bench_table *t, const request *r, int dim, int64_t m)
{
    for (int d = 0; d < r->densities.n; d++)
        for (int single = 1; single >= 0; single--)
            for (int k = 0; k < r->tolerances[single].n; k++) {
                problem p = {.dim = dim,
                             .single = single,
                             .m = m,
                             .density = r->densities.value[d],
                             .tolerance = r->tolerances[single].value[k]};
                p.n = (int64_t)(p.density * (double)modes_of(&p) + 0.5);
                compare(t, r, &p);
            }
}

static void compare_all(bench_table *t, const request *r)
{
    for (int a = 0; a < r->dims.n; a++) {
        const int dim = (int)r->dims.value[a];
        if (dim < 1 || dim > 3) bench_die(PROGRAM, "--dim %d: 1, 2 or 3", dim);
        const list *modes = r->modes.n ? &r->modes : &default_modes[dim];
        for (int m = 0; m < modes->n; m++) compare_size(t, r, dim, (int64_t)modes->value[m]);
    }
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"dim", 3},        {"precision", -9},   {"kind", -8},
        {"type", 4},       {"modes", 5},        {"density", 7},
        {"points", -7},    {"storage", -7},     {"batch", 2},
        {"tol", 5},        {"ms", 9},           {"execute ms", 10},
        {"error", 7},      {"width", 5},        {"upsampling", 4},
        {"GB", 5},         {"peer ms", 9},      {"peer execute ms", 9},
        {"peer error", 7}, {"method", 2},       {"peer GB", 5},
        {"ratio", 6},      {"execute ratio", 6}};
    request r = read_arguments(argc, argv);
    const char *reason;
    if (!enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) {
        fprintf(stderr, "skipped: %s\n", reason);
        return 77;
    }
    const char *missing = r.peer ? cufinufft_open() : "not requested";
    if (missing && r.require_peer) {
        fprintf(stderr, "skipped: %s\n", missing);
        return 77;
    }
    if (missing) r.peer = 0;
    bench_table table;
    bench_table_begin(&table, &r.output, r.peer ? cufinufft_description() : NULL, columns,
                      (int)(sizeof columns / sizeof columns[0]));
    bench_remark(&table, "%s", reason);
    if (missing) bench_remark(&table, "without the peer: %s", missing);
    compare_all(&table, &r);
    bench_table_end(&table);
    return 0;
}
