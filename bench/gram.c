/*
 * gram.c - a Gram operator A^H W A (enuf/gram.h) against type 2, weights and the adjoint of type 2.
 *
 *   gram [--backend cpu|cuda] [--rounds N] [--threads N] [--sides N,...] [--dim 2|3] [--csv FILE]
 *        [--markdown]
 *
 * 2D and 3D images of these sides (default 62,94), samples of radial lines: pi/2 side lines of
 * 2 side samples in 2D, side^2/R lines in 3D, R = 1, 4, 16; complex float at 1e-2 and 1e-3, double
 * at 1e-6. The transforms have the least time of three upsamplings (1.25, 1.5, 2). `difference` is
 * the relative l2 distance of the results. Times are wall time: the least of the rounds. `setting`
 * of the operator contains its type 1, of the plan its sorting. cuda: all arrays are in device
 * memory, and a time ends when the GPU has done its work. SPDX-License-Identifier: BSD-3-Clause
 */
#include "arguments.h"
#include "direct_device.h"
#include "nufft_sample.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PROGRAM[] = "gram";
static const struct {
    int single;
    double tolerance;
} kinds[] = {{1, 1e-2}, {1, 1e-3}, {0, 1e-6}};
static const double upsamplings[] = {1.25, 1.5, 2};
static const int accelerations[] = {1, 4, 16};

typedef struct request {
    int rounds, threads, n_sides, cuda, dim; /* dim 0: 2 and 3 */
    double sides[BENCH_MOST_VALUES];
    bench_output output;
} request;

typedef struct problem {
    int dim, side, single;
    double tolerance;
    int64_t n, modes;
    double *points;          /* [n][3] in periods */
    void *weights;           /* [n] */
    void *in, *values, *out; /* complex */
} problem;

/* The problem's arrays where the backend works. */
typedef struct arrays {
    const double *points;
    const void *weights, *roots, *in;
    void *values, *out;
} arrays;

typedef struct timing {
    double setting, apply;
} timing;

static void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static void *allocate(int64_t n, size_t size)
{
    void *array = calloc((size_t)n, size);
    if (!array) bench_die(PROGRAM, "not enough memory");
    return array;
}

static void set_number(const problem *p, void *array, int64_t at, double value)
{
    if (p->single)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static double number_at(const problem *p, const void *array, int64_t at)
{
    return p->single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

/* Directions of lines: evenly in the plane; in space by the golden angle (Saff, Kuijlaars, Math.
 * Intelligencer 19 (1997) 5). */
static void direction(int dim, int64_t line, int64_t lines, double along[3])
{
    const double golden = 2.399963229728653;
    const double height = dim == 3 ? 1 - (2 * (double)line + 1) / (double)lines : 0;
    const double angle = dim == 3 ? golden * (double)line : M_PI * (double)line / (double)lines;
    const double radius = sqrt(1 - height * height);
    along[0] = radius * cos(angle);
    along[1] = radius * sin(angle);
    along[2] = height;
}

static problem make_problem(int dim, int side, int acceleration, int kind)
{
    problem p = {
        .dim = dim, .side = side, .single = kinds[kind].single, .tolerance = kinds[kind].tolerance};
    const double full = dim == 2 ? M_PI / 2 * side : (double)side * side;
    const int64_t lines = (int64_t)ceil(full / acceleration), on_line = 2 * side;
    const size_t number = p.single ? sizeof(float) : sizeof(double);
    uint64_t seed = 3;
    p.n = lines * on_line;
    p.modes = (int64_t)side * side * (dim == 3 ? side : 1);
    p.points = allocate(3 * p.n, sizeof(double));
    p.weights = allocate(p.n, number);
    p.in = allocate(2 * p.modes, number);
    p.out = allocate(2 * p.modes, number);
    p.values = allocate(2 * p.n, number);
    for (int64_t j = 0; j < p.n; j++) {
        const double radius = ((double)(j % on_line) + 0.5) / (double)on_line - 0.5;
        double along[3];
        direction(dim, j / on_line, lines, along);
        for (int d = 0; d < 3; d++) p.points[3 * j + d] = radius * along[d];
        set_number(&p, p.weights, j, pow(fabs(radius), dim - 1));
    }
    for (int64_t i = 0; i < 2 * p.modes; i++) set_number(&p, p.in, i, bench_uniform(&seed) - 0.5);
    return p;
}

static void free_problem(problem *p)
{
    free(p->points);
    free(p->weights);
    free(p->in);
    free(p->values);
    free(p->out);
}

static enuf_nufft_options options_of(const request *r, const problem *p)
{
    enuf_nufft_options o;
    enuf_nufft_options_init(&o);
    o.dim = p->dim;
    for (int d = 0; d < p->dim; d++) o.modes[d] = p->side;
    o.precision = p->single ? ENUF_FLOAT : ENUF_DOUBLE;
    o.tolerance = p->tolerance;
    o.threads = r->threads;
    if (r->cuda) {
        o.backend = ENUF_BACKEND_CUDA;
        o.memory = ENUF_DEVICE;
    }
    o.density = (double)p->n / (double)p->modes;
    return o;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void *there(const request *r, void *array, size_t bytes)
{
    if (!r->cuda) return array;
    void *copy = bench_device_array(bytes, array);
    if (!copy) bench_die(PROGRAM, "not enough memory on the GPU");
    return copy;
}

static arrays arrays_of(const request *r, const problem *p, void *roots)
{
    const size_t number = p->single ? sizeof(float) : sizeof(double);
    const size_t values = 2 * (size_t)p->n * number, modes = 2 * (size_t)p->modes * number;
    return (arrays){.points = there(r, p->points, 3 * (size_t)p->n * sizeof(double)),
                    .weights = there(r, p->weights, values / 2),
                    .roots = there(r, roots, values / 2),
                    .in = there(r, p->in, modes),
                    .values = there(r, p->values, values),
                    .out = there(r, p->out, modes)};
}

static void arrays_free(const request *r, const arrays *a)
{
    const void *const all[] = {a->points, a->weights, a->roots, a->in, a->values, a->out};
    for (int k = 0; r->cuda && k < 6; k++) bench_device_free((void *)(uintptr_t)all[k]);
}

/* A copy of the result on the host. */
static void read_result(const request *r, const problem *p, const arrays *a, void *to)
{
    const size_t bytes = 2 * (size_t)p->modes * (p->single ? sizeof(float) : sizeof(double));
    if (r->cuda)
        bench_device_read(to, a->out, bytes);
    else
        memcpy(to, a->out, bytes);
}

static timing time_gram(const request *r, const problem *p, const arrays *a, void *out,
                        enuf_gram_report *report)
{
    const enuf_nufft_options o = options_of(r, p);
    const double *x = a->points;
    timing t = {1e300, 1e300};
    enuf_gram *gram;
    check(enuf_gram_create(&o, &gram));
    double start = bench_seconds();
    check(enuf_gram_set_points(gram, p->n, x, x + 1, x + 2, 3, a->weights));
    t.setting = bench_seconds() - start;
    for (int k = 0; k <= r->rounds; k++) {
        start = bench_seconds();
        check(enuf_gram_apply(gram, a->in, a->out));
        check(enuf_gram_check(gram));
        t.apply = least(t.apply, bench_seconds() - start);
    }
    check(enuf_gram_get_report(gram, report));
    read_result(r, p, a, out);
    enuf_gram_destroy(&gram);
    return t;
}

/* Weights are the square of those that the plan has in both directions. */
static timing time_transforms(const request *r, const problem *p, const arrays *a,
                              double upsampling, void *out)
{
    enuf_nufft_options o = options_of(r, p);
    const double *x = a->points;
    timing t = {1e300, 1e300};
    enuf_nufft *plan;
    o.upsampling = upsampling;
    if (enuf_nufft_create(&o, &plan) != ENUF_SUCCESS)
        return t; /* it does not serve the tolerance */
    double start = bench_seconds();
    check(enuf_nufft_set_points(plan, p->n, x, x + 1, x + 2, 3));
    check(enuf_nufft_check(plan, NULL));
    t.setting = bench_seconds() - start;
    check(enuf_nufft_set_point_weights(plan, ENUF_REAL, 1, a->roots));
    for (int k = 0; k <= r->rounds; k++) {
        start = bench_seconds();
        check(enuf_nufft_type2(plan, a->in, a->values, NULL));
        check(enuf_nufft_type2_adjoint(plan, a->values, a->out));
        check(enuf_nufft_check(plan, NULL));
        t.apply = least(t.apply, bench_seconds() - start);
    }
    read_result(r, p, a, out);
    enuf_nufft_destroy(&plan);
    return t;
}

static double difference(const problem *p, const void *a, const void *b)
{
    double squares = 0, sum = 0;
    for (int64_t i = 0; i < 2 * p->modes; i++) {
        const double distance = number_at(p, a, i) - number_at(p, b, i);
        squares += distance * distance;
        sum += number_at(p, b, i) * number_at(p, b, i);
    }
    return sqrt(squares / sum);
}

static void row(const request *r, bench_table *table, const problem *p, int acceleration)
{
    const size_t number = p->single ? sizeof(float) : sizeof(double);
    void *out = allocate(2 * p->modes, number), *of_gram = allocate(2 * p->modes, number);
    void *roots = allocate(p->n, number);
    for (int64_t j = 0; j < p->n; j++) set_number(p, roots, j, sqrt(number_at(p, p->weights, j)));
    const arrays a = arrays_of(r, p, roots);
    enuf_gram_report report = {.struct_size = sizeof report};
    timing best = {0, 1e300};
    double upsampling = 0;
    for (size_t k = 0; k < sizeof upsamplings / sizeof *upsamplings; k++) {
        const timing t = time_transforms(r, p, &a, upsamplings[k], out);
        if (t.apply >= best.apply) continue;
        best = t;
        upsampling = upsamplings[k];
    }
    const timing gram = time_gram(r, p, &a, of_gram, &report);
    const double copies = (double)p->modes * (p->single ? 8 : 16);
    bench_number(table, "%.0f", p->dim);
    bench_number(table, "%.0f", p->side);
    bench_number(table, "%.0f", acceleration);
    bench_number(table, "%.0f", (double)p->n);
    bench_text(table, p->single ? "float" : "double");
    bench_number(table, "%.0e", p->tolerance);
    bench_number(table, "%.3f", 1e3 * gram.setting);
    bench_number(table, "%.3f", 1e3 * gram.apply);
    bench_number(table, "%.3f", 1e3 * best.setting);
    bench_number(table, "%.3f", 1e3 * best.apply);
    bench_number(table, "%.2f", upsampling);
    bench_number(table, "%.2f", best.apply / gram.apply);
    bench_number(table, "%.2f", (double)report.bytes / copies);
    bench_number(table, "%.1e", difference(p, of_gram, out));
    arrays_free(r, &a);
    free(roots);
    free(of_gram);
    free(out);
}

static request read_arguments(int argc, char **argv)
{
    request r = {.rounds = 5, .n_sides = 2, .sides = {62, 94}, .output = {.program = PROGRAM}};
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r.output, argc, argv, &i)) continue;
        const char *name = argv[i], *value = argv[++i];
        if (!value) bench_die(PROGRAM, "%s: unknown, or its value is missing", name);
        if (strcmp(name, "--rounds") == 0)
            r.rounds = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--threads") == 0)
            r.threads = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--dim") == 0)
            r.dim = (int)strtol(value, NULL, 10);
        else if (strcmp(name, "--backend") == 0 && strcmp(value, "cpu") == 0)
            r.cuda = 0;
        else if (strcmp(name, "--backend") == 0 && strcmp(value, "cuda") == 0)
            r.cuda = 1;
        else if (strcmp(name, "--sides") == 0)
            r.n_sides = bench_numbers(PROGRAM, value, r.sides);
        else
            bench_die(PROGRAM, "%s %s: unknown argument", name, value);
    }
    if (r.cuda && !bench_device_built())
        bench_die(PROGRAM, "--backend cuda: this program is built without it");
    if (r.rounds < 1) bench_die(PROGRAM, "--rounds: 1 or more");
    return r;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"dim", 3},
                                           {"side", 4},
                                           {"R", 3},
                                           {"samples", 9},
                                           {"precision", -9},
                                           {"tolerance", 9},
                                           {"gram set ms", 11},
                                           {"gram ms", 9},
                                           {"set ms", 9},
                                           {"2 transforms ms", 15},
                                           {"upsampling", 10},
                                           {"ratio", 6},
                                           {"arrays", 6},
                                           {"difference", 10}};
    const request r = read_arguments(argc, argv);
    bench_table table;
    bench_table_begin(&table, &r.output, NULL, columns, sizeof columns / sizeof *columns);
    for (int dim = 2; dim <= 3; dim++)
        for (int s = 0; s < r.n_sides && (r.dim == 0 || r.dim == dim); s++)
            for (size_t a = 0; a < sizeof accelerations / sizeof *accelerations; a++)
                for (int kind = 0; kind < (int)(sizeof kinds / sizeof *kinds); kind++) {
                    problem p = make_problem(dim, (int)r.sides[s], accelerations[a], kind);
                    row(&r, &table, &p, accelerations[a]);
                    free_problem(&p);
                }
    bench_remark(&table, "arrays: bytes of the operator, in arrays of the modes");
    bench_table_end(&table);
    return 0;
}
