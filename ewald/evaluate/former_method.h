/*
 * former_method.h - the method in use, set aside while a search tries others, and put back if the
 * search fails. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_FORMER_METHOD_H
#define ENUF_FORMER_METHOD_H

#include "object/ewald_object.h"

/** The parts that a search replaces. */
typedef struct enuf_former_method {
    enuf_ewald_method method;
    enuf_error_scale error_scale;
    enuf_arithmetic arithmetic;
    double measured, close_forces;
    int stale;
} enuf_former_method;

/** Sets the method aside: the object then has none. */
enuf_status enuf_method_set_aside(enuf_ewald *ewald, enuf_former_method **former);
/** Puts it back in place of the one in use. *former is NULL then. */
void enuf_method_put_back(enuf_ewald *ewald, enuf_former_method **former);
/** Releases it: another one has taken its place. */
void enuf_former_method_release(enuf_former_method **former);

#endif
