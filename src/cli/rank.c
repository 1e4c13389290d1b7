/* rank.c - see rank.h. SPDX-License-Identifier: BSD-3-Clause */
#include "rank.h"

static int my_rank;

int cli_rank(void)
{
    return my_rank;
}

void cli_set_rank(int rank)
{
    my_rank = rank;
}
