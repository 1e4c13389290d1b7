/* exact_mode_kernels.c - the inner loops of exact sums over modes, compiled once for each
 * instruction set. SPDX-License-Identifier: BSD-3-Clause */
#include "exact_mode_kernels.h"

/* exp(2 pi i (m2 s2 + m3 s3)) times weight[j]. */
static void row_phase(const enuf_mode_rows *modes, const enuf_mode_row *row, int count,
                      const enuf_exact_phases *table, const double *weight, double *re, double *im)
{
    int64_t at_2 = (modes->largest[1] + row->m2) * ENUF_EXACT_BLOCK;
    int64_t at_3 = (modes->largest[2] + row->m3) * ENUF_EXACT_BLOCK;
    const double *c2 = table->cosine[1] + at_2, *s2 = table->sine[1] + at_2;
    const double *c3 = table->cosine[2] + at_3, *s3 = table->sine[2] + at_3;
    for (int j = 0; j < count; j++) {
        re[j] = weight[j] * (c2[j] * c3[j] - s2[j] * s3[j]);
        im[j] = weight[j] * (s2[j] * c3[j] + c2[j] * s3[j]);
    }
}

/* Adds a block's sum q exp(-2 pi i m.s) to each mode of a row: structure [modes][2]. */
static void add_row(const enuf_mode_rows *modes, const enuf_mode_row *row, int count,
                    const enuf_exact_phases *table, const double *charge, double *structure)
{
    double re[ENUF_EXACT_BLOCK], im[ENUF_EXACT_BLOCK];
    row_phase(modes, row, count, table, charge, re, im);
    for (int64_t i = 0; i < row->count; i++) {
        int64_t at = (modes->largest[0] + row->m1 + i) * ENUF_EXACT_BLOCK;
        const double *c = table->cosine[0] + at, *s = table->sine[0] + at;
        double sum_re = 0, sum_im = 0;
#pragma omp simd reduction(+ : sum_re, sum_im)
        for (int j = 0; j < count; j++) {
            sum_re += re[j] * c[j] - im[j] * s[j];
            sum_im -= re[j] * s[j] + im[j] * c[j];
        }
        structure[2 * (row->offset + i)] += sum_re;
        structure[2 * (row->offset + i) + 1] += sum_im;
    }
}

static void add_compensated(double term, double *sum, double *lost)
{
    double corrected = term - *lost;
    double next = *sum + corrected;
    *lost = (next - *sum) - corrected;
    *sum = next;
}

static void gather_row(const enuf_mode_rows *modes, const enuf_mode_row *row, int count,
                       const enuf_exact_phases *table, const double *one, const double *structure,
                       enuf_exact_block *sums)
{
    double value_re[ENUF_EXACT_BLOCK] = {0}, value_im[ENUF_EXACT_BLOCK] = {0},
           slope_re[ENUF_EXACT_BLOCK] = {0}, slope_im[ENUF_EXACT_BLOCK] = {0}, re[ENUF_EXACT_BLOCK],
           im[ENUF_EXACT_BLOCK];
    for (int64_t i = 0; i < row->count; i++) {
        int64_t at = (modes->largest[0] + row->m1 + i) * ENUF_EXACT_BLOCK;
        const double *c = table->cosine[0] + at, *s = table->sine[0] + at;
        double a = structure[2 * (row->offset + i)], b = structure[2 * (row->offset + i) + 1];
        double m1 = (double)(row->m1 + i);
        for (int j = 0; j < count; j++) {
            double x = a * c[j] - b * s[j], y = a * s[j] + b * c[j];
            value_re[j] += x;
            value_im[j] += y;
            slope_re[j] += m1 * x;
            slope_im[j] += m1 * y;
        }
    }
    row_phase(modes, row, count, table, one, re, im);
    for (int j = 0; j < count; j++) {
        double value = value_re[j] * re[j] - value_im[j] * im[j];
        double turned = -(value_re[j] * im[j] + value_im[j] * re[j]);
        double along_1 = -(slope_re[j] * im[j] + slope_im[j] * re[j]);
        add_compensated(value, &sums->sum[0][j], &sums->lost[0][j]);
        add_compensated(along_1, &sums->sum[1][j], &sums->lost[1][j]);
        add_compensated((double)row->m2 * turned, &sums->sum[2][j], &sums->lost[2][j]);
        add_compensated((double)row->m3 * turned, &sums->sum[3][j], &sums->lost[3][j]);
    }
}

const enuf_exact_kernels ENUF_OF_SET(enuf_exact_kernels) = {add_row, gather_row};
