/* report.c - the report: parameters, predicted and measured errors. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "sums/fixed_sums.h"
#include "object/calls.h"
#include "object/slope_room.h"

#include <math.h>
#include <string.h>

/* The tail of the modes left out, and the bias that remains. */
static void report_tail(const enuf_ewald *ewald, enuf_ewald_report *report)
{
    const enuf_parameters *p = &ewald->method.parameters;
    const enuf_error_scale *known = &ewald->error_scale;
    const enuf_mode_tail *tail = &ewald->method.tail;
    const double scale = ewald->options.coulomb * ewald->charges.sum_q2;
    const int is_added = known->shells.n > 0 && p->splitting.kind == ENUF_SPLIT_GAUSSIAN;
    const enuf_mode_tail lacking =
        is_added ? *tail : enuf_mode_tail_uncorrelated(&p->splitting, p->k_c);
    const double third = (lacking.virial[0] + lacking.virial[1] + lacking.virial[2]) / 3;
    double energy = known->shells.scatter_energy, virial = known->shells.scatter_pressure;
    if (!is_added) energy = virial = 1;
    report->energy_tail = scale * tail->energy;
    for (int c = 0; c < 6; c++) report->virial_tail[c] = scale * tail->virial[c];
    report->energy_bias = scale * energy * fabs(lacking.energy);
    report->virial_bias = scale * virial * fabs(third);
}

/* The large force of a close pair in the last evaluation rounds relative to its size. */
static void report_rounding(const enuf_ewald *ewald, const enuf_parameters *p, double close_forces,
                            enuf_ewald_report *report)
{
    const double forces = fabs(ewald->options.coulomb) * close_forces;
    const double of_pairs =
        forces > 0 ? enuf_own_rounding(ewald->backend->kind) * forces / p->f_ref : 0;
    const double found = ewald->method.found;
    report->predicted = hypot(p->predicted, of_pairs);
    /* the error found includes the rounding of its pairs */
    if (found > ewald->method.requested) report->predicted = fmax(report->predicted, found);
    report->predicted_rounding = hypot(p->rounding, of_pairs);
}

static enuf_status report_method(const enuf_ewald *ewald, double close_forces,
                                 enuf_ewald_report *report)
{
    const enuf_ewald_method *method = &ewald->method;
    enuf_parameters predicted;
    const enuf_parameters *p = &predicted;
    ENUF_TRY(enuf_ewald_predicted(ewald, &predicted));
    enuf_nufft_report plan = {.struct_size = sizeof plan};
    report->split = p->splitting.kind;
    report->alpha = p->splitting.kind == ENUF_SPLIT_GAUSSIAN ? p->splitting.alpha : 0;
    report->c = p->splitting.kind == ENUF_SPLIT_PROLATE ? p->splitting.c : 0;
    report->cutoff = p->splitting.cutoff;
    report->kmax = p->kmax;
    memcpy(report->modes, p->modes, sizeof report->modes);
    memcpy(report->grid, p->grid, sizeof report->grid);
    report->window = p->window;
    report->width = p->width;
    report->shape = p->shape;
    report->f_ref = p->f_ref;
    report->requested = method->requested;
    report->predicted_real = p->real;
    report->predicted_truncation = p->truncation;
    report->predicted_mesh = hypot(p->mesh, p->own);
    report_rounding(ewald, p, close_forces, report);
    report->calibrated = ewald->error_scale.structure_factor.n > 0 || ewald->error_scale.ratio != 1;
    report_tail(ewald, report);
    if (!method->plan) return ENUF_SUCCESS; /* ewald/mpi holds the mesh */
    if (enuf_nufft_get_report(method->plan, &plan) == ENUF_SUCCESS) report->bytes += plan.bytes;
    report->bytes += 2 * method->n_stored_modes *
                     (int64_t)(enuf_ewald_single_mesh(ewald) ? sizeof(float) : sizeof(double));
    return ENUF_SUCCESS;
}

/* As a caller would give it: c of a slab is not extended. */
static void report_basis(const enuf_ewald *ewald, double basis[9])
{
    memcpy(basis, ewald->geometry.cell, 9 * sizeof *basis);
    if (ewald->options.slab > 0) memcpy(basis + 6, ewald->cell + 6, 3 * sizeof *basis);
}

enuf_status enuf_ewald_check_report(const enuf_ewald_report *report)
{
    if (report && report->struct_size == sizeof *report) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "report is NULL, or report->struct_size is not sizeof(enuf_ewald_report)");
}

static enuf_status add_finer_bytes(const enuf_ewald *ewald, enuf_ewald_report *report)
{
    enuf_ewald_report of_finer = {.struct_size = sizeof of_finer};
    if (!ewald->slope_room || !ewald->slope_room->finer) return ENUF_SUCCESS;
    ENUF_TRY(enuf_ewald_make_report(ewald->slope_room->finer, 0, &of_finer));
    report->bytes += of_finer.bytes;
    return ENUF_SUCCESS;
}

enuf_status enuf_ewald_make_report(const enuf_ewald *ewald, double close_forces,
                                   enuf_ewald_report *report)
{
    ENUF_TRY(enuf_ewald_check_report(report));
    *report = (enuf_ewald_report){
        .struct_size = sizeof *report,
        .backend = ewald->backend->kind,
        .arithmetic = ewald->options.arithmetic,
        .split = ewald->options.split,
        .measured = ewald->measured,
        .verified = ewald->method.found > 0 ? ewald->method.found : NAN,
        .net_charge = ewald->charges.sum,
        .threads = enuf_ewald_threads(ewald),
        .seconds_real = ewald->seconds_real,
        .seconds_reciprocal = ewald->seconds_reciprocal,
        .bytes = enuf_ewald_array_bytes(ewald) + ewald->backend->bytes(ewald),
    };
    if (ewald->has_cell) report_basis(ewald, report->basis);
    ENUF_TRY(add_finer_bytes(ewald, report));
    return ewald->method.is_made ? report_method(ewald, close_forces, report) : ENUF_SUCCESS;
}

enuf_status enuf_alone_get_report(const enuf_ewald *ewald, enuf_ewald_report *report)
{
    /* the charges are the caller's latest; only their sums come late */
    ENUF_TRY(enuf_ewald_settle_charges((enuf_ewald *)ewald));
    return enuf_ewald_make_report(ewald, ewald->close_forces, report);
}

enuf_status enuf_ewald_get_report(const enuf_ewald *ewald, enuf_ewald_report *report)
{
    ENUF_CALL(ewald, get_report, (ewald, report));
}
