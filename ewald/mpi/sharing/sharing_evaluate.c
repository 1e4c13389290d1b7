/*
 * sharing_evaluate.c - evaluations of ranks that share a GPU: sends positions to the leader and its
 * results back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "memory.h"
#include "mpi/evaluate/evaluate.h"
#include "sharing.h"

#include <stdio.h>
#include <string.h>

enuf_row_share enuf_sharing_rows(enuf_sharing *s, enuf_led_atoms *atoms)
{
    return (enuf_row_share){&s->share.group, &atoms->to_leader, atoms->first, atoms->of_group};
}

/* ---- To the leader ---- */

/* Writes this rank's positions. The leader has them after all ranks have agreed and sent. */
static enuf_status put_positions(enuf_sharing *s, const double *positions, int64_t stride)
{
    const enuf_row_share rows = enuf_sharing_rows(s, s->now);
    ENUF_TRY(enuf_check_positions_argument(s->now->n, positions, stride));
    enuf_common_array_put(&rows, positions, stride, &s->positions);
    return ENUF_SUCCESS;
}

static void send_positions(enuf_sharing *s)
{
    const enuf_row_share rows = enuf_sharing_rows(s, s->now);
    enuf_common_array_send(&rows, &s->positions);
}

enuf_status enuf_sharing_gather_positions(enuf_sharing *s, const double *positions, int64_t stride)
{
    ENUF_TRY(enuf_ranks_agree(&s->ranks, put_positions(s, positions, stride)));
    send_positions(s);
    return ENUF_SUCCESS;
}

/* 1 if the evaluation needs no choice and no verification first. */
static int is_ready(const enuf_sharing *s)
{
    enuf_ewald *ewald = s->leaders;
    return !ewald || (enuf_ewald_is_as_before(ewald) && ewald->method.is_verified);
}

/* Checks the requests of all ranks, and sends the positions. *ready: is_ready() of the leaders. */
static enuf_status check(enuf_sharing *s, const enuf_evaluation *what, int *ready)
{
    *ready = is_ready(s);
    enuf_status status = enuf_evaluation_check_result(what, s->now->n > 0);
    if (status == ENUF_SUCCESS) status = put_positions(s, what->positions, what->stride);
    ENUF_TRY(enuf_ranks_agree_request(&s->ranks, status, what, ready));
    send_positions(s);
    return ENUF_SUCCESS;
}

/* ---- From the leader ---- */

/* ENUF_ATOM_RESULTS has the order of enuf_sharing.results. */

static enuf_status reserve_results(enuf_sharing *s, int wanted)
{
    const enuf_row_share rows = enuf_sharing_rows(s, s->now);
    enuf_common_array *array = s->results;
    enuf_status status = ENUF_SUCCESS;
    /* collective: all ranks go on after a failure of one */
#define ENUF_X(BIT, name, width, text)                                                             \
    if (wanted & ENUF_WANT_##BIT) {                                                                \
        const enuf_status here = enuf_common_array_reserve(&rows, width, s->leaders, array);       \
        if (status == ENUF_SUCCESS) status = here;                                                 \
    }                                                                                              \
    array++;
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return status;
}

/* Makes room for the wanted results on all ranks, which make the same request. found: the leader's
 * results. */
static enuf_status make_room(enuf_sharing *s, int wanted, enuf_ewald_result *found)
{
    enuf_common_array *array = s->results;
    if (wanted & ~s->has_room)
        ENUF_TRY(enuf_ranks_agree(&s->ranks, reserve_results(s, wanted & ~s->has_room)));
    s->has_room |= wanted;
    *found = (enuf_ewald_result){.struct_size = sizeof *found};
#define ENUF_X(BIT, name, width, text)                                                             \
    if (s->leaders && (wanted & ENUF_WANT_##BIT)) found->name = enuf_common_array_rows(array);     \
    array++;
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    return ENUF_SUCCESS;
}

/* Copies the wanted results to this rank's caller, after the leader has summed. */
static void deliver(enuf_sharing *s, const enuf_evaluation *what)
{
    const enuf_row_share rows = enuf_sharing_rows(s, s->now);
    enuf_common_array *array = s->results;
    enuf_ewald_result *r = what->result;
    const int wanted = what->wanted;
    enuf_ewald_result totals = s->found;
    enuf_ranks_from_first(&s->share.group, (int64_t)sizeof totals, &totals);
#define ENUF_X(BIT, name, width, text)                                                             \
    if (wanted & ENUF_WANT_##BIT)                                                                  \
        enuf_deliver(r->add, 1, s->now->n *(width), enuf_common_array_take(&rows, array),          \
                     r->name);                                                                     \
    array++;
    ENUF_ATOM_RESULTS(ENUF_X)
#undef ENUF_X
    enuf_deliver_totals(what, 1, totals.energy, &totals.parts, totals.virial, totals.net_force);
}

/* ---- An evaluation ---- */

/* The leader's request to its own object. */
static enuf_evaluation led(enuf_sharing *s, const enuf_evaluation *what)
{
    enuf_evaluation request = *what;
    request.positions = enuf_common_array_rows(&s->positions);
    request.stride = 3;
    request.result = &s->found;
    return request;
}

static enuf_status compute_led(enuf_sharing *s, const enuf_evaluation *what)
{
    const enuf_evaluation request = led(s, what);
    return s->leaders->calls->compute(s->leaders, &request);
}

/* All steps before the leaders' sums. */
static enuf_status hand_to_leaders(enuf_sharing *s, const enuf_evaluation *what, int *ready)
{
    s->share.group.bytes_sent = 0;
    ENUF_TRY(check(s, what, ready));
    return make_room(s, what->wanted, &s->found);
}

enuf_status enuf_sharing_compute(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_sharing *s = ewald->on_ranks;
    int ready;
    ENUF_TRY(hand_to_leaders(s, what, &ready));
    ENUF_TRY(ENUF_LED(s, compute_led(s, what)));
    deliver(s, what);
    return ENUF_SUCCESS;
}

static enuf_status begin_led(enuf_sharing *s, const enuf_evaluation *what)
{
    s->leaders->pending = led(s, what);
    return s->leaders->calls->begin(s->leaders);
}

/* Starts the leader's work. finish() reports its errors, which saves a message; errors of a choice
 * are reported at once. */
static enuf_status start(enuf_sharing *s, const enuf_evaluation *what, int ready)
{
    s->begin_status = s->leaders ? begin_led(s, what) : ENUF_SUCCESS;
    if (!ready) return enuf_ranks_pass_on(&s->ranks, s->begin_status);
    if (s->begin_status != ENUF_SUCCESS)
        snprintf(s->begin_text, sizeof s->begin_text, "%s", enuf_last_error());
    return ENUF_SUCCESS;
}

enuf_status enuf_sharing_begin(enuf_ewald *ewald)
{
    enuf_sharing *s = ewald->on_ranks;
    int ready;
    ENUF_TRY(hand_to_leaders(s, &ewald->pending, &ready));
    return s->starts ? start(s, &ewald->pending, ready) : ENUF_SUCCESS;
}

/* Computes the sums on the leader, or finishes them if begin() has started them. */
static enuf_status finish_led(enuf_sharing *s, const enuf_evaluation *what)
{
    if (!s->starts) return compute_led(s, what);
    if (s->begin_status != ENUF_SUCCESS) return enuf_fail(s->begin_status, "%s", s->begin_text);
    return s->leaders->calls->finish(s->leaders);
}

enuf_status enuf_sharing_finish(enuf_ewald *ewald)
{
    enuf_sharing *s = ewald->on_ranks;
    ENUF_TRY(ENUF_LED(s, finish_led(s, &ewald->pending)));
    deliver(s, &ewald->pending);
    return ENUF_SUCCESS;
}

void enuf_sharing_drop(enuf_sharing *s)
{
    if (s->leaders && s->starts && s->begin_status == ENUF_SUCCESS)
        s->leaders->calls->finish(s->leaders);
}
