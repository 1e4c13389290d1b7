/*
 * with.c - enuf_with NAME=VALUE... PROGRAM [ARGUMENT...]: runs a program with ENUF_ISA, ENUF_FFT or
 * other variables set. Exit status 77, skipped, if the library or this processor lacks the
 * instruction set, or the library of FFTs is not there. SPDX-License-Identifier: BSD-3-Clause
 */
#include "enuf/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enuf_isa isa;
    enuf_fft fft;
    char **command = argv + 1;
    while (command < argv + argc && strchr(*command, '=')) putenv(*command++);
    if (command == argv + argc) {
        fprintf(stderr, "usage: enuf_with NAME=VALUE... PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    enuf_status status = enuf_isa_find(ENUF_ISA_AUTO, &isa);
    if (status == ENUF_SUCCESS) status = enuf_fft_find(ENUF_FFT_AUTO, &fft);
    if (status != ENUF_SUCCESS) {
        printf("%s\n", enuf_last_error());
        return status == ENUF_NO_BACKEND ? 77 : 1;
    }
    execv(*command, command);
    perror(*command);
    return 1;
}
