/* forecast.c - see forecast.h. SPDX-License-Identifier: BSD-3-Clause */
#include "forecast.h"

#include "names.h"

#include <math.h>
#include <stdio.h>

const char *cli_decomposition_name(enuf_decomposition decomposition)
{
    static const char *const names[] = {ENUF_DECOMPOSITIONS(ENUF_NAME_OF)};
    return names[decomposition];
}

static void print_cost(int chosen, const char *name, const cli_rank_cost *cost)
{
    printf("%c %-18s %10.4g %10.4g %10.3g %9.0f %10.3g", chosen ? '*' : ' ', name,
           1e3 * cost->seconds, 1e3 * cost->work, 1e-6 * cost->bytes_sent, cost->messages,
           1e-6 * cost->memory);
    if (isfinite(cost->measured))
        printf(" %10.4g\n", 1e3 * cost->measured);
    else
        printf(" %10s\n", "-");
}

void cli_forecast_print(const cli_settings *settings, const cli_forecast *f)
{
    if (f->ranks == 0) return;
    printf("\n%lld charges on %d %s%s", (long long)f->charges, f->ranks,
           f->backend == ENUF_BACKEND_CUDA ? "GPU" : "rank", f->ranks == 1 ? "" : "s");
    if (f->backend == ENUF_BACKEND_CPU)
        printf(" of %d thread%s", f->threads, f->threads == 1 ? "" : "s");
    printf(", %s precision, the busiest of them:\n\n", enuf_arithmetic_name(f->arithmetic));
    printf("  %-18s %10s %10s %10s %9s %10s %10s\n", "", "model ms", "work ms", "MB sent",
           "messages", "MB held", "time ms");
    print_cost(0, "pairs", &f->pairs);
    print_cost(f->chosen == ENUF_DECOMPOSITION_REPLICATED, "modes replicated", &f->replicated);
    print_cost(f->chosen == ENUF_DECOMPOSITION_DISTRIBUTED, "modes distributed", &f->distributed);
    printf("\n* --decomposition auto, by the model with %s rates.\n",
           settings->ewald.calibration_file ? "this machine's" : "the shipped");
}

static void add_cost(cJSON *object, const char *key, const cli_rank_cost *cost)
{
    cJSON *item = cJSON_AddObjectToObject(object, key);
    cli_json_number(item, "predicted_seconds", cost->seconds);
    cli_json_number(item, "work_seconds", cost->work);
    cli_json_number(item, "bytes_sent", cost->bytes_sent);
    cli_json_number(item, "messages", cost->messages);
    cli_json_number(item, "bytes_held", cost->memory);
    cli_json_number(item, "seconds", cost->measured);
}

void cli_forecast_add_json(cJSON *object, const cli_forecast *f)
{
    if (f->ranks == 0) {
        cJSON_AddNullToObject(object, "mpi");
        return;
    }
    cJSON *item = cJSON_AddObjectToObject(object, "mpi");
    cJSON_AddStringToObject(item, "decomposition", cli_decomposition_name(f->chosen));
    cli_json_number(item, "ranks", f->ranks);
    cli_json_number(item, "threads", f->threads);
    cli_json_number(item, "charges", (double)f->charges);
    cJSON_AddStringToObject(item, "backend", enuf_backend_name(f->backend));
    cJSON_AddStringToObject(item, "precision", enuf_arithmetic_name(f->arithmetic));
    add_cost(item, "pairs", &f->pairs);
    add_cost(item, "replicated", &f->replicated);
    add_cost(item, "distributed", &f->distributed);
}
