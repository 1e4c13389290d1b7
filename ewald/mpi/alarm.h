/*
 * alarm.h - a rank tells the others that it has failed, while they wait for something that is not
 * MPI: for messages between GPUs, say. The one that raises the alarm brings its failure to the next
 * agreement; those that hear it give up what they wait for and go there as well.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_ALARM_H
#define ENUF_EWALD_MPI_ALARM_H

#include "ranks.h"

typedef struct enuf_alarm {
    enuf_ranks ranks;  /* with a communicator of its own; size 0: none made */
    int raised;        /* by this rank */
    int *raised_by;    /* [ranks] scratch */
    MPI_Request *sent; /* [ranks] */
} enuf_alarm;

/** Collective, with the status agreed on. */
enuf_status enuf_alarm_create(enuf_ranks *ranks, enuf_alarm *alarm);
/** Collective, as creation. No alarm may be raised. */
void enuf_alarm_release(enuf_alarm *alarm);

/** Local: what it does the second time is nothing. */
void enuf_alarm_raise(enuf_alarm *alarm);
/** Local: 1 where another rank has raised it. */
int enuf_alarm_is_heard(const enuf_alarm *alarm);
/** Collective: 1 on all ranks where it was raised, and silence after it. */
int enuf_alarm_clear(enuf_alarm *alarm);

#endif
