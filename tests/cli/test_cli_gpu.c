/*
 * test_cli_gpu.c - without a usable GPU --backend cuda is refused with one line that says why, and
 * cpu and auto compute. Skipped on a machine with a usable GPU. Argument: a text of the line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

int main(int argc, char **argv)
{
    const char *why = argc > 1 ? argv[1] : "GPU";
    const char *reason = "";
    if (enuf_backend_usable(ENUF_BACKEND_CUDA, &reason)) return check_skip("a GPU is usable here");
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);
    REFUSED(why, "energy", "nacl.xyz", "--backend", "cuda", "--forces", "f.xyz");
    REFUSED(why, "madelung", "nacl", "--backend", "cuda");
    REFUSED(why, "structure-factor", "nacl.xyz", "--q", "1,1,1", "--backend", "cuda");
    cJSON_Delete(JSON("energy", "nacl.xyz", "--backend", "cpu"));
    cJSON_Delete(JSON("energy", "nacl.xyz", "--backend", "auto"));
    program_leave_directory();
    return check_result();
}
