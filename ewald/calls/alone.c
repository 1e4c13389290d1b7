/* alone.c - the calls of one process. SPDX-License-Identifier: BSD-3-Clause */
#include "object/calls.h"

const enuf_ewald_calls enuf_calls_alone = {.destroy = enuf_ewald_free,
                                           ENUF_CALLS(ENUF_CALL_ENTRY, alone)};
