/* floats.c - see floats.h. SPDX-License-Identifier: BSD-3-Clause */
#include "floats.h"
#include "memory.h"
#include "object/calls.h"
#include "parallel.h"

#include <string.h>

typedef struct conversion {
    int width;
    int64_t stride;
    const void *from;
    void *to;
} conversion;

static void widen_some(void *context, int64_t begin, int64_t end, int thread)
{
    const conversion *c = context;
    const float *from = c->from;
    double *to = c->to;
    (void)thread;
    for (int64_t i = begin; i < end; i++)
        for (int k = 0; k < c->width; k++) to[i * c->width + k] = (double)from[i * c->stride + k];
}

static void narrow_some(void *context, int64_t begin, int64_t end, int thread)
{
    const conversion *c = context;
    const double *from = c->from;
    float *to = c->to;
    (void)thread;
    for (int64_t k = begin * c->width; k < end * c->width; k++) to[k] = (float)from[k];
}

static void convert_on_host(const enuf_ewald *ewald, int64_t n, conversion *c, enuf_loop_body body)
{
    enuf_parallel_for(n > 4096 ? enuf_ewald_threads(ewald) : 1, n, 0, body, c);
}

/* [n][stride] floats to [n][width] doubles, in the memory of the option. */
static enuf_status widen(enuf_ewald *ewald, int64_t n, int width, int64_t stride, const float *from,
                         double *to)
{
    if (ewald->options.memory == ENUF_DEVICE)
        return ewald->backend->widen(ewald, n, width, stride, from, to);
    conversion c = {width, stride, from, to};
    convert_on_host(ewald, n, &c, widen_some);
    return ENUF_SUCCESS;
}

static enuf_status narrow(enuf_ewald *ewald, int64_t n, int width, const double *from, float *to)
{
    if (ewald->options.memory == ENUF_DEVICE)
        return ewald->backend->narrow(ewald, n * width, from, to);
    conversion c = {width, width, from, to};
    convert_on_host(ewald, n, &c, narrow_some);
    return ENUF_SUCCESS;
}

enuf_status enuf_floats_reserve(enuf_ewald *ewald, int64_t numbers, double **room)
{
    if (ewald->options.memory == ENUF_DEVICE)
        return ewald->backend->float_room(ewald, numbers, room);
    ENUF_TRY(enuf_array_reserve(&ewald->float_room, numbers + 1, sizeof(double),
                                "doubles of float arrays"));
    *room = ewald->float_room.at;
    return ENUF_SUCCESS;
}

/* Ranks would have to agree on errors of the conversion. */
static enuf_status refuse_ranks(const enuf_ewald *ewald)
{
    if (!ewald->on_ranks) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED, "ranks of MPI take arrays of doubles, not of floats");
}

static enuf_status check_places(const enuf_ewald *ewald, const enuf_float_request *request)
{
    const enuf_ewald_result_f32 *r = request->result;
    const enuf_memory memory = ewald->options.memory;
    if (!ewald->backend->check_place) return ENUF_SUCCESS;
    ENUF_TRY(ewald->backend->check_place(ewald, request->positions, memory, "positions"));
#define ENUF_X(BIT, name, width, text)                                                             \
    if (request->wanted & ENUF_WANT_##BIT)                                                         \
        ENUF_TRY(ewald->backend->check_place(ewald, r->name, memory, "result->" #name));
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

static enuf_status check_request(const enuf_ewald *ewald, const enuf_float_request *request)
{
    const enuf_ewald_result_f32 *r = request->result;
    ENUF_TRY(refuse_ranks(ewald));
    if (ewald->has_charges)
        ENUF_TRY(
            enuf_check_positions_argument(ewald->charges.n, request->positions, request->stride));
    if (r && r->struct_size != sizeof *r)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "result->struct_size is %zu: set it to sizeof(enuf_ewald_result_f32), %zu",
                         r->struct_size, sizeof *r);
    return ENUF_SUCCESS;
}

/* The record of doubles, with arrays in the room where the caller has arrays: one after another
 * behind the positions, so that the same request has the same arrays. */
static enuf_ewald_result make_record(const enuf_ewald_result_f32 *r, int64_t n, int wanted,
                                     double *room)
{
    double *next = room + 3 * n;
    enuf_ewald_result record = {.struct_size = sizeof record,
                                .add = r->add,
                                .energy = r->energy,
                                .parts = r->parts,
                                .totals = r->totals};
    memcpy(record.virial, r->virial, sizeof record.virial);
    memcpy(record.net_force, r->net_force, sizeof record.net_force);
#define ENUF_X(BIT, name, width, text)                                                             \
    if ((wanted & ENUF_WANT_##BIT) && r->name) {                                                   \
        record.name = next;                                                                        \
        next += (width)*n;                                                                         \
    }
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return record;
}

static int64_t numbers_of_atom(int wanted)
{
    int64_t numbers = 3;
#define ENUF_X(BIT, name, width, text) numbers += wanted & ENUF_WANT_##BIT ? (width) : 0;
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return numbers;
}

static enuf_status widen_results(enuf_ewald *ewald, int wanted, const enuf_ewald_result_f32 *from,
                                 const enuf_ewald_result *to)
{
#define ENUF_X(BIT, name, width, text)                                                             \
    if (wanted & ENUF_WANT_##BIT)                                                                  \
        ENUF_TRY(widen(ewald, ewald->charges.n, width, width, from->name, to->name));
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

enuf_status enuf_floats_take(enuf_ewald *ewald, const enuf_float_request *request,
                             enuf_evaluation *what)
{
    const int64_t n = ewald->charges.n;
    const int wanted = request->wanted;
    double *room;
    ENUF_TRY(check_request(ewald, request));
    ENUF_TRY(enuf_floats_reserve(ewald, n * numbers_of_atom(wanted), &room));
    ewald->floats.request = *request;
    if (request->result) ewald->floats.doubles = make_record(request->result, n, wanted, room);
    *what = enuf_evaluation_of(ewald, request->positions ? room : NULL, 3, wanted,
                               request->result ? &ewald->floats.doubles : NULL, request->real,
                               request->reciprocal);
    ewald->floats.positions = room;
    return ENUF_SUCCESS;
}

enuf_status enuf_floats_read(enuf_ewald *ewald)
{
    const enuf_float_evaluation *floats = &ewald->floats;
    const enuf_float_request *request = &floats->request;
    const int64_t n = ewald->charges.n;
    if (n == 0) return ENUF_SUCCESS;
    ENUF_TRY(check_places(ewald, request));
    ENUF_TRY(widen(ewald, n, 3, request->stride, request->positions, floats->positions));
    if (!request->result->add) return ENUF_SUCCESS;
    return widen_results(ewald, request->wanted, request->result, &floats->doubles);
}

enuf_status enuf_floats_give_arrays(enuf_ewald *ewald, const enuf_evaluation *what)
{
    const enuf_ewald_result *from = &ewald->floats.doubles;
    const enuf_ewald_result_f32 *to = ewald->floats.request.result;
    const int64_t n = ewald->charges.n;
    if (n == 0) return ENUF_SUCCESS;
#define ENUF_X(BIT, name, width, text)                                                             \
    if (what->wanted & ENUF_WANT_##BIT) ENUF_TRY(narrow(ewald, n, width, from->name, to->name));
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

void enuf_floats_give_sums(enuf_ewald *ewald)
{
    const enuf_ewald_result *from = &ewald->floats.doubles;
    enuf_ewald_result_f32 *to = ewald->floats.request.result;
    to->energy = from->energy;
    to->parts = from->parts;
    memcpy(to->virial, from->virial, sizeof to->virial);
    memcpy(to->net_force, from->net_force, sizeof to->net_force);
}

enuf_status enuf_floats_set_charges(enuf_ewald *ewald, int64_t n, const float *charges,
                                    const enuf_exclusions *exclusions)
{
    enuf_memory place;
    double *doubles = NULL, *copy = NULL;
    ENUF_TRY(refuse_ranks(ewald));
    if (n <= 0 || !charges) return ewald->calls->set_charges(ewald, n, NULL, exclusions);
    ENUF_TRY(enuf_ewald_find_place(ewald, charges, "charges", &place));
    if (place == ENUF_DEVICE) {
        ENUF_TRY(enuf_floats_reserve(ewald, n, &doubles));
        ENUF_TRY(widen(ewald, n, 1, 1, charges, doubles));
    } else {
        conversion c = {1, 1, charges, NULL};
        ENUF_TRY(enuf_allocate(&copy, n, sizeof *copy, "charges"));
        c.to = doubles = copy;
        convert_on_host(ewald, n, &c, widen_some);
    }
    const enuf_status status = ewald->calls->set_charges(ewald, n, doubles, exclusions);
    enuf_release(&copy);
    return status;
}
