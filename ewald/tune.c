/*
 * tune.c - the choice of parameters: splitting, cutoff, modes, fine grid, window, width.
 *
 * The budget of the accuracy is shared among real space, truncation and mesh; cutoffs and
 * upsampling factors are compared by a cost model; width and shape of the window come from the
 * mesh-error functional. Explicit options are kept. Nothing depends on threads, ranks or timings.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mesh_error.h"
#include "parameters.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925;

/*
 * Force errors by rounding, measured on salts of 200 to 16000 ions in float: of the pairs (sums of
 * some hundred terms, the nearest of a few F_ref) 7 to 11 roundings of F_ref; of the mesh 3 to 5
 * roundings of a grid value, of which each passes through the window's factors twice.
 */
static const double PAIR_ROUNDING = 10, MESH_ROUNDING = 4.5;

/* What the parts may add up to, of the request: the scatter of single configurations stays inside.
 */
static const double BUDGET = 0.9;

/* Nanoseconds on one CPU core: a pair inside the cutoff, a cell of a point's window both ways, a
 * point apart from that, a grid cell's way through both FFTs per log2. Shipped; docs/decisions.md.
 */
static const struct {
    double pair, update, point, fft;
} COST = {2.0, 0.6, 150, 0.6};

/* Upsampling factors of the mesh compared, and the width each needs for D digits: a D + b cells.
 * The widths only rank candidates; the functional decides. docs/theory.md, "Mesh error". */
static const struct {
    double factor, a, b;
} FACTORS[] = {{1.1, 1.15, 3.2}, {1.25, 1.0, 3.1}, {1.5, 1.0, 2.1}, {2.0, 0.9, 1.8}};
enum { N_FACTORS = sizeof FACTORS / sizeof FACTORS[0] };

/* Mean numbers of neighbours inside the cutoffs compared. */
static const double NEIGHBOURS[] = {40, 60, 90, 130, 200, 300, 450, 700, 1000};
enum { N_NEIGHBOURS = sizeof NEIGHBOURS / sizeof NEIGHBOURS[0] };

typedef struct candidate {
    enuf_split split;
    double cutoff, alpha, c, k_c, factor, cost;
    double mesh_budget; /* eps_F */
} candidate;

static double density(const enuf_choice_request *request)
{
    return (double)request->n_charged / request->volume;
}

/*
 * eps_F of accuracy 1. For a slab too: its charges fill the volume given, not the extended one,
 * which over-predicts the truncation error by 1.2 to 1.3 (measured), while the extended volume
 * would under-predict it by 1.4.
 */
static double accuracy_unit(const enuf_choice_request *request, double cutoff)
{
    return sqrt(cutoff) * pow(density(request), 1.0 / 6);
}

static double unit_rounding(const enuf_choice_request *request)
{
    return request->options->arithmetic == ENUF_ARITHMETIC_DOUBLE ? 0.5 * DBL_EPSILON
                                                                  : 0.5 * FLT_EPSILON;
}

/* What the parts together may make of the accuracy A: rounding takes its share first. */
static double total_budget(const enuf_choice_request *request)
{
    double rounding = fmin(PAIR_ROUNDING * unit_rounding(request) / request->requested, 0.9);
    return BUDGET * request->requested * sqrt(1 - rounding * rounding) *
           (1 - 1 / sqrt((double)request->n_charged + 3));
}

static double k_unit(const enuf_choice_request *request)
{
    return two_pi / cbrt(request->cell->volume);
}

/* Splitting and k_c for a cutoff when all parts together may make the error `aim` (in A). */
static void split_budget(const enuf_choice_request *request, double aim, candidate *c)
{
    const enuf_ewald_options *o = request->options;
    aim *= accuracy_unit(request, c->cutoff);
    if (c->split == ENUF_SPLIT_GAUSSIAN) {
        c->mesh_budget = aim / sqrt(3);
        c->alpha = o->alpha > 0 ? o->alpha : enuf_gaussian_alpha_for(c->mesh_budget, c->cutoff);
        c->k_c = o->kmax > 0 ? o->kmax * k_unit(request)
                             : enuf_gaussian_band_for(c->mesh_budget, c->alpha, c->cutoff);
        return;
    }
    c->mesh_budget = aim / sqrt(2);
    c->c = o->c > 0 ? o->c : enuf_prolate_c_for(c->mesh_budget);
    c->k_c = c->c / c->cutoff;
    if (o->kmax == 0) return;
    double given = o->kmax * k_unit(request);
    if (o->c > 0) {
        c->k_c = fmin(c->k_c, given);
    } else { /* the band follows the modes that are kept */
        c->k_c = given;
        c->c = fmin(fmax(given * c->cutoff, 1e-3), 150);
    }
}

/*
 * The estimates take the modes for a continuum. In a direction with few of them they err by up to a
 * quarter over their number (measured in thin cells), which the budget leaves room for.
 */
static void fill_candidate(const enuf_choice_request *request, candidate *c)
{
    double aim = total_budget(request), fewest = HUGE_VAL;
    split_budget(request, aim, c);
    for (int d = 0; d < 3; d++) fewest = fmin(fewest, c->k_c * request->cell->length[d] / two_pi);
    split_budget(request, aim / (1 + 0.25 / fmax(fewest, 1)), c);
}

static double mesh_cost(const enuf_choice_request *request, double width, double cells)
{
    return (double)request->n_charged * (width * width * width * COST.update + COST.point) +
           cells * log2(cells + 2) * COST.fft;
}

static double pair_cost(const enuf_choice_request *request, double cutoff)
{
    double neighbours = 2 * two_pi / 3 * density(request) * cutoff * cutoff * cutoff;
    return 0.5 * (double)request->n_charged * neighbours * COST.pair;
}

/* Modes of a sphere and the fine grid for them. */
static void set_mesh_sizes(const enuf_choice_request *request, double k_c, double factor,
                           enuf_mesh *mesh)
{
    const int64_t *given = request->options->grid;
    enuf_modes_of_sphere(request->cell, k_c, mesh->modes);
    for (int d = 0; d < 3; d++) {
        double least =
            fmax(ceil(factor * (double)mesh->modes[d] * (1 - 1e-12)), (double)mesh->modes[d] + 1);
        mesh->grid[d] = given[d] > 0 ? given[d] : enuf_fft_size((int64_t)least);
    }
}

/* Cost of a candidate with the width its digits suggest. */
static void rank(const enuf_choice_request *request, int factor, candidate *c)
{
    enuf_mesh mesh;
    fill_candidate(request, c);
    c->factor = FACTORS[factor].factor;
    set_mesh_sizes(request, c->k_c, c->factor, &mesh);
    double digits = -log10(fmin(c->mesh_budget, 0.5)), cells = 1;
    double width = fmax(FACTORS[factor].a * digits + FACTORS[factor].b, 3);
    if (request->options->width > 0) width = request->options->width;
    for (int d = 0; d < 3; d++) cells *= (double)mesh.grid[d];
    c->cost = pair_cost(request, c->cutoff) + mesh_cost(request, width, cells);
    /* a given grid that does not hold the modes asks for a larger cutoff */
    for (int d = 0; d < 3; d++)
        if (mesh.grid[d] < mesh.modes[d] + 1) c->cost *= 1e9;
}

/* The cutoff that an explicit alpha asks for: its real-space error is one third of the budget. */
static double cutoff_for_alpha(const enuf_choice_request *request, double alpha)
{
    double cutoff = 3 / alpha;
    for (int k = 0; k < 40; k++) {
        double share = total_budget(request) / sqrt(3) * accuracy_unit(request, cutoff);
        cutoff = enuf_gaussian_alpha_for(share, 1.0) / alpha;
    }
    return cutoff;
}

/* The best candidate of every upsampling factor, over splittings and cutoffs. */
static void list_candidates(const enuf_choice_request *request, candidate best[N_FACTORS])
{
    const enuf_ewald_options *o = request->options;
    int gaussian = o->split == ENUF_SPLIT_GAUSSIAN || (o->split == ENUF_SPLIT_AUTO && o->c == 0);
    int prolate = o->split == ENUF_SPLIT_PROLATE || (o->split == ENUF_SPLIT_AUTO && o->alpha == 0);
    for (int f = 0; f < N_FACTORS; f++) best[f].cost = HUGE_VAL;
    for (int split = 0; split < 2; split++) {
        if (split == 0 ? !gaussian : !prolate) continue;
        for (int n = 0; n < N_NEIGHBOURS; n++) {
            double cutoff = cbrt(NEIGHBOURS[n] / (2 * two_pi / 3 * density(request)));
            int only = 1;
            if (o->cutoff > 0)
                cutoff = o->cutoff;
            else if (split == 0 && o->alpha > 0)
                cutoff = cutoff_for_alpha(request, o->alpha);
            else
                only = 0;
            for (int f = 0; f < N_FACTORS; f++) {
                candidate c = {.split = split == 0 ? ENUF_SPLIT_GAUSSIAN : ENUF_SPLIT_PROLATE,
                               .cutoff = cutoff};
                rank(request, f, &c);
                if (c.cost < best[f].cost) best[f] = c;
            }
            if (only) break;
        }
    }
}

static enuf_status make_splitting(const candidate *c, enuf_splitting *splitting)
{
    return c->split == ENUF_SPLIT_GAUSSIAN ? enuf_splitting_gaussian(c->alpha, c->cutoff, splitting)
                                           : enuf_splitting_prolate(c->c, c->cutoff, splitting);
}

static enuf_status mesh_error(const enuf_choice_request *request, const enuf_parameters *p,
                              const enuf_mesh *mesh, double *error, double *rounding)
{
    return enuf_mesh_error(request->cell, &p->splitting, p->k_c, mesh,
                           MESH_ROUNDING * unit_rounding(request), error, rounding);
}

/*
 * The shape of least aliasing for a width. Modes near the edge of the sphere carry little weight,
 * so it lies above the one that suits equally important modes. Golden section on their ratio.
 */
static enuf_status choose_shape(const enuf_choice_request *request, const enuf_parameters *p,
                                enuf_mesh *mesh, double *error)
{
    const double golden = 0.381966011250105;
    double factor = HUGE_VAL, rounding;
    for (int d = 0; d < 3; d++)
        factor = fmin(factor, (double)mesh->grid[d] / (double)mesh->modes[d]);
    double usual = enuf_window_shape(mesh->window, mesh->width, fmin(factor, 4));
    mesh->shape = request->options->shape > 0 ? request->options->shape : usual;
    int fixed = request->options->shape > 0 || mesh->window == ENUF_WINDOW_BSPLINE ||
                mesh->window == ENUF_WINDOW_SINC_POWER;
    if (fixed) return mesh_error(request, p, mesh, error, &rounding);
    double lo = 0.9, hi = 1.5, x[2] = {lo + golden * (hi - lo), hi - golden * (hi - lo)}, e[2];
    for (int k = 0; k < 2; k++) {
        mesh->shape = usual * x[k];
        ENUF_TRY(mesh_error(request, p, mesh, &e[k], &rounding));
    }
    for (int step = 0; step < 7; step++) {
        int left = e[0] < e[1]; /* the minimum lies left of x[1] */
        if (left) {
            hi = x[1];
            x[1] = x[0];
            e[1] = e[0];
            x[0] = lo + golden * (hi - lo);
        } else {
            lo = x[0];
            x[0] = x[1];
            e[0] = e[1];
            x[1] = hi - golden * (hi - lo);
        }
        mesh->shape = usual * x[left ? 0 : 1];
        ENUF_TRY(mesh_error(request, p, mesh, &e[left ? 0 : 1], &rounding));
    }
    mesh->shape = usual * x[e[0] < e[1] ? 0 : 1];
    *error = fmin(e[0], e[1]);
    return ENUF_SUCCESS;
}

/* Smallest width whose mesh error fits the budget, else the one of least error. */
static enuf_status choose_window(const enuf_choice_request *request, const candidate *c,
                                 const enuf_parameters *p, enuf_mesh *mesh, int *fits)
{
    const enuf_ewald_options *o = request->options;
    mesh->window = o->window;
    double best_error = HUGE_VAL;
    int first = o->width > 0 ? o->width : 3, last = o->width > 0 ? o->width : ENUF_MAX_WIDTH;
    if (o->width == 0) {
        /* no window of fewer cells reaches this */
        int digits = (int)(-log10(fmin(c->mesh_budget, 0.5)));
        first = digits > 3 ? digits : 3;
    }
    enuf_mesh best = *mesh;
    for (int width = first; width <= last; width++) {
        double error;
        mesh->width = width;
        ENUF_TRY(choose_shape(request, p, mesh, &error));
        if (error < best_error) {
            best_error = error;
            best = *mesh;
        }
        *fits = best_error <= c->mesh_budget;
        if (*fits || width > best.width + 3) break;
    }
    *mesh = best;
    return ENUF_SUCCESS;
}

static void take_mesh(const enuf_mesh *mesh, enuf_parameters *p)
{
    memcpy(p->modes, mesh->modes, sizeof p->modes);
    memcpy(p->grid, mesh->grid, sizeof p->grid);
    p->window = mesh->window;
    p->width = mesh->width;
    p->shape = mesh->shape;
}

/* No charges: any parameters serve, the smallest will do. */
static enuf_status choose_for_nothing(const enuf_choice_request *request, enuf_parameters *p)
{
    double cutoff = cbrt(request->volume);
    memset(p, 0, sizeof *p);
    ENUF_TRY(enuf_splitting_gaussian(3 / cutoff, cutoff, &p->splitting));
    for (int d = 0; d < 3; d++) {
        p->modes[d] = 1;
        p->grid[d] = 2;
    }
    p->window = request->options->window;
    p->width = 4;
    p->shape = enuf_window_shape(p->window, 4, 2);
    return ENUF_SUCCESS;
}

/* Lengths given that leave no sums that end are told here, before they make numbers overflow. */
/* Beyond this an evaluation takes a day of one core; it is a mistyped cutoff. */
static const double MOST_PAIRS = 1e13;

static enuf_status check_lengths(const enuf_choice_request *request)
{
    const enuf_ewald_options *o = request->options;
    const double most = 1e6, spacing = cbrt(1 / density(request));
    if (o->cutoff > 0 && !(o->cutoff < most * spacing && o->cutoff > spacing / most))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "cutoff is %g, the mean distance of charges %g: it has to be within %g to "
                         "%g",
                         o->cutoff, spacing, spacing / most, most * spacing);
    double pairs = 0.5 * (double)request->n_charged * 4.19 * pow(o->cutoff / spacing, 3);
    if (pairs > MOST_PAIRS)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "cutoff %g has %.2g pairs, days of work for one evaluation: use at most %.3g",
            o->cutoff, pairs, o->cutoff * cbrt(MOST_PAIRS / pairs));
    if (o->alpha > 0 && !(o->alpha < most / spacing && o->alpha > 1 / (most * spacing)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "alpha is %g, the mean distance of charges %g: it has to be within %g to "
                         "%g",
                         o->alpha, spacing, 1 / (most * spacing), most / spacing);
    return ENUF_SUCCESS;
}

enuf_status enuf_choose_parameters(const enuf_choice_request *request, enuf_parameters *out)
{
    if (request->n_charged == 0) return choose_for_nothing(request, out);
    ENUF_TRY(check_lengths(request));
    const enuf_ewald_options *o = request->options;
    int grid_given = o->grid[0] > 0;
    candidate list[N_FACTORS];
    list_candidates(request, list);
    double best_cost = HUGE_VAL;
    int best_fits = 0;
    enuf_parameters best = {0};
    for (int f = 0; f < N_FACTORS; f++) {
        const candidate *c = &list[f];
        enuf_parameters p = {.k_c = c->k_c, .kmax = c->k_c / k_unit(request)};
        enuf_mesh mesh;
        int fits = 0;
        if (best_fits && c->cost > 1.3 * best_cost) continue; /* cannot win */
        ENUF_TRY(make_splitting(c, &p.splitting));
        set_mesh_sizes(request, c->k_c, c->factor, &mesh);
        for (int d = 0; d < 3; d++)
            if (mesh.grid[d] < mesh.modes[d] + 1)
                return enuf_fail(
                    ENUF_BAD_ARGUMENT,
                    "grid %lld along axis %d holds %lld modes, the modes up to k = %.4g "
                    "need %lld: use %lld cells or more, or a larger cutoff",
                    (long long)mesh.grid[d], d, (long long)mesh.grid[d] - 1, c->k_c,
                    (long long)mesh.modes[d], (long long)mesh.modes[d] + 1);
        ENUF_TRY(choose_window(request, c, &p, &mesh, &fits));
        double cells = 1;
        for (int d = 0; d < 3; d++) cells *= (double)mesh.grid[d];
        double cost = pair_cost(request, c->cutoff) + mesh_cost(request, mesh.width, cells);
        if (fits > best_fits || (fits == best_fits && cost < best_cost)) {
            best_cost = cost;
            best_fits = fits;
            take_mesh(&mesh, &p);
            best = p;
        }
        if (grid_given) break;
    }
    ENUF_TRY(enuf_predict_error(request, &best));
    *out = best;
    return ENUF_SUCCESS;
}

enuf_status enuf_predict_error(const enuf_choice_request *request, enuf_parameters *p)
{
    double n = (double)request->n_charged;
    p->real = p->truncation = p->mesh = p->rounding = p->predicted = p->f_ref = 0;
    if (request->n_charged == 0) return ENUF_SUCCESS;
    enuf_mesh mesh = {.window = p->window, .width = p->width, .shape = p->shape};
    memcpy(mesh.modes, p->modes, sizeof mesh.modes);
    memcpy(mesh.grid, p->grid, sizeof mesh.grid);
    double unit = accuracy_unit(request, p->splitting.cutoff);
    ENUF_TRY(mesh_error(request, p, &mesh, &p->mesh, &p->rounding));
    p->mesh /= unit;
    p->truncation = enuf_splitting_truncation_error(&p->splitting, p->k_c) / unit;
    p->real = enuf_splitting_real_error(&p->splitting) / unit;
    double pair_rounding = PAIR_ROUNDING * unit_rounding(request);
    p->rounding = sqrt(p->rounding * p->rounding / (unit * unit) + pair_rounding * pair_rounding);
    p->predicted = sqrt(p->real * p->real + p->truncation * p->truncation + p->mesh * p->mesh +
                        p->rounding * p->rounding);
    p->f_ref = request->options->coulomb * (request->sum_q2 / n) * pow(density(request), 2.0 / 3);
    return ENUF_SUCCESS;
}
