/*
 * evaluate.c - an evaluation on the device, enqueued as a whole: pairs and exclusions, the modes
 * through a plan whose arrays live on the device, boundary terms. Nothing waits for the device but
 * the growing of arrays. SPDX-License-Identifier: BSD-3-Clause
 */
#include "evaluate.h"

#include <string.h>

static const double two_pi = 6.283185307179586476925;

static size_t mesh_number(const enuf_ewald *ewald)
{
    return enuf_ewald_single_mesh(ewald) ? sizeof(float) : sizeof(double);
}

static enuf_status clear_sums(enuf_cuda_ewald *cuda, enuf_device_array *array, int64_t n, int width,
                              const char *what, double **view)
{
    const size_t size = (size_t)width * sizeof(double);
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, array, n, size, what));
    *view = array->at;
    ENUF_CUDA_TRY(cudaMemsetAsync(array->at, 0, (size_t)n * size, cuda->stream), what);
    return ENUF_SUCCESS;
}

static enuf_status clear_all(enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_atom_sums *sums = &cuda->sums;
    const int64_t n = ewald->charges.n;
    memset(sums, 0, sizeof *sums);
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->scalars, 1, sizeof(enuf_cuda_scalars),
                                       "sums"));
    ENUF_TRY(enuf_cuda_clear_scalars(cuda->scalars.at, cuda->stream));
    if (n == 0) return ENUF_SUCCESS;
    if (wanted & ENUF_WANT_FORCES)
        ENUF_TRY(clear_sums(cuda, &cuda->forces, n, 3, "forces", &sums->forces));
    if (wanted & ENUF_WANT_ATOM_ENERGY)
        ENUF_TRY(
            clear_sums(cuda, &cuda->atom_energy, n, 1, "energies of atoms", &sums->atom_energy));
    if (wanted & ENUF_WANT_ATOM_VIRIAL)
        ENUF_TRY(
            clear_sums(cuda, &cuda->atom_virial, n, 6, "virials of atoms", &sums->atom_virial));
    if (wanted & ENUF_WANT_POTENTIAL)
        ENUF_TRY(clear_sums(cuda, &cuda->potential, n, 1, "potentials", &sums->potential));
    if (wanted & ENUF_WANT_FIELD)
        ENUF_TRY(clear_sums(cuda, &cuda->field, n, 3, "fields", &sums->field));
    return ENUF_SUCCESS;
}

/* Positions where kernels read them: the caller's, or a copy without what the stride leaves out. */
static enuf_status place_positions(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int64_t n = ewald->charges.n;
    const size_t row = 3 * sizeof(double);
    cuda->atoms = (enuf_cuda_atoms){n, what->positions, what->stride, cuda->q.at};
    if (what->memory == ENUF_DEVICE || n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->positions, n, row, "positions"));
    if (what->stride == 3)
        ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->positions.at, what->positions, (size_t)n * row,
                                      cudaMemcpyHostToDevice, cuda->stream),
                      "copying positions to the GPU");
    else
        ENUF_CUDA_TRY(cudaMemcpy2DAsync(cuda->positions.at, row, what->positions,
                                        (size_t)what->stride * sizeof(double), row, (size_t)n,
                                        cudaMemcpyHostToDevice, cuda->stream),
                      "copying positions to the GPU");
    cuda->atoms.positions = cuda->positions.at;
    cuda->atoms.stride = 3;
    return ENUF_SUCCESS;
}

static enuf_status sum_pairs(enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    const enuf_charge_set *set = &ewald->charges;
    const enuf_ewald_options *o = &ewald->options;
    const enuf_cuda_atom_sums *sums = &cuda->sums;
    const enuf_cuda_pair_request request = {
        .cell = ewald->geometry.cell,
        .n = set->n,
        .positions = cuda->atoms.positions,
        .stride = cuda->atoms.stride,
        .charges = cuda->q.at,
        .splitting = &ewald->method.parameters.splitting,
        .fit_error = ewald->method.table.error,
        .single = o->arithmetic != ENUF_ARITHMETIC_DOUBLE,
        .deterministic = o->deterministic,
        .charge_bound = o->strength_bound > 0 ? o->strength_bound : set->sum_abs,
        .largest_charge = set->largest,
        .out = {.forces = sums->forces,
                .atom_energy = sums->atom_energy,
                .atom_virial = sums->atom_virial,
                .potential = sums->potential,
                .field = sums->field,
                .want_energy = (wanted & ENUF_WANT_ENERGY) != 0,
                .want_virial = (wanted & ENUF_WANT_VIRIAL) != 0},
        .totals = scalars->pairs,
        .record = &scalars->record,
    };
    ENUF_TRY(enuf_cuda_pairs_prepare(&cuda->memory, &cuda->pairs, &request));
    return enuf_cuda_pairs_sum(&cuda->pairs, &request, cuda->stream);
}

static enuf_status sum_exclusions(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_lattice *lattice = &ewald->lattice;
    if (ewald->charges.n_excluded == 0) return ENUF_SUCCESS;
    enuf_cuda_exclusions x = {
        .first = cuda->excluded_first.at,
        .partner = cuda->excluded_partner.at,
        .removed = cuda->excluded_removed.at,
        .safe = lattice->safe,
    };
    for (int k = 0; k < 9; k++) {
        x.rows_high[k] = (double)lattice->rows[k];
        x.rows_low[k] = (double)(lattice->rows[k] - (long double)x.rows_high[k]);
        x.inverse[k] = lattice->inverse[k];
    }
    return enuf_cuda_sum_exclusions(&cuda->atoms, &x, &cuda->sums, cuda->scalars.at, cuda->stream);
}

static enuf_status gather_virial(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_method *method = &ewald->method;
    const int single = enuf_ewald_single_mesh(ewald);
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->multiplier, method->n_stored_modes,
                                       mesh_number(ewald), "multiplier of the modes"));
    for (int c = 0; c < 6; c++) {
        ENUF_TRY(enuf_cuda_virial_multiplier(ewald->geometry.inverse, method->plan_modes, single,
                                             cuda->influence.at, c, cuda->multiplier.at,
                                             cuda->stream));
        ENUF_TRY(enuf_nufft_backward(method->plan, ENUF_REAL, cuda->multiplier.at,
                                     cuda->half_potential.at, NULL));
        ENUF_TRY(enuf_cuda_add_virial(&cuda->atoms, cuda->half_potential.at, single, c,
                                      cuda->sums.atom_virial, cuda->stream));
    }
    return ENUF_SUCCESS;
}

static enuf_status sum_modes(enuf_ewald *ewald, int wanted)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_scalars *scalars = cuda->scalars.at;
    const enuf_cuda_atom_sums *sums = &cuda->sums;
    const int single = enuf_ewald_single_mesh(ewald);
    const int64_t n = cuda->atoms.n;
    enuf_nufft *plan = ewald->method.plan;
    const double *x = cuda->atoms.positions;
    ENUF_TRY(enuf_nufft_set_frame(plan, ewald->geometry.frame, NULL));
    ENUF_TRY(enuf_nufft_set_points(plan, n, x, x + 1, x + 2, cuda->atoms.stride));
    ENUF_TRY(enuf_nufft_forward(plan, single ? cuda->q_single.at : cuda->q.at));
    if (wanted & ENUF_WANT_VIRIAL)
        ENUF_TRY(enuf_nufft_reduce(plan, 2, cuda->influence.at, 1, &scalars->reduced[0][0]));
    else if (wanted & ENUF_WANT_ENERGY)
        ENUF_TRY(enuf_nufft_reduce(plan, 1, cuda->influence.at, 0, &scalars->reduced[0][0]));

    const int values = sums->potential || sums->atom_energy || sums->atom_virial,
              gradients = sums->forces || sums->field;
    if (values)
        ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->half_potential, n,
                                           mesh_number(ewald), "mesh potentials"));
    if (gradients)
        ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &cuda->half_gradient, n,
                                           3 * mesh_number(ewald), "mesh gradients"));
    /* first, since the potential's array serves it too */
    if (sums->atom_virial) ENUF_TRY(gather_virial(ewald));
    if (!values && !gradients) return ENUF_SUCCESS;
    ENUF_TRY(enuf_nufft_backward(plan, ENUF_REAL, cuda->influence.at,
                                 values ? cuda->half_potential.at : NULL,
                                 gradients ? cuda->half_gradient.at : NULL));
    if (!sums->forces) return ENUF_SUCCESS;
    return enuf_cuda_sum_mesh_force(&cuda->atoms, cuda->half_gradient.at, single, scalars,
                                    cuda->stream);
}

static enuf_status sum_boundary(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_charge_set *set = &ewald->charges;
    const enuf_ewald_options *o = &ewald->options;
    const enuf_splitting *splitting = &ewald->method.parameters.splitting;
    const double volume = ewald->geometry.volume, height = ewald->geometry.cell[8];
    cuda->boundary = (enuf_cuda_boundary){
        .wanted = 1,
        .self = splitting->self,
        .background = -2 * splitting->background * set->sum / volume,
        .charge = set->sum,
    };
    if (o->surroundings != 0) cuda->boundary.sphere = two_pi / ((2 * o->surroundings + 1) * volume);
    if (o->slab != 0) {
        cuda->boundary.slab = two_pi / volume;
        cuda->boundary.level = set->sum * height * height / 12;
    }
    if (o->surroundings == 0 && o->slab == 0) return ENUF_SUCCESS;
    return enuf_cuda_sum_moments(&cuda->atoms, cuda->scalars.at, cuda->stream);
}

/* A pointer that the options place elsewhere would end the process' CUDA context. */
static enuf_status check_place(const void *at, enuf_memory memory, int device, const char *name)
{
    struct cudaPointerAttributes attributes;
    if (!at) return ENUF_SUCCESS;
    ENUF_CUDA_TRY(cudaPointerGetAttributes(&attributes, at), "looking at a pointer");
    const int on_device = attributes.type == cudaMemoryTypeDevice;
    if (attributes.type == cudaMemoryTypeManaged) return ENUF_SUCCESS;
    if (on_device != (memory == ENUF_DEVICE))
        return enuf_fail(ENUF_BAD_MEMORY, "%s lives in %s memory, but the option memory says %s",
                         name, on_device ? "device" : "host", on_device ? "host" : "device");
    if (!on_device || attributes.device == device) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_MEMORY, "%s lives on GPU %d, but the evaluation runs on GPU %d", name,
                     attributes.device, device);
}

static enuf_status check_places(const enuf_evaluation *what, int device)
{
    const enuf_ewald_result *r = what->result;
    const struct {
        int wanted;
        const void *at;
        const char *name;
    } arrays[] = {
        {1, what->positions, "positions"},
        {what->wanted & ENUF_WANT_FORCES, r->forces, "result->forces"},
        {what->wanted & ENUF_WANT_ATOM_ENERGY, r->atom_energy, "result->atom_energy"},
        {what->wanted & ENUF_WANT_ATOM_VIRIAL, r->atom_virial, "result->atom_virial"},
        {what->wanted & ENUF_WANT_POTENTIAL, r->potential, "result->potential"},
        {what->wanted & ENUF_WANT_FIELD, r->field, "result->field"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].wanted)
            ENUF_TRY(check_place(arrays[k].at, what->memory, device, arrays[k].name));
    return ENUF_SUCCESS;
}

static enuf_status enqueue_delivery(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_ewald_result *r = what->result;
    const enuf_cuda_atom_sums *sums = &cuda->sums;
    const int on_device = what->memory == ENUF_DEVICE;
    if (cuda->atoms.n == 0) return ENUF_SUCCESS;
    enuf_cuda_delivery delivery = {
        .single = enuf_ewald_single_mesh(ewald),
        .remove_net = !ewald->options.keep_net_force,
        .n_charged = ewald->charges.n_charged,
        .boundary = cuda->boundary,
        .sums = *sums,
        .to = *sums,
        .scale = ewald->options.coulomb,
        .add = on_device && r->add,
    };
    if (cuda->has_modes && (sums->potential || sums->atom_energy))
        delivery.half_potential = cuda->half_potential.at;
    if (cuda->has_modes && (sums->forces || sums->field))
        delivery.half_gradient = cuda->half_gradient.at;
    if (on_device)
        delivery.to = (enuf_cuda_atom_sums){r->forces, r->atom_energy, r->atom_virial, r->potential,
                                            r->field};
    return enuf_cuda_deliver(&cuda->atoms, &delivery, cuda->scalars.at, cuda->stream);
}

static enuf_status record(enuf_cuda_ewald *cuda, int event)
{
    ENUF_CUDA_TRY(cudaEventRecord(cuda->event[event], cuda->stream), "recording an event");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_start(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const int charged = ewald->charges.n_charged > 0;
    if (ewald->charges.n > 0 && !what->positions)
        return enuf_fail(ENUF_BAD_ARGUMENT, "positions is NULL, but there are %lld charges",
                         (long long)ewald->charges.n);
    if (what->stride < 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "stride is %lld: it has to be at least 3",
                         (long long)what->stride);
    if (ewald->charges.n > 0) ENUF_TRY(check_places(what, cuda->device));
    cuda->has_pairs = charged && what->real;
    cuda->has_modes = charged && what->reciprocal;
    memset(&cuda->boundary, 0, sizeof cuda->boundary);
    ENUF_TRY(enuf_cuda_make_resident(ewald));
    ENUF_TRY(clear_all(ewald, what->wanted));
    ENUF_TRY(place_positions(ewald, what));
    ENUF_TRY(record(cuda, EVENT_START));
    if (!cuda->has_pairs && cuda->atoms.n > 0)
        ENUF_TRY(enuf_cuda_check_positions(&cuda->atoms, cuda->scalars.at, cuda->stream));
    if (cuda->has_pairs) {
        ENUF_TRY(sum_pairs(ewald, what->wanted));
        ENUF_TRY(sum_exclusions(ewald));
    }
    ENUF_TRY(record(cuda, EVENT_MIDDLE));
    if (cuda->has_modes) {
        ENUF_TRY(sum_modes(ewald, what->wanted));
        ENUF_TRY(sum_boundary(ewald));
    }
    ENUF_TRY(enqueue_delivery(ewald, what));
    ENUF_TRY(record(cuda, EVENT_END));
    ENUF_CUDA_TRY(cudaMemcpyAsync(cuda->told, cuda->scalars.at, sizeof *cuda->told,
                                  cudaMemcpyDeviceToHost, cuda->stream),
                  "copying the sums from the GPU");
    return ENUF_SUCCESS;
}
