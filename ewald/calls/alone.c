/* alone.c - the calls of one process. SPDX-License-Identifier: BSD-3-Clause */
#include "object/calls.h"

const enuf_ewald_calls enuf_calls_alone = {
    .destroy = enuf_ewald_free,
    .set_cell = enuf_alone_set_cell,
    .set_charges = enuf_alone_set_charges,
    .tune = enuf_alone_tune,
    .verify = enuf_alone_verify,
    .compute = enuf_alone_compute,
    .begin = enuf_alone_begin,
    .finish = enuf_alone_finish,
    .measure_error = enuf_alone_measure_error,
    .get_report = enuf_alone_get_report,
    .list_candidates = enuf_alone_list_candidates,
};
