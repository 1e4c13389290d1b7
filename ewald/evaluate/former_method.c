/* former_method.c - see former_method.h. SPDX-License-Identifier: BSD-3-Clause */
#include "former_method.h"
#include "memory.h"

#include <string.h>

/* On the heap: stacks may be small. */
enuf_status enuf_method_set_aside(enuf_ewald *ewald, enuf_former_method **former)
{
    ENUF_TRY(enuf_allocate(former, 1, sizeof **former, "the method in use"));
    (*former)->method = ewald->method;
    (*former)->error_scale = ewald->error_scale;
    (*former)->arithmetic = ewald->options.arithmetic;
    (*former)->measured = ewald->measured;
    (*former)->close_forces = ewald->close_forces;
    (*former)->stale = ewald->stale;
    memset(&ewald->method, 0, sizeof ewald->method);
    return ENUF_SUCCESS;
}

void enuf_method_put_back(enuf_ewald *ewald, enuf_former_method **former)
{
    enuf_method_release(&ewald->method);
    ewald->method = (*former)->method;
    ewald->method_changes++; /* backends have copied another method in between */
    ewald->error_scale = (*former)->error_scale;
    ewald->options.arithmetic = (*former)->arithmetic;
    ewald->measured = (*former)->measured;
    ewald->close_forces = (*former)->close_forces;
    ewald->stale = (*former)->stale;
    enuf_release(former);
}

void enuf_former_method_release(enuf_former_method **former)
{
    enuf_method_release(&(*former)->method);
    enuf_release(former);
}
