/* phases.c - see phases.h. SPDX-License-Identifier: BSD-3-Clause */
#include "phases.h"
#include "turns.h"

static vd chosen(vl where, vd yes, vd no)
{
    return (vd)(((vl)yes & where) | ((vl)no & ~where));
}

/* Tables serve many terms, whose errors are then alike: an angle above pi/4 is replaced by its
 * complement, at which the polynomials round less than at the angle. */
static void phases_of(vd a, vd half_turns, double *re, double *im)
{
    const vd multiple = (a * half_turns + FINE) - FINE, shifted = multiple + NEAREST;
    const vd y = (multiple - (shifted - NEAREST)) + remainder_of(a, half_turns, multiple);
    const vl sign = (vl)y & (vl_set(1) << 63);
    const vd size = (vd)((vl)y ^ sign);
    const vl above = (vl)(size > 0.25);
    const vd z = chosen(above, 0.5 - size, size), u = z * z;
    const vd c = POLYNOMIAL(COS_OF, u), s = z * POLYNOMIAL(SIN_OF, u);
    vd_store(re, turned(chosen(above, s, c), (vl)shifted));
    vd_store(im, turned((vd)((vl)chosen(above, c, s) ^ sign), (vl)shifted));
}

void enuf_unit_phases(int64_t n, const double *a, double b, double *re, double *im)
{
    const vd half_turns = vd_set(2 * b);
    int64_t k = 0;
    for (; k + VD_LANES <= n; k += VD_LANES) phases_of(vd_load(a + k), half_turns, re + k, im + k);
    if (k == n) return;
    double last[3][VD_LANES] = {{0}};
    const size_t left = (size_t)(n - k) * sizeof(double);
    memcpy(last[0], a + k, left);
    phases_of(vd_load(last[0]), half_turns, last[1], last[2]);
    memcpy(re + k, last[1], left);
    memcpy(im + k, last[2], left);
}
