/* kernel_window.h - the window as the CPU's kernels read it. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_CPU_KERNEL_WINDOW_H
#define ENUF_NUFFT_CPU_KERNEL_WINDOW_H

#include "cpu.h"

/** Its polynomials, and the table if the method has one, in the plan's precision, padded with zeros
 * to whole vectors. */
enuf_status enuf_kernel_window_make(const enuf_nufft *plan, enuf_kernel_window *window);
void enuf_kernel_window_free(enuf_kernel_window *window);

/** Numbers in both. */
int64_t enuf_kernel_window_numbers(const enuf_nufft *plan);

#endif
