/* evaluate.h - slots start and finish of the CPU backend. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_CPU_EVALUATE_H
#define ENUF_EWALD_CPU_EVALUATE_H

#include "object/backend.h"

enuf_status enuf_ewald_start_cpu(enuf_ewald *ewald, const enuf_evaluation *what);
enuf_status enuf_ewald_finish_cpu(enuf_ewald *ewald, const enuf_evaluation *what);

#endif
