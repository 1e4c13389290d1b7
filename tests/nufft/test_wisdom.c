/*
 * FFTW's planning: MEASURE writes its wisdom to the file named, a second plan reads it and adds
 * nothing; ESTIMATE writes none; a deterministic plan leaves the file alone; what cannot be read or
 * written is an error.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/enuf_wisdom_XXXXXX";
static char path[64];

/* Bytes of the file, -1 if there is none. */
static long size_of_file(const char *name)
{
    struct stat found;
    return stat(name, &found) == 0 ? (long)found.st_size : -1;
}

static enuf_nufft_options options_of(enuf_fft_effort effort)
{
    enuf_nufft_options options = conformance_options(2, 20, 18, 0);
    options.fft_effort = effort;
    options.fft_wisdom = path;
    options.threads = 1;
    return options;
}

static void a_plan_works(const enuf_nufft_options *options)
{
    transform t = transform_make(options, 50, 3);
    transform_sum(&t);
    enuf_nufft *plan = transform_plan(&t, NULL);
    if (plan) {
        CHECK_BELOW(type1_error(&t, plan), 4e-6, "type 1");
        CHECK_BELOW(type2_error(&t, plan), 4e-6, "type 2");
    }
    enuf_nufft_destroy(&plan);
    transform_free(&t);
}

static char *contents(void)
{
    long size = size_of_file(path);
    if (size < 0) return NULL;
    char *text = calloc((size_t)size + 1, 1);
    FILE *file = fopen(path, "r");
    if (text && file) CHECK(fread(text, 1, (size_t)size, file) == (size_t)size);
    if (file) fclose(file);
    return text;
}

static void measuring_writes_and_reads(void)
{
    enuf_nufft_options options = options_of(ENUF_FFT_ESTIMATE);
    a_plan_works(&options);
    CHECK(size_of_file(path) <= 0); /* nothing was measured */
    options.fft_effort = ENUF_FFT_MEASURE;
    a_plan_works(&options);
    CHECK(size_of_file(path) > 0);
    char *first = contents();
    CHECK(first != NULL && strstr(first, "fftw") != NULL);
    fftw_forget_wisdom();
    a_plan_works(&options); /* from the file: as if somebody else had measured */
    char *second = contents();
    CHECK(first && second && strlen(first) == strlen(second));
    free(first);
    free(second);
}

/* A file serves one precision: FFTW keeps them apart. */
static void of_the_other_precision(void)
{
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    enuf_nufft *plan;
    options.precision = ENUF_FLOAT;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_BAD_FILE);
    CHECK_TEXT("precision");
    remove(path);
    options.tolerance = 1e-5;
    options.strengths = ENUF_REAL_STRENGTHS;
    transform t = transform_make(&options, 50, 4);
    transform_sum(&t);
    plan = transform_plan(&t, NULL);
    if (plan) CHECK_BELOW(type1_error(&t, plan), 4e-5, "float: type 1");
    enuf_nufft_destroy(&plan);
    CHECK(size_of_file(path) > 0);
    transform_free(&t);
}

static void deterministic_leaves_it_alone(void)
{
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    options.deterministic = 1;
    remove(path);
    a_plan_works(&options);
    CHECK(size_of_file(path) == -1);
}

static void what_is_no_wisdom(void)
{
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    enuf_nufft *plan;
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    fputs("this is no wisdom\n", file);
    fclose(file);
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_BAD_FILE);
    CHECK(plan == NULL);
    CHECK_TEXT(path);
    long size = size_of_file(path);
    CHECK(size == 18); /* not overwritten */
    remove(path);
}

static void what_cannot_be_read_or_written(void)
{
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    enuf_nufft *plan;
    options.fft_wisdom = folder; /* a folder is no file */
    enuf_status status = enuf_nufft_create(&options, &plan);
    CHECK(status == ENUF_IO || status == ENUF_BAD_FILE);
    CHECK(plan == NULL);
    CHECK_TEXT(folder);
    options.fft_wisdom = "/nonexistent-folder/wisdom";
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_IO);
    CHECK(plan == NULL);
    CHECK_TEXT("/nonexistent-folder/wisdom");
}

static void law(void)
{
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    snprintf(path, sizeof path, "%s/wisdom", folder);
    measuring_writes_and_reads();
    of_the_other_precision();
    deterministic_leaves_it_alone();
    what_is_no_wisdom();
    what_cannot_be_read_or_written();
    remove(path);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
