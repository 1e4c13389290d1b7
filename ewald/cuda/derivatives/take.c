/* take.c - positions and a direction of the caller, on the device. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "derivatives/checks.h"
#include "device_arguments.h"
#include "steps.h"
#include "take.h"

#include <math.h>

enuf_motion enuf_cuda_motion_of(const enuf_ewald *ewald, const enuf_motion *motion)
{
    const enuf_cuda_slope_room *room = &enuf_cuda_ewald_of(ewald)->slopes;
    enuf_motion m = *motion;
    if (enuf_cuda_arrays_are_there(ewald)) return m;
    m.positions = room->positions.at;
    m.stride = 3;
    if (m.displacements) m.displacements = room->displacements.at;
    if (m.charges) m.charges = room->changes.at;
    return m;
}

enuf_status enuf_cuda_take_rows(enuf_cuda_ewald *cuda, enuf_device_array *to, int64_t n,
                                int64_t width, int64_t stride, const double *from, const char *what)
{
    const size_t number = sizeof(double), row = (size_t)width * number;
    if (!from) return ENUF_SUCCESS;
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, to, n, row, what));
    if (stride == width) {
        ENUF_CUDA_TRY(cudaMemcpyAsync(to->at, from, (size_t)n * row, cudaMemcpyDefault, cuda->work),
                      what);
        return ENUF_SUCCESS;
    }
    ENUF_CUDA_TRY(cudaMemcpy2DAsync(to->at, row, from, (size_t)stride * number, row, (size_t)n,
                                    cudaMemcpyDefault, cuda->work),
                  what);
    return ENUF_SUCCESS;
}

static enuf_status check_places(const enuf_ewald *ewald, const enuf_motion *motion)
{
    const enuf_memory memory = ewald->options.memory;
    const int device = enuf_cuda_ewald_of(ewald)->device;
    ENUF_TRY(enuf_cuda_check_place(motion->positions, memory, device, "positions"));
    ENUF_TRY(enuf_cuda_check_place(motion->displacements, memory, device, "direction->positions"));
    return enuf_cuda_check_place(motion->charges, memory, device, "direction->charges");
}

static enuf_status fetch(const enuf_cuda_ewald *cuda, int64_t n, const double *from, double *to)
{
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost, cuda->work),
        "reading a number");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "reading a number");
    return ENUF_SUCCESS;
}

/* The error of what is not finite: first positions, then u, then w. */
static enuf_status report(const enuf_cuda_ewald *cuda, const enuf_motion *m,
                          const enuf_cuda_direction_found *found)
{
    double x[3];
    if (found->position != ENUF_CUDA_NO_ATOM) {
        const enuf_cuda_pair_record record = {.bad_atom = found->position,
                                              .far_atom = ENUF_CUDA_NO_ATOM};
        ENUF_TRY(fetch(cuda, 3, m->positions + (int64_t)found->position * m->stride, x));
        return enuf_cuda_report_atom(&record, x, INFINITY);
    }
    const int moves = found->displacement != ENUF_CUDA_NO_ATOM;
    const unsigned long long at = moves ? found->displacement : found->change;
    if (at == ENUF_CUDA_NO_ATOM) return ENUF_SUCCESS;
    ENUF_TRY(fetch(cuda, 1, (moves ? m->displacements : m->charges) + at, x));
    return enuf_direction_not_finite(moves ? "positions" : "charges", (int64_t)at, x[0]);
}

/* Makes room for what a look finds. */
static enuf_status reserve(enuf_cuda_ewald *cuda)
{
    return enuf_device_array_reserve(&cuda->memory, &cuda->slopes.found, 1,
                                     sizeof(enuf_cuda_direction_found), "a direction");
}

enuf_status enuf_cuda_enqueue_look(const enuf_cuda_ewald *cuda, const enuf_cuda_moving_atoms *atoms,
                                   cudaStream_t stream)
{
    enuf_cuda_direction_found *on_gpu = cuda->slopes.found.at;
    ENUF_CUDA_TRY(cudaMemsetAsync(on_gpu, 0xff, sizeof *on_gpu, stream), "a direction");
    ENUF_TRY(enuf_cuda_look_at_direction(atoms, on_gpu, stream));
    ENUF_CUDA_TRY(cudaMemcpyAsync(&cuda->slopes.outcome->found, on_gpu, sizeof *on_gpu,
                                  cudaMemcpyDeviceToHost, stream),
                  "looking at a direction");
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_report_direction(const enuf_cuda_ewald *cuda, const enuf_motion *motion)
{
    return report(cuda, motion, &cuda->slopes.outcome->found);
}

static enuf_status look_now(enuf_ewald *ewald, const enuf_motion *motion, int *recharges)
{
    const enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    const enuf_cuda_moving_atoms atoms = {.n = ewald->charges.n,
                                          .motion = enuf_cuda_motion_of(ewald, motion)};
    ENUF_TRY(enuf_cuda_enqueue_look(cuda, &atoms, cuda->work));
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "looking at a direction");
    *recharges = cuda->slopes.outcome->found.recharged != ENUF_CUDA_NO_ATOM;
    return enuf_cuda_report_direction(cuda, &atoms.motion);
}

enuf_status enuf_cuda_take_motion(enuf_ewald *ewald, const enuf_motion *motion, int *recharges)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_slope_room *room = &cuda->slopes;
    const int64_t n = ewald->charges.n;
    *recharges = 0;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(check_places(ewald, motion));
    ENUF_TRY(enuf_cuda_order(cuda->stream, cuda->event[EVENT_FORK], cuda->work));
    ENUF_TRY(reserve(cuda));
    if (!enuf_cuda_arrays_are_there(ewald)) {
        ENUF_TRY(enuf_cuda_take_rows(cuda, &room->positions, n, 3, motion->stride,
                                     motion->positions, "positions"));
        ENUF_TRY(enuf_cuda_take_rows(cuda, &room->displacements, n, 3, 3, motion->displacements,
                                     "displacements"));
        ENUF_TRY(enuf_cuda_take_rows(cuda, &room->changes, n, 1, 1, motion->charges,
                                     "changes of charges"));
    } else if (ewald->charges.n_charged > 0) {
        return ENUF_SUCCESS; /* differentiate() looks */
    }
    return look_now(ewald, motion, recharges);
}
