/*
 * test_distributed.c - a distributed grid on CPUs gives the sums over modes of one process;
 * mesh_cases.h has the cases and bounds.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "distributed_mesh.h"
#include "mpi/messages/node_open.h"
#include "mpi_program.h"
#include "mesh_cases.h"

int main(int argc, char **argv)
{
    const tested_mesh tested = {&enuf_reciprocal_distributed, NULL};
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    CHECK_STATUS(enuf_node_open(&ranks, ENUF_NODE_OF_EXCHANGES), ENUF_SUCCESS);
    check_mesh_cases(&tested, &ranks);
    enuf_node_close(&ranks);
    return end_mpi(check_result());
}
