/* fftw_wisdom.c - see fftw_wisdom.h. SPDX-License-Identifier: BSD-3-Clause */
#include "fftw_wisdom.h"
#include "fftw_planner.h"
#include "replacement.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enuf_status enuf_fftw_read_wisdom(int single, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return ENUF_SUCCESS; /* the first run has no file; writing it reports an error */
    int read = ENUF_FFTW(single, import_wisdom_from_file)(file);
    fclose(file);
    if (!read)
        return enuf_fail(ENUF_BAD_FILE, "fft_wisdom %s holds no wisdom of this FFTW and precision",
                         path);
    return ENUF_SUCCESS;
}

static enuf_status write_file(const char *path, const char *text)
{
    enuf_replacement file, *const files[] = {&file};
    ENUF_TRY(enuf_replacement_name(path, &file));
    ENUF_TRY(enuf_replacement_open(&file));
    fputs(text, file.stream);
    return enuf_replacement_commit(1, files);
}

/* The old file stays until the new one is complete, because other processes may read it. No planner
 * waits for the disk; of several writers the last one writes the wisdom of all. */
enuf_status enuf_fftw_write_wisdom(int single, const char *path)
{
    static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&writers);
    enuf_fftw_lock();
    char *text = ENUF_FFTW(single, export_wisdom_to_string)();
    enuf_fftw_unlock();
    enuf_status status = text ? write_file(path, text)
                              : enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the wisdom's text");
    free(text);
    pthread_mutex_unlock(&writers);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, "fft_wisdom");
}
