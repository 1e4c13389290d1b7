/* sizes.c - of the arrays that finding T takes. SPDX-License-Identifier: BSD-3-Clause */
#include "finding.h"

int64_t enuf_gram_kernel_numbers(const enuf_gram *gram)
{
    int64_t numbers = 2; /* complex, m_1 >= 0 */
    for (int d = 0; d < gram->options.dim; d++) numbers *= (d == 0 ? 1 : 2) * gram->axis[d].n;
    return numbers;
}

double enuf_gram_host_bytes(const enuf_gram *gram, int64_t n)
{
    return ((double)n + (double)enuf_gram_kernel_numbers(gram)) * sizeof(double);
}

double enuf_gram_part_bytes(const enuf_gram *gram)
{
    double cells = 1, ramps = 0;
    for (int d = 0; d < 3; d++) {
        cells *= d < gram->options.dim ? (double)gram->axis[d].length : 1;
        ramps += 2 * (double)gram->axis[d].n;
    }
    const double kernel = gram->options.memory == ENUF_HOST
                              ? (double)enuf_gram_kernel_numbers(gram) * sizeof(double)
                              : 0;
    return kernel + (cells + ramps) * 2 * sizeof(double);
}
