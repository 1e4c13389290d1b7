/* alias_table.c - see alias_table.h. SPDX-License-Identifier: BSD-3-Clause */
#include "alias_table.h"

#include <float.h>
#include <math.h>

enum { PARTS = ENUF_ALIAS_PARTS, FINE = ENUF_ALIAS_FINE, EACH = FINE / PARTS };

/* Aliases below are lost in the rounding of the window's transform. */
static const double LEAST_ALIAS = DBL_EPSILON;

/* Both grow exponentially: their logarithms are linear between PARTS of the edge. Aliases change
 * their sign; the table has their envelope. They may vanish at 0 (B-splines) and grow as a power:
 * the first part has those at its end. */
static void tabulate(const enuf_window_form *form, double edge, enuf_alias_table *table)
{
    double alias[PARTS + 1], noise[PARTS + 1];
    for (int k = 0; k <= PARTS; k++) {
        const enuf_aliasing_at at = enuf_window_aliasing_at(form, edge * k / PARTS);
        alias[k] = log(fmax(at.alias_most, LEAST_ALIAS));
        if (k > 0) alias[k] = fmax(alias[k], alias[k - 1]);
        noise[k] = log(at.noise);
    }
    alias[0] = alias[1];
    for (int i = 0; i <= FINE; i++) {
        const int k = i < FINE ? i / EACH : PARTS - 1;
        const double right = (double)i / EACH - k, left = 1 - right;
        table->at[i] = (enuf_squares){exp(left * alias[k] + right * alias[k + 1]),
                                      exp(left * noise[k] + right * noise[k + 1])};
    }
    table->edge = edge;
    table->per_radian = FINE / edge;
}

void enuf_alias_table_make(const enuf_window_form *form, double edge, enuf_alias_table *table)
{
    const enuf_memo_key key = {form->window, form->width, form->shape, edge};
    if (enuf_memo_find(ENUF_MEMO_ALIASES, &key, table)) return;
    tabulate(form, edge, table);
    enuf_memo_keep(ENUF_MEMO_ALIASES, &key, table);
}
