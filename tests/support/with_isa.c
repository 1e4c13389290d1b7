/*
 * with_isa.c - with_isa SET PROGRAM [ARGUMENT...]: runs a program with ENUF_ISA=SET. Exit status
 * 77, skipped, if the library or this processor does not have the set. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "enuf/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enuf_isa isa;
    if (argc < 3) {
        fprintf(stderr, "usage: with_isa SET PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    setenv("ENUF_ISA", argv[1], 1);
    const enuf_status status = enuf_isa_find(ENUF_ISA_AUTO, &isa);
    if (status != ENUF_SUCCESS) {
        printf("%s\n", enuf_last_error());
        return status == ENUF_NO_BACKEND ? 77 : 1;
    }
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 1;
}
