/* exact_mode_rows.c - the modes of exact sums. SPDX-License-Identifier: BSD-3-Clause */
#include "exact_sums.h"
#include "memory.h"

#include <math.h>

static const long double two_pi = 6.28318530717958647692528676655900577L;

void enuf_exact_wave_vector(const enuf_exact_system *system, int64_t m1, int64_t m2, int64_t m3,
                            double k[3])
{
    const long double *g = system->inverse;
    for (int a = 0; a < 3; a++)
        k[a] = (double)(two_pi * (g[3 * a] * m1 + g[3 * a + 1] * m2 + g[3 * a + 2] * m3));
}

static int is_inside(const enuf_exact_system *system, int64_t m1, int64_t m2, int64_t m3)
{
    double k[3];
    enuf_exact_wave_vector(system, m1, m2, m3, k);
    double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    return k2 <= system->k_c * system->k_c * (1 + 1e-12);
}

/* The row of (m2, m3); a sphere meets a line in one run of modes. */
static enuf_mode_row row_at(const enuf_exact_system *system, int64_t largest, int64_t m2,
                            int64_t m3)
{
    int64_t low = m2 == 0 && m3 == 0 ? 1 : -largest, high = largest;
    while (low <= high && !is_inside(system, low, m2, m3)) low++;
    while (high >= low && !is_inside(system, high, m2, m3)) high--;
    return (enuf_mode_row){.m1 = low, .count = high - low + 1, .m2 = m2, .m3 = m3};
}

/* The whole box around the sphere is searched. In a compact cell it holds twice the modes of the
 * sphere, or a few. */
static const double MOST_SEARCHED = 1e7, MOST_TIMES_THE_SPHERE = 100;
/* Largest |m_d|; each has a table of phases of 8 kB. */
static const double MOST_ALONG = 1e5;

static enuf_status check_box(const enuf_exact_system *system, const double largest[3])
{
    const double k = system->k_c, pi = (double)two_pi / 2;
    const double box = (2 * largest[0] + 1) * (2 * largest[1] + 1) * (2 * largest[2] + 1);
    const double sphere = system->volume * k * k * k / (6 * pi * pi);
    const double most = fmax(largest[0], fmax(largest[1], largest[2]));
    if (!(box > MOST_SEARCHED && box > MOST_TIMES_THE_SPHERE * (sphere + 1)) && most <= MOST_ALONG)
        return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT,
                     "the cell is too thin or too long for exact sums of %lld charges: modes up to "
                     "%g, %g and %g along its shortest vectors, %g in all",
                     (long long)system->n, largest[0], largest[1], largest[2], box);
}

enuf_status enuf_mode_rows_make(const enuf_exact_system *system, enuf_mode_rows *modes)
{
    /* |m_d| = |k . a_d|/2 pi <= k_c |a_d|/2 pi */
    double largest[3];
    for (int d = 0; d < 3; d++) {
        const long double *a = system->cell + 3 * d;
        double edge = (double)sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        largest[d] = floor(system->k_c * edge / (double)two_pi * (1 + 1e-12));
    }
    ENUF_TRY(check_box(system, largest));
    for (int d = 0; d < 3; d++) modes->largest[d] = (int64_t)largest[d];
    int64_t most = (modes->largest[2] + 1) * (2 * modes->largest[1] + 1);
    ENUF_TRY(enuf_allocate(&modes->rows, most, sizeof *modes->rows, "rows of modes"));
    modes->n_rows = modes->n_modes = 0;
    for (int64_t m3 = 0; m3 <= modes->largest[2]; m3++) {
        for (int64_t m2 = m3 == 0 ? 0 : -modes->largest[1]; m2 <= modes->largest[1]; m2++) {
            enuf_mode_row row = row_at(system, modes->largest[0], m2, m3);
            if (row.count <= 0) continue;
            row.offset = modes->n_modes;
            modes->rows[modes->n_rows++] = row;
            modes->n_modes += row.count;
        }
    }
    return ENUF_SUCCESS;
}

void enuf_mode_rows_release(enuf_mode_rows *modes)
{
    enuf_release(&modes->rows);
}
