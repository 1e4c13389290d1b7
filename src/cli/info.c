/*
 * info.c - `enuf info`: compiler, libraries and usable backends. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "commands.h"

#include "compiler.h"
#include "cpu_description.h"
#include "gemmi_version.h"
#include "json_values.h"
#include "messages.h"
#include "parallel.h"
#include "ranks.h"

#include <stdio.h>

/* AUTO is a choice, not a backend. */
static const enuf_backend backends[] = {ENUF_BACKEND_CPU, ENUF_BACKEND_CUDA};

enum { N_BACKENDS = sizeof backends / sizeof *backends };

static const enuf_fft ffts[] = {ENUF_FFT_FFTW, ENUF_FFT_DUCC0, ENUF_FFT_MKL};

enum { N_FFTS = sizeof ffts / sizeof *ffts };

typedef struct fact {
    const char *name, *value;
} fact;

static void print_usable(const char *name, int usable, const char *detail)
{
    printf("  %-20s %s%s%s\n", name, usable ? "usable" : "not usable",
           detail && *detail ? ": " : "", detail ? detail : "");
}

static void print_table(const fact *facts, int n_facts)
{
    const char *detail = NULL;
    printf("enuf %s\n\nbackends\n", enuf_version());
    for (int b = 0; b < N_BACKENDS; ++b) {
        const int usable = enuf_backend_usable(backends[b], &detail);
        print_usable(enuf_backend_name(backends[b]), usable, detail);
    }
    puts("\nFFTs of the cpu backend");
    for (int f = 0; f < N_FFTS; ++f) {
        const int usable = enuf_fft_usable(ffts[f], &detail);
        print_usable(enuf_fft_name(ffts[f]), usable, detail);
    }
    puts("\nmachine and libraries");
    for (int f = 0; f < n_facts; ++f) printf("  %-20s %s\n", facts[f].name, facts[f].value);
}

static void add_usable(cJSON *list, const char *name, int usable, const char *detail)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddBoolToObject(item, "usable", usable);
    cJSON_AddStringToObject(item, "detail", detail ? detail : "");
    cJSON_AddItemToArray(list, item);
}

static enuf_status print_json(const fact *facts, int n_facts)
{
    const char *detail = NULL;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "version", enuf_version());
    cJSON *list = cJSON_AddArrayToObject(object, "backends");
    for (int b = 0; b < N_BACKENDS; ++b) {
        const int usable = enuf_backend_usable(backends[b], &detail);
        add_usable(list, enuf_backend_name(backends[b]), usable, detail);
    }
    list = cJSON_AddArrayToObject(object, "ffts");
    for (int f = 0; f < N_FFTS; ++f) {
        const int usable = enuf_fft_usable(ffts[f], &detail);
        add_usable(list, enuf_fft_name(ffts[f]), usable, detail);
    }
    for (int f = 0; f < n_facts; ++f)
        cJSON_AddStringToObject(object, facts[f].name, facts[f].value);
    return cli_json_print(object);
}

cli_exit cli_info(const cli_settings *settings)
{
    char cpu[128], vectors[96], threads[16], openmp[16];
    enuf_isa isa;
    enuf_fft fft;
    const int has_kernels = enuf_isa_find(ENUF_ISA_AUTO, &isa) == ENUF_SUCCESS;
    const int has_ffts = enuf_fft_find(ENUF_FFT_AUTO, &fft) == ENUF_SUCCESS;
    const char *gemmi = enuf_gemmi_version();
    cli_cpu_name(cpu, sizeof cpu);
    cli_cpu_vectors(vectors, sizeof vectors);
    snprintf(threads, sizeof threads, "%d", enuf_thread_count(0));
    snprintf(openmp, sizeof openmp, "%d", _OPENMP);
    const fact facts[] = {{"cpu", cpu},
                          {"vector_instructions", vectors},
                          {"kernels", has_kernels ? enuf_isa_name(isa) : "none"},
                          {"threads", threads},
                          {"fft", has_ffts ? enuf_fft_name(fft) : "none"},
                          {"openmp", openmp},
                          {"cjson", cJSON_Version()},
                          {"gemmi", gemmi ? gemmi : "missing: no CIF"},
                          {"mpi", cli_ranks_library()},
                          {"compiler", CLI_COMPILER}};
    enuf_status status = ENUF_SUCCESS;
    if (settings->json)
        status = print_json(facts, sizeof facts / sizeof *facts);
    else
        print_table(facts, sizeof facts / sizeof *facts);
    return status ? cli_fail(settings->name, status) : cli_flush_stdout(settings->name);
}
