/* devices_missing.c - the table of devices.h in a build without GPU support: nobody gets as far as
 * to make one. SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/object/devices.h"

static int count(const char **reason)
{
    *reason = "this enuf was built without GPU support: configure with -DENUF_CUDA=ON";
    return 0;
}

const enuf_devices_table enuf_ranks_backend_cuda = {.count = count};
