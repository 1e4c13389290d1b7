/* cpu_description.h - what machine this is. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CLI_CPU_DESCRIPTION_H
#define ENUF_CLI_CPU_DESCRIPTION_H

#include <stddef.h>

/** Name of the processor, "unknown" where the system does not tell. */
void cli_cpu_name(char *name, size_t size);

/** Its vector instructions that matter here, e.g. "avx2 fma avx512f"; "" if none are known. */
void cli_cpu_vectors(char *names, size_t size);

#endif
