/*
 * alarm.h - a rank informs the others of its failure while they wait for work outside MPI, such as
 * messages between GPUs. The rank that raises the alarm brings its failure to the next agreement.
 * Ranks that receive it stop waiting and go to the agreement too.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_MPI_ALARM_H
#define ENUF_EWALD_MPI_ALARM_H

#include "ranks.h"

typedef struct enuf_alarm {
    enuf_ranks ranks;  /* with its own communicator; size 0: there is none */
    int raised;        /* by this rank */
    int *raised_by;    /* [ranks] scratch */
    MPI_Request *sent; /* [ranks] */
} enuf_alarm;

/** Collective, with the status agreed on. */
enuf_status enuf_alarm_create(enuf_ranks *ranks, enuf_alarm *alarm);
/** Collective. The caller must not release an alarm that is raised. */
void enuf_alarm_release(enuf_alarm *alarm);

/** Local. A second call does nothing. */
void enuf_alarm_raise(enuf_alarm *alarm);
/** Local: 1 if another rank has raised the alarm. */
int enuf_alarm_is_heard(const enuf_alarm *alarm);
/** Collective: 1 on all ranks if a rank has raised the alarm; then clears it. */
int enuf_alarm_clear(enuf_alarm *alarm);

#endif
