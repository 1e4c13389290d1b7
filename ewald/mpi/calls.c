/* calls.c - the calls of ranks that compute themselves, and of ranks that share a GPU.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"
#include "sharing.h"

static void destroy(enuf_ewald *ewald)
{
    enuf_rank_state_free(ewald->on_ranks);
}

const enuf_ewald_calls enuf_calls_ranks = {
    .destroy = destroy,
    .set_cell = enuf_ranks_set_cell,
    .set_charges = enuf_ranks_set_charges,
    .tune = enuf_ranks_tune,
    .verify = enuf_ranks_verify,
    .compute = enuf_ranks_compute,
    .begin = enuf_ranks_begin,
    .finish = enuf_ranks_finish,
    .measure_error = enuf_ranks_measure_error,
    .get_report = enuf_ranks_get_report,
    .list_candidates = enuf_ranks_list_candidates,
    .get_mpi_report = enuf_ranks_get_mpi_report,
};

const enuf_ewald_calls enuf_calls_sharing = {
    .destroy = enuf_sharing_destroy,
    .set_cell = enuf_sharing_set_cell,
    .set_charges = enuf_sharing_set_charges,
    .tune = enuf_sharing_tune,
    .verify = enuf_sharing_verify,
    .compute = enuf_sharing_compute,
    .begin = enuf_sharing_begin,
    .finish = enuf_sharing_finish,
    .measure_error = enuf_sharing_measure_error,
    .get_report = enuf_sharing_get_report,
    .list_candidates = enuf_sharing_list_candidates,
    .get_mpi_report = enuf_sharing_get_mpi_report,
};
