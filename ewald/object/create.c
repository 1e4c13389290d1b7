/* create.c - makes and frees an Ewald object, without its table of public functions (calls.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "slope_room.h"
#include "fft/fft_find.h"
#include "memory.h"

#include <math.h>
#include <string.h>

static enuf_status create(const enuf_ewald_options *options, enuf_ewald *ewald)
{
    ewald->options = *options;
    ewald->options.fft_wisdom = NULL;
    ewald->measured = NAN;
    ewald->close_forces = 0;
    ewald->error_scale = ENUF_NO_ERROR_SCALE;
    ENUF_TRY(enuf_isa_find(options->isa, &ewald->options.isa));
    ENUF_TRY(enuf_ewald_backend_find(options->backend, ewald->options.isa, &ewald->backend));
    const int on_cpu = ewald->backend->kind == ENUF_BACKEND_CPU;
    ENUF_TRY(
        enuf_fft_choose(options->fft, on_cpu ? options->fft_wisdom : NULL, &ewald->options.fft));
    if (options->memory == ENUF_DEVICE && ewald->backend->kind == ENUF_BACKEND_CPU)
        return enuf_fail(ENUF_BAD_MEMORY,
                         "memory is device, but the backend is the CPU: take host memory");
    if (options->fft_wisdom) {
        size_t length = strlen(options->fft_wisdom) + 1;
        ENUF_TRY(enuf_allocate(&ewald->fft_wisdom, (int64_t)length, 1, "the wisdom file's name"));
        memcpy(ewald->fft_wisdom, options->fft_wisdom, length);
        ewald->options.fft_wisdom = ewald->fft_wisdom;
    }
    ewald->options.calibration_file = NULL; /* the object holds the rates, not the name */
    const int gpu = ewald->backend->kind == ENUF_BACKEND_CUDA;
    const int is_auto = options->arithmetic == ENUF_ARITHMETIC_AUTO;
    ewald->chooses_arithmetic =
        (gpu && is_auto) || options->arithmetic == ENUF_ARITHMETIC_BY_ACCURACY;
    if (ewald->chooses_arithmetic)
        ewald->options.arithmetic = ENUF_ARITHMETIC_AUTO; /* until parameters are chosen */
    else if (is_auto)
        ewald->options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    ewald->costs = gpu ? enuf_costs_shipped_cuda : enuf_costs_shipped;
    if (options->calibration_file)
        ENUF_TRY(enuf_costs_read(options->calibration_file, &ewald->costs));
    if (ewald->costs.backend != ewald->backend->kind)
        return enuf_fail(ENUF_BAD_FILE,
                         "calibration file %s holds rates of the %s backend, this is the %s's: "
                         "enuf tune --calibrate --backend %s measures them",
                         options->calibration_file, enuf_backend_name(ewald->costs.backend),
                         ewald->backend->name, ewald->backend->name);
    return ewald->backend->create(ewald);
}

enuf_status enuf_ewald_make(const enuf_ewald_options *options, enuf_ewald **made)
{
    enuf_ewald *ewald = NULL;
    *made = NULL;
    ENUF_TRY(enuf_ewald_check_options(options));
    ENUF_TRY(enuf_allocate(&ewald, 1, sizeof *ewald, "an Ewald object"));
    memset(ewald, 0, sizeof *ewald);
    const enuf_status status = create(options, ewald);
    if (status == ENUF_SUCCESS)
        *made = ewald;
    else
        enuf_ewald_free(ewald);
    return status;
}

void enuf_method_release(enuf_ewald_method *method)
{
    enuf_nufft_destroy(&method->plan);
    enuf_release(&method->influence);
}

void enuf_ewald_free(enuf_ewald *ewald)
{
    if (!ewald) return;
    enuf_method_release(&ewald->method);
    enuf_charge_set_release(&ewald->charges);
    enuf_ewald_release_arrays(ewald);
    if (ewald->slope_room) enuf_ewald_free(ewald->slope_room->finer);
    enuf_slope_room_release(&ewald->slope_room);
    enuf_held_release(&ewald->held);
    if (ewald->backend) ewald->backend->destroy(ewald);
    enuf_release(&ewald->fft_wisdom);
    enuf_release(&ewald);
}
