/*
 * test_gram_lines.c - lengths that kernels of gram_lines.cu transform, by stages and by two radices
 * in registers, with each radix, in both orders of modes, give what cuFFT gives for longer ones
 * that have another prime factor: to 1e-12, in float 5e-6. In double the planes of some sizes take
 * turns.
 *
 * test_gram_lines [SIZES]: the first ones only, of both kinds; compute-sanitizer needs long for
 * more. SPDX-License-Identifier: BSD-3-Clause
 */
#include "gram_arrays.h"

#include "cuda/gram/gram.h"
#include "gram/object.h"

#include <stdio.h>
#include <stdlib.h>

/* Shared memory of 99 KiB serves lines of 256. */
static const int64_t sizes[][3] = {
    {1, 2, 0},      {4, 3, 0},     {7, 8, 0},      {6, 10, 12},   {27, 1, 32},   {64, 80, 0},
    {49, 64, 0},    {8, 72, 9},    {64, 9, 64},    {105, 160, 0}, {36, 35, 30},  {250, 7, 4},
    {8, 14, 96},    {20, 256, 9},  {105, 98, 100}, {160, 256, 0}, {225, 196, 0}, {64, 81, 100},
    {90, 144, 112}, {135, 120, 8}, {54, 80, 72},   {128, 48, 160}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int wanted = SIZES;

/* 1: a product of two radices that registers hold. */
static int fits_registers(int length)
{
    static const int radices[] = {8, 9, 10, 12, 14, 15, 16};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++)
            if (radices[i] * radices[k] == length) return 1;
    return 0;
}

static void check_way(const enuf_cuda_gram *gram, int by_lines)
{
    CHECK(gram->by_lines == by_lines);
    for (int d = 0; by_lines && d < gram->cells.dim; d++) {
        const enuf_cuda_gram_line *line = &gram->lines.line[d];
        CHECK((line->large > 0) == fits_registers(line->length));
        CHECK(line->large == 0 || line->small * line->large == line->length);
    }
}

/* The operator's result with transforms of these lengths. */
static void *applied(enuf_nufft_options options, const int64_t lengths[3], const gram_arrays *a,
                     int by_lines)
{
    for (int d = 0; d < options.dim; d++) options.fine_grid[d] = 2 * lengths[d];
    enuf_gram *gram = gram_there(&options, a, 1);
    if (gram) check_way(gram->engine_data, by_lines);
    CHECK_STATUS(enuf_gram_apply(gram, a->in, a->out), ENUF_SUCCESS);
    CHECK_STATUS(enuf_gram_check(gram), ENUF_SUCCESS);
    enuf_gram_destroy(&gram);
    return device_read(options.precision, a->t.n_modes, a->out);
}

static void lines_give_what_cufft_gives(int single, enuf_mode_order order)
{
    for (int k = 0; k < wanted; k++) {
        const int64_t *lengths = sizes[k], dim = lengths[2] > 0 ? 3 : 2;
        int64_t modes[3] = {0, 0, 0}, longer[3] = {0, 0, 0};
        for (int d = 0; d < dim; d++) {
            modes[d] = lengths[d] > 3 ? lengths[d] - d : lengths[d];
            longer[d] = (lengths[d] + 10) / 11 * 11;
        }
        enuf_nufft_options options = device_options((int)dim, modes[0], modes[1], modes[2]);
        options.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
        options.tolerance = single ? 1e-4 : 1e-9;
        options.mode_order = order;
        gram_arrays a = gram_arrays_make(&options);
        void *lines = applied(options, lengths, &a, 1), *cufft = applied(options, longer, &a, 0);
        printf("lengths %lld, %lld, %lld\n", (long long)lengths[0], (long long)lengths[1],
               (long long)lengths[2]);
        CHECK_BELOW(relative_error(options.precision, a.t.n_modes, lines, cufft),
                    single ? 5e-6 : 1e-12, "  lines and cuFFT");
        free(lines);
        free(cufft);
        gram_arrays_free(&a);
    }
}

static void law(void)
{
    for (int single = 0; single < 2; single++) {
        lines_give_what_cufft_gives(single, ENUF_CENTRED);
        lines_give_what_cufft_gives(single, ENUF_FFT_ORDER);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) wanted = atoi(argv[1]);
    if (argc > 2 || wanted < 1 || wanted > SIZES) {
        fprintf(stderr, "test_gram_lines [SIZES]: 1 to %d sizes\n", SIZES);
        return 2;
    }
    return device_main(law);
}
