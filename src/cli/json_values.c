/* json_values.c - see json_values.h. SPDX-License-Identifier: BSD-3-Clause */
#include "json_values.h"

#include "error.h"
#include "number_text.h"
#include "safe_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* cJSON's own numbers lose the last bit. All functions accept a NULL object, the result of too
 * little memory. */
void cli_json_number(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddRawToObject(object, key, cli_number(value).text);
    else
        cJSON_AddNullToObject(object, key);
}

void cli_json_number_if(cJSON *object, const char *key, int there, double value)
{
    cli_json_number(object, key, there ? value : NAN);
}

void cli_json_text(cJSON *object, const char *key, const char *text)
{
    char *quoted = text ? cli_json_quoted(text) : NULL;
    if (quoted)
        cJSON_AddRawToObject(object, key, quoted);
    else
        cJSON_AddNullToObject(object, key);
    free(quoted);
}

void cli_json_triple(cJSON *object, const char *key, const int64_t numbers[3])
{
    char text[80];
    snprintf(text, sizeof text, "[%lld, %lld, %lld]", (long long)numbers[0], (long long)numbers[1],
             (long long)numbers[2]);
    cJSON_AddRawToObject(object, key, text);
}

void cli_json_basis(cJSON *object, const double basis[9])
{
    cJSON *rows = cJSON_AddArrayToObject(object, "basis");
    for (int d = 0; d < 3; ++d) {
        cJSON *row = cJSON_CreateArray();
        for (int k = 0; k < 3; ++k)
            cJSON_AddItemToArray(row, cJSON_CreateRaw(cli_number(basis[3 * d + k]).text));
        cJSON_AddItemToArray(rows, row);
    }
}

void cli_json_split(cJSON *object, enuf_split split, double alpha, double c)
{
    cli_json_text(object, "split", enuf_split_name(split));
    cli_json_number_if(object, "alpha", split == ENUF_SPLIT_GAUSSIAN, alpha);
    cli_json_number_if(object, "c", split == ENUF_SPLIT_PROLATE, c);
}

static enuf_status print(cJSON *object, char *text)
{
    cJSON_Delete(object);
    if (!text) return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the report");
    puts(text);
    cJSON_free(text);
    return ENUF_SUCCESS;
}

enuf_status cli_json_print(cJSON *object)
{
    return print(object, cJSON_Print(object));
}

enuf_status cli_json_print_line(cJSON *object)
{
    const enuf_status status = print(object, cJSON_PrintUnformatted(object));
    fflush(stdout);
    return status;
}
