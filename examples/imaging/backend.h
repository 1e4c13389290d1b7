/* backend.h - where the transforms run. SPDX-License-Identifier: BSD-3-Clause */
#ifndef IMAGING_BACKEND_H
#define IMAGING_BACKEND_H

#include <enuf/status.h>

/** Ends the program if this machine cannot use the backend that --backend names. */
void check_backend(enuf_backend backend);

#endif
