/* transforms.h - what all transforms share: a cube of voxels, and where they run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MTIP_TRANSFORMS_H
#define MTIP_TRANSFORMS_H

#include "settings.h"

#include <enuf/nufft.h>

/** Options of 3D transforms of s->side modes along each axis, on the backend and device of `s`. */
enuf_nufft_options transform_options(const settings *s);

#endif
