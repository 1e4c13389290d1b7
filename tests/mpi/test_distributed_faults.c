/*
 * test_distributed_faults.c - one rank fails with a distributed grid on CPUs: mesh_faults.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "mesh_faults.h"

int main(int argc, char **argv)
{
    const mesh_faults faults = {.mesh = {&enuf_reciprocal_distributed, NULL}, .least = {10, 3}};
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    check_mesh_faults(&faults, &ranks);
    return end_mpi(check_result());
}
