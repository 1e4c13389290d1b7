/*
 * slab_fft.c - the transform: cuFFT transforms x and y of all planes in one call, in place. Then
 * the modes go to their lines. Then cuFFT transforms z of all lines in one call.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cufft_library.h"
#include "device.h"
#include "slab.h"

static enuf_status cufft_status(cufftResult result, const enuf_slab *s, const char *what)
{
    const int64_t *g = s->layout.grid;
    if (result == CUFFT_SUCCESS) return ENUF_SUCCESS;
    return enuf_fail(result == CUFFT_ALLOC_FAILED ? ENUF_OUT_OF_MEMORY : ENUF_INTERNAL,
                     "cuFFT: %s transforms of %lld of %lld planes of %lldx%lld fails with result "
                     "%d%s",
                     what, (long long)s->share.n[ENUF_AXIS_Z], (long long)g[2], (long long)g[0],
                     (long long)g[1], (int)result,
                     result == CUFFT_ALLOC_FAILED ? " (no memory)" : "");
}

/* Sizes of a cuFFT plan, slowest axis first. */
typedef struct sizes {
    int rank;
    long long n[2], from[2], to[2]; /* lengths; dimensions of the input, of the output */
    long long stride, from_distance, to_distance, batch;
    cufftType type;
} sizes;

/* Makes a plan without its work area. */
static enuf_status make(const enuf_slab *s, sizes z, int *handle, int *has, size_t *most)
{
    size_t work = 0;
    ENUF_TRY(cufft_status(enuf_cufft.cufftCreate(handle), s, "creating"));
    *has = 1;
    ENUF_TRY(cufft_status(enuf_cufft.cufftSetAutoAllocation(*handle, 0), s, "setting up"));
    ENUF_TRY(cufft_status(enuf_cufft.cufftMakePlanMany64(*handle, z.rank, z.n, z.from, z.stride,
                                                         z.from_distance, z.to, z.stride,
                                                         z.to_distance, z.type, z.batch, &work),
                          s, "planning"));
    if (work > *most) *most = work;
    return cufft_status(enuf_cufft.cufftSetStream(*handle, s->stream), s, "setting up");
}

static enuf_status make_planes(enuf_slab *s, size_t *work)
{
    const int64_t *g = s->layout.grid;
    sizes z = {.rank = 2,
               .n = {g[1], g[0]},
               .from = {g[1], s->row},
               .to = {g[1], s->row / 2},
               .stride = 1,
               .from_distance = s->plane,
               .to_distance = s->plane / 2,
               .batch = s->share.n[ENUF_AXIS_Z],
               .type = s->single ? CUFFT_R2C : CUFFT_D2Z};
    const sizes forward = z;
    ENUF_TRY(make(s, z, &s->fft.planes_forward, &s->fft.has_planes_forward, work));
    z.type = s->single ? CUFFT_C2R : CUFFT_Z2D;
    z.from[1] = forward.to[1];
    z.to[1] = forward.from[1];
    z.from_distance = forward.to_distance;
    z.to_distance = forward.from_distance;
    return make(s, z, &s->fft.planes_backward, &s->fft.has_planes_backward, work);
}

static enuf_status make_lines(enuf_slab *s, size_t *work)
{
    const sizes z = {.rank = 1,
                     .n = {s->lines.grid_z},
                     .from = {s->lines.grid_z},
                     .to = {s->lines.grid_z},
                     .stride = s->lines.columns,
                     .from_distance = 1,
                     .to_distance = 1,
                     .batch = s->lines.columns,
                     .type = s->single ? CUFFT_C2C : CUFFT_Z2Z};
    if (s->lines.columns == 0) return ENUF_SUCCESS;
    return make(s, z, &s->fft.lines, &s->fft.has_lines, work);
}

enuf_status enuf_slab_fft_create(enuf_slab *s)
{
    enuf_slab_fft *f = &s->fft;
    size_t work = 0;
    const char *reason;
    if (!s->share.holds) return ENUF_SUCCESS;
    if (!enuf_cufft_load(&reason)) return enuf_fail(ENUF_NO_BACKEND, "%s", reason);
    ENUF_TRY(make_planes(s, &work));
    ENUF_TRY(make_lines(s, &work));
    ENUF_TRY(
        enuf_device_array_reserve(&s->memory, &f->work, (int64_t)work, 1, "cuFFT's work area"));
    const int handles[3] = {f->planes_forward, f->planes_backward, f->lines};
    for (int k = 0; k < (f->has_lines ? 3 : 2); k++)
        ENUF_TRY(
            cufft_status(enuf_cufft.cufftSetWorkArea(handles[k], f->work.at), s, "setting up"));
    return ENUF_SUCCESS;
}

void enuf_slab_fft_destroy(enuf_slab *s)
{
    enuf_slab_fft *f = &s->fft;
    if (f->has_planes_forward) enuf_cufft.cufftDestroy(f->planes_forward);
    if (f->has_planes_backward) enuf_cufft.cufftDestroy(f->planes_backward);
    if (f->has_lines) enuf_cufft.cufftDestroy(f->lines);
    enuf_device_array_release(&s->memory, &f->work);
}

static void *own_planes(const enuf_slab *s)
{
    return (char *)s->cells.at +
           (size_t)(s->share.halo_lo[ENUF_AXIS_Z] * s->plane) * enuf_slab_number(s);
}

static enuf_status executed(const enuf_slab *s, cufftResult result)
{
    if (result != CUFFT_SUCCESS) /* a sticky error has the better text */
        ENUF_CUDA_TRY(cudaGetLastError(), "cuFFT");
    return cufft_status(result, s, "executing");
}

static enuf_status transform_planes(const enuf_slab *s, int backward)
{
    void *c = own_planes(s);
    const int handle = backward ? s->fft.planes_backward : s->fft.planes_forward;
    if (backward)
        return executed(s, s->single ? enuf_cufft.cufftExecC2R(handle, c, c)
                                     : enuf_cufft.cufftExecZ2D(handle, c, c));
    return executed(s, s->single ? enuf_cufft.cufftExecR2C(handle, c, c)
                                 : enuf_cufft.cufftExecD2Z(handle, c, c));
}

static enuf_status transform_lines(const enuf_slab *s, int direction)
{
    void *c = enuf_slab_lines_at(s);
    if (!s->fft.has_lines) return ENUF_SUCCESS;
    return executed(s, s->single ? enuf_cufft.cufftExecC2C(s->fft.lines, c, c, direction)
                                 : enuf_cufft.cufftExecZ2Z(s->fft.lines, c, c, direction));
}

static int alone(const enuf_slab *s)
{
    return s->layout.cells[ENUF_AXIS_Z].parts == 1;
}

void *enuf_slab_lines_at(const enuf_slab *s)
{
    return s->buffer[alone(s) ? 0 : 1].at; /* data received in the order of ranks are [z][y][x] */
}

static enuf_status pack(const enuf_slab *s)
{
    if (!s->share.holds) return ENUF_SUCCESS;
    ENUF_TRY(transform_planes(s, 0));
    return enuf_slab_pack_modes(&s->modes, s->single, own_planes(s), s->buffer[0].at, s->stream);
}

enuf_status enuf_slab_forward(enuf_slab *s)
{
    enuf_status status = pack(s);
    if (!alone(s)) {
        const enuf_status sent =
            enuf_device_exchange_forth(s->request.devices, &s->to_lines, enuf_slab_complex(s),
                                       s->buffer[0].at, s->buffer[1].at, s->stream);
        if (status == ENUF_SUCCESS) status = sent;
    }
    ENUF_TRY(status);
    return transform_lines(s, CUFFT_FORWARD);
}

enuf_status enuf_slab_backward(enuf_slab *s)
{
    enuf_status status = transform_lines(s, CUFFT_INVERSE);
    if (!alone(s)) {
        const enuf_status sent =
            enuf_device_exchange_back(s->request.devices, &s->to_lines, enuf_slab_complex(s),
                                      s->buffer[1].at, s->buffer[0].at, s->stream);
        if (status == ENUF_SUCCESS) status = sent;
    }
    ENUF_TRY(status);
    if (!s->share.holds) return ENUF_SUCCESS;
    ENUF_TRY(
        enuf_slab_unpack_modes(&s->modes, s->single, s->buffer[0].at, own_planes(s), s->stream));
    return transform_planes(s, 1);
}
