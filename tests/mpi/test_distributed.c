/* A grid in parts gives the sums of the whole one: mesh_cases.h. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "check.h"
#include "distributed_mesh.h"
#include "mpi_program.h"
#include "mesh_cases.h"

int main(int argc, char **argv)
{
    const tested_mesh tested = {&enuf_reciprocal_distributed, NULL};
    begin_mpi(&argc, &argv);
    enuf_ranks ranks = all_ranks();
    check_mesh_cases(&tested, &ranks);
    return end_mpi(check_result());
}
