/* alias_table.h - a window's aliases and noise at many frequencies, looked up.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_NUFFT_ALIAS_TABLE_H
#define ENUF_NUFFT_ALIAS_TABLE_H

#include "window.h"
#include "window_memo.h"

#include <math.h>

/** Of a form without a fit, at frequencies from 0 to the edge. */
void enuf_alias_table_make(const enuf_window_form *form, double edge, enuf_alias_table *table);

/** At a frequency; beyond the edge as there. */
static inline enuf_squares enuf_alias_look_up(const enuf_alias_table *table, double theta)
{
    const double at = fabs(theta) * table->per_radian;
    const int k = at < ENUF_ALIAS_FINE ? (int)at : ENUF_ALIAS_FINE - 1;
    const enuf_squares *low = &table->at[k], *high = low + 1;
    const double right = at < ENUF_ALIAS_FINE ? at - k : 1, left = 1 - right;
    return (enuf_squares){left * low->alias + right * high->alias,
                          left * low->noise + right * high->noise};
}

#endif
