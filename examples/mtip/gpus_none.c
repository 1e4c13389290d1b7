/* gpus_none.c - gpus.h without CUDA. SPDX-License-Identifier: BSD-3-Clause */
#include "gpus.h"

int gpus_here(void)
{
    return 0;
}
