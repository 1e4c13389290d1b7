/* wisdom.c - parameters of wisdom: what an entry is of, taking one, keeping one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tuned.h"
#include "wisdom_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Systems within such a step, of number, density or shape, are one problem. */
static const double STEP = 1.05;

static double in_steps(double x)
{
    return pow(STEP, round(log(x) / log(STEP)));
}

typedef struct line {
    char text[ENUF_WISDOM_PROBLEM];
} line;

static void append(line *l, const char *name, double value)
{
    const size_t used = strlen(l->text);
    if (value != 0) snprintf(l->text + used, sizeof l->text - used, ", %s %.9g", name, value);
}

static void append_word(line *l, const char *name, const char *word)
{
    const size_t used = strlen(l->text);
    snprintf(l->text + used, sizeof l->text - used, ", %s%s", name, word);
}

/* Number and density of the charges; shape of the cell. */
static void append_system(const enuf_ewald *ewald, line *l)
{
    const enuf_cell_geometry *cell = &ewald->geometry;
    const double n = (double)ewald->charges.n_charged;
    append(l, "charges", round(in_steps(n)));
    append(l, "density", in_steps(n / ewald->volume));
    for (int d = 0; d < 3; d++)
        append(l, d == 0 ? "cell" : "by", in_steps(cell->length[d] / cbrt(cell->volume)));
    for (int d = 0; d < 3; d++) {
        const double *a = cell->cell + 3 * d, *b = cell->cell + 3 * ((d + 1) % 3);
        const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        const double cosine = dot / (cell->length[d] * cell->length[(d + 1) % 3]);
        append(l, "cosine", round(10 * cosine) / 10);
    }
}

/* The device: its ordinal where it is given, since GPUs of one host may differ, and the description
 * of the backend up to the first comma. */
static void append_device(const enuf_ewald *ewald, line *l)
{
    const char *described = NULL;
    char name[80];
    append_word(l, "", enuf_backend_name(ewald->backend->kind));
    if (ewald->backend->kind == ENUF_BACKEND_CPU) return;
    enuf_backend_usable(ewald->backend->kind, &described);
    snprintf(name, sizeof name, "%.*s", described ? (int)strcspn(described, ",\"\\") : 0,
             described ? described : "");
    append_word(l, "", name);
    if (ewald->options.device > 0) append(l, "device", ewald->options.device);
    append_word(l, "", ewald->options.memory == ENUF_DEVICE ? "device memory" : "host memory");
}

/* Options that are given, and those that are kept. */
static void append_given(const enuf_ewald_options *o, line *l)
{
    if (o->split != ENUF_SPLIT_AUTO) append_word(l, "split ", enuf_split_name(o->split));
    append(l, "cutoff", o->cutoff);
    append(l, "alpha", o->alpha);
    append(l, "c", o->c);
    append(l, "kmax", o->kmax);
    for (int d = 0; d < 3; d++) append(l, "grid", (double)o->grid[d]);
    append_word(l, "window ", enuf_window_name(o->window));
    append(l, "width", o->width);
    append(l, "shape", o->shape);
    append(l, "slab", o->slab);
}

static line problem_of(const enuf_tuning_work *w)
{
    const enuf_ewald *ewald = w->ewald;
    line l = {"Ewald sums"};
    append_system(ewald, &l);
    append(&l, "accuracy", w->choice.requested);
    append_word(&l, "", enuf_arithmetic_name(ewald->options.arithmetic));
    append_device(ewald, &l);
    append(&l, "threads", enuf_ewald_threads(ewald));
    append(&l, "fft effort", (double)ewald->options.fft_effort);
    if (w->request.with_virial) append_word(&l, "", "virial");
    if (enuf_tuning_is_uncorrelated(w)) append_word(&l, "", "uncorrelated");
    append_given(&ewald->options, &l);
    return l;
}

static void plan_options(const enuf_tuning_work *w, enuf_nufft_options *plan)
{
    enuf_ewald_plan_options(w->ewald, &w->model, plan);
}

/* The parameters of an entry. *serves 0: they are of another splitting, or their grid or accuracy
 * does not serve the object. */
static enuf_status parameters_of(const enuf_tuning_work *w, const enuf_wisdom_sums *sums,
                                 enuf_parameters *p, int *serves)
{
    enuf_split split = ENUF_SPLIT_AUTO;
    *serves = 0;
    *p = (enuf_parameters){.k_c = sums->band,
                           .window = sums->mesh.window,
                           .width = sums->mesh.width,
                           .shape = sums->mesh.shape};
    memcpy(p->grid, sums->mesh.fine_grid, sizeof p->grid);
    if (enuf_split_parse(sums->split, &split) != ENUF_SUCCESS || split == ENUF_SPLIT_AUTO)
        return ENUF_SUCCESS;
    enuf_status status = split == ENUF_SPLIT_GAUSSIAN
                             ? enuf_splitting_gaussian(sums->parameter, sums->cutoff, &p->splitting)
                             : enuf_splitting_prolate(sums->parameter, sums->cutoff, &p->splitting);
    if (status == ENUF_SUCCESS) status = enuf_tuning_complete(w->ewald, p, serves);
    if (status == ENUF_OUT_OF_MEMORY) return status;
    if (status != ENUF_SUCCESS || !(p->predicted <= w->choice.requested)) *serves = 0;
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_take_wisdom(enuf_tuning_work *w)
{
    const enuf_ewald_tuning_request *r = &w->request;
    enuf_nufft_options plan;
    enuf_wisdom_sums sums;
    enuf_tuned *c = &w->candidate[0];
    enuf_parameters p;
    int serves;
    if (!r->wisdom) return ENUF_SUCCESS;
    plan_options(w, &plan);
    const line problem = problem_of(w);
    ENUF_TRY(enuf_wisdom_find_sums(r->wisdom, &plan, problem.text, &sums, &serves));
    if (!serves || (r->effort != ENUF_TUNE_WISDOM_ONLY && sums.effort < r->effort))
        return ENUF_SUCCESS;
    if (r->memory_limit > 0 && sums.bytes > r->memory_limit) return ENUF_SUCCESS;
    ENUF_TRY(parameters_of(w, &sums, &p, &serves));
    if (!serves) return ENUF_SUCCESS;
    enuf_tuning_describe(w, &p, c);
    ENUF_TRY(enuf_tuning_try(w, c, &serves));
    if (!serves) return ENUF_SUCCESS;
    c->timed.state = ENUF_CANDIDATE_CHOSEN;
    c->timed.measured_seconds = sums.seconds;
    c->timed.bytes = sums.bytes;
    w->n = w->from_wisdom = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_tuning_keep_wisdom(const enuf_tuning_work *w, const enuf_tuned *chosen)
{
    const enuf_parameters *p = &chosen->parameters;
    const int is_gaussian = p->splitting.kind == ENUF_SPLIT_GAUSSIAN;
    enuf_nufft_options plan;
    enuf_wisdom_sums sums = {.parameter = is_gaussian ? p->splitting.alpha : p->splitting.c,
                             .cutoff = p->splitting.cutoff,
                             .band = p->k_c,
                             .effort = w->request.effort,
                             .error = p->predicted,
                             .seconds = chosen->timed.measured_seconds,
                             .bytes = chosen->timed.bytes,
                             .mesh = {.struct_size = sizeof sums.mesh,
                                      .window = p->window,
                                      .width = p->width,
                                      .shape = p->shape}};
    memcpy(sums.mesh.fine_grid, p->grid, sizeof p->grid);
    snprintf(sums.split, sizeof sums.split, "%s", enuf_split_name(p->splitting.kind));
    plan_options(w, &plan);
    const line problem = problem_of(w);
    return enuf_wisdom_add_sums(w->request.wisdom, &plan, problem.text, &sums);
}

enuf_status enuf_tuning_refuse_wisdom(const enuf_tuning_work *w)
{
    char machine[ENUF_WISDOM_PROBLEM];
    enuf_nufft_options plan;
    plan_options(w, &plan);
    const line problem = problem_of(w);
    ENUF_TRY(enuf_wisdom_name_machine(&plan, machine));
    return enuf_fail(ENUF_UNSUPPORTED, "wisdom has no entry that serves %s on %s", problem.text,
                     machine);
}
