/* gpus.h - how many GPUs this machine has. SPDX-License-Identifier: BSD-3-Clause */
#ifndef MTIP_GPUS_H
#define MTIP_GPUS_H

/** GPUs that this process sees; 0 in a build without CUDA. */
int gpus_here(void);

#endif
