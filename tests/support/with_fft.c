/*
 * with_fft.c - with_fft FFT PROGRAM [ARGUMENT...]: runs a program with ENUF_FFT=FFT. Exit status
 * 77, skipped, if the library of FFTs is not there. SPDX-License-Identifier: BSD-3-Clause
 */
#include "enuf/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enuf_fft fft;
    if (argc < 3) {
        fprintf(stderr, "usage: with_fft FFT PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    setenv("ENUF_FFT", argv[1], 1);
    const enuf_status status = enuf_fft_find(ENUF_FFT_AUTO, &fft);
    if (status != ENUF_SUCCESS) {
        printf("%s\n", enuf_last_error());
        return status == ENUF_NO_BACKEND ? 77 : 1;
    }
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 1;
}
