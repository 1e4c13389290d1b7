/*
 * test_cli_gpu.c - without a usable GPU --backend cuda is refused, and cpu and auto compute.
 * Skipped on a machine with a usable GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

int main(void)
{
    const char *reason = "";
    if (enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip("a GPU is usable here");
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);
    REFUSED("GPU", "energy", "nacl.xyz", "--backend", "cuda", "--forces", "f.xyz");
    REFUSED("GPU", "madelung", "nacl", "--backend", "cuda");
    cJSON_Delete(JSON("energy", "nacl.xyz", "--backend", "cpu"));
    cJSON_Delete(JSON("energy", "nacl.xyz", "--backend", "auto"));
    program_leave_directory();
    return check_result();
}
