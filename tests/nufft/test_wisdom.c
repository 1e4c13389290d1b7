/*
 * test_wisdom.c - FFTW's planning and its file of wisdom.
 *
 *   - MEASURE writes wisdom to the file; a second plan reads it and adds nothing. ESTIMATE writes
 *     nothing. A deterministic plan leaves the file alone.
 *   - A file that cannot be read or written, or that holds no wisdom of the plan's precision, is an
 *     error. The library replaces the file as a whole and never writes into it.
 *   - The library takes the host's planner lock to make and to destroy a plan, and does not hold it
 *     while it waits for the disk.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif
#include "conformance.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
    a_plan_works(&options); /* reads the file, because FFTW has forgotten its wisdom */
    char *second = contents();
    CHECK(first && second && strlen(first) == strlen(second));
    free(first);
    free(second);
}

/* A file holds wisdom of one precision: FFTW keeps them apart. */
static void wisdom_of_the_other_precision(void)
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

static void deterministic_leaves_the_file_alone(void)
{
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    options.deterministic = 1;
    remove(path);
    a_plan_works(&options);
    CHECK(size_of_file(path) == -1);
}

static void file_without_wisdom(void)
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

static void unreadable_and_unwritable_files(void)
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

/* The old file is replaced, not overwritten: a program that has it open can still read all of
 * it. */
static void the_old_file_stays_whole(void)
{
    char other[80], before[2] = "", after[2] = "";
    struct stat first, second;
    snprintf(other, sizeof other, "%s.old", path);
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    fclose(file);
    remove(path);
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    a_plan_works(&options);
    CHECK(chmod(path, 0600) == 0 && link(path, other) == 0 && stat(other, &first) == 0);
    FILE *reader = fopen(path, "r");
    CHECK(reader && fread(before, 1, 1, reader) == 1);
    options.modes[0] = 26; /* something new to write */
    a_plan_works(&options);
    CHECK(stat(other, &second) == 0 && first.st_size == second.st_size);
    CHECK(size_of_file(path) > (long)first.st_size);
    CHECK(stat(path, &second) == 0 && first.st_ino != second.st_ino);
    CHECK((second.st_mode & 0777) == 0600);
    if (reader) {
        rewind(reader);
        CHECK(fread(after, 1, 1, reader) == 1 && after[0] == before[0]);
        fclose(reader);
    }
    remove(other);
    remove(path);
}

/* ---- The host's lock ---- */

typedef struct host_lock {
    pthread_mutex_t mutex;
    int taken, given;
} host_lock;

static void take(void *context)
{
    host_lock *lock = context;
    pthread_mutex_lock(&lock->mutex);
    ++lock->taken;
}

static void give(void *context)
{
    host_lock *lock = context;
    ++lock->given;
    pthread_mutex_unlock(&lock->mutex);
}

static atomic_int plan_is_made;

static void *make_a_plan(void *context)
{
    enuf_nufft **plan = context;
    enuf_nufft_options options = conformance_options(2, 12, 10, 0);
    CHECK_STATUS(enuf_nufft_create(&options, plan), ENUF_SUCCESS);
    atomic_store(&plan_is_made, 1);
    return NULL;
}

/* The library waits for the lock of the host, and takes it to make and to destroy a plan. */
static void the_hosts_lock(void)
{
    host_lock lock = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    enuf_nufft *plan = NULL;
    pthread_t thread;
    CHECK_STATUS(enuf_nufft_set_planner_lock(take, NULL, NULL), ENUF_BAD_ARGUMENT);
    CHECK_TEXT("unlock");
    CHECK_STATUS(enuf_nufft_set_planner_lock(take, give, &lock), ENUF_SUCCESS);
    pthread_mutex_lock(&lock.mutex);
    if (!CHECK(pthread_create(&thread, NULL, make_a_plan, &plan) == 0)) return;
    usleep(100000);
    CHECK(atomic_load(&plan_is_made) == 0);
    pthread_mutex_unlock(&lock.mutex);
    pthread_join(thread, NULL);
    CHECK(atomic_load(&plan_is_made) == 1 && lock.taken == 1 && lock.given == 1);
    enuf_nufft_destroy(&plan);
    CHECK(lock.taken == 2 && lock.given == 2);
    CHECK_STATUS(enuf_nufft_set_planner_lock(NULL, NULL, NULL), ENUF_SUCCESS);
    make_a_plan(&plan);
    enuf_nufft_destroy(&plan);
    CHECK(lock.taken == 2);
}

static host_lock *watched;
static int syncs, syncs_with_the_lock;

/* Takes the place of the system's fsync(). */
int fsync(int file)
{
    syncs++;
    if (watched && watched->taken != watched->given) syncs_with_the_lock++;
    return (int)syscall(SYS_fsync, file);
}

/* The library writes the file to the disk without the lock, so that the host can plan meanwhile. */
static void no_lock_during_fsync(void)
{
    host_lock lock = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    enuf_nufft_options options = options_of(ENUF_FFT_MEASURE);
    CHECK_STATUS(enuf_nufft_set_planner_lock(take, give, &lock), ENUF_SUCCESS);
    watched = &lock;
    remove(path);
    a_plan_works(&options);
    watched = NULL;
    CHECK_STATUS(enuf_nufft_set_planner_lock(NULL, NULL, NULL), ENUF_SUCCESS);
    printf("%d waits for the disk, %d with the lock\n", syncs, syncs_with_the_lock);
    CHECK(syncs > 0 && syncs_with_the_lock == 0 && size_of_file(path) > 0);
}

static void law(void)
{
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    snprintf(path, sizeof path, "%s/wisdom", folder);
    measuring_writes_and_reads();
    wisdom_of_the_other_precision();
    deterministic_leaves_the_file_alone();
    file_without_wisdom();
    unreadable_and_unwritable_files();
    the_old_file_stays_whole();
    the_hosts_lock();
    no_lock_during_fsync();
    remove(path);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
