/* cpu_description.h - name and vector instructions of the processor. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_CLI_CPU_DESCRIPTION_H
#define ENUF_CLI_CPU_DESCRIPTION_H

#include <stddef.h>

/** Name of the processor; "unknown" if the system does not give it. */
void cli_cpu_name(char *name, size_t size);

/** Its vector instructions that matter here, e.g. "avx2 fma avx512f"; "" if none are known. */
void cli_cpu_vectors(char *names, size_t size);

#endif
