/* factor_report.c - see factor_report.h. SPDX-License-Identifier: BSD-3-Clause */
#include "factor_report.h"

#include "json_report.h"
#include "number_text.h"
#include "safe_text.h"
#include "units.h"

/* Components of the vectors. */
static const char *const names[2][3] = {{"h", "k", "l"}, {"qx", "qy", "qz"}};

/* ---- Comma-separated values ---- */

static void write_vector(const cli_factors *factors, int64_t k, FILE *stream)
{
    const cli_q_factor *at = &factors->at[k];
    const double *q = factors->vectors.q + 3 * k;
    const double numbers[] = {q[0], q[1], q[2], at->q, at->re, at->im};
    for (int c = 0; c < 6; ++c) fprintf(stream, "%s,", cli_number(numbers[c]).text);
    fprintf(stream, "%s\n", cli_number(at->s).text);
}

static void write_shell(const cli_q_shell *shell, FILE *stream)
{
    if (shell->count == 0) return;
    fprintf(stream, "%s,", cli_number(shell->q).text);
    fprintf(stream, "%s,%lld\n", cli_number(shell->s).text, (long long)shell->count);
}

void cli_factors_write(const cli_factors *factors, FILE *stream)
{
    const char *const *name = names[factors->cartesian];
    if (factors->shells)
        fputs("q,s,count\n", stream);
    else
        fprintf(stream, "%s,%s,%s,q,re,im,s\n", name[0], name[1], name[2]);
    for (int64_t k = 0; k < factors->n; ++k)
        if (factors->shells)
            write_shell(&factors->shells[k], stream);
        else
            write_vector(factors, k, stream);
}

/* ---- JSON ---- */

static cJSON *vector_object(const cli_factors *factors, int64_t k)
{
    const cli_q_factor *at = &factors->at[k];
    cJSON *item = cJSON_CreateObject();
    for (int d = 0; d < 3; ++d)
        cli_json_number(item, names[factors->cartesian][d], factors->vectors.q[3 * k + d]);
    cli_json_number(item, "q", at->q);
    cli_json_number(item, "re", at->re);
    cli_json_number(item, "im", at->im);
    cli_json_number(item, "s", at->s);
    return item;
}

static cJSON *shell_object(const cli_q_shell *shell)
{
    cJSON *item = cJSON_CreateObject();
    cli_json_number(item, "q", shell->q);
    cli_json_number(item, "s", shell->s);
    cli_json_number(item, "count", (double)shell->count);
    return item;
}

cJSON *cli_json_factors(const cli_settings *settings, const enuf_structure *structure,
                        const cli_factors *factors)
{
    static const char *const weights[] = {
#define ENUF_X(NAME, name, help) #name,
        CLI_WEIGHTS(ENUF_X)
#undef ENUF_X
    };
    cJSON *object = cli_json_begin(settings, structure);
    cli_json_text(object, "units", enuf_unit_system_of(structure->units)->name);
    cli_json_text(object, "weights", weights[settings->weights]);
    cli_json_number(object, "squares", factors->squares);
    cJSON *rows = cJSON_AddArrayToObject(object, factors->shells ? "shells" : "vectors");
    for (int64_t k = 0; k < factors->n; ++k)
        if (!factors->shells)
            cJSON_AddItemToArray(rows, vector_object(factors, k));
        else if (factors->shells[k].count > 0)
            cJSON_AddItemToArray(rows, shell_object(&factors->shells[k]));
    return object;
}

/* ---- The picture ---- */

typedef struct factor_picture {
    const cli_settings *settings;
    const cli_factors *factors;
    const char *length;
} factor_picture;

static void write_numbers(const void *context, FILE *stream)
{
    const factor_picture *p = context;
    cli_factors_write(p->factors, stream);
}

static void write_script(const void *context, FILE *script)
{
    const factor_picture *p = context;
    char title[CLI_SHOWN_NAME];
    snprintf(title, sizeof title, "%.3000s: structure factor%s", p->settings->input,
             p->factors->shells ? ", mean over shells" : "");
    cli_picture_title(title, script);
    fprintf(script,
            "set xlabel '|q| (1/%s)'\nset ylabel 's = |S(q)|² / Σw²'\nset grid\n"
            "set key autotitle columnhead\nset xrange [0:*]\nset yrange [0:*]\n"
            "plot $numbers using %s notitle\n",
            cli_picture_length(p->length),
            p->factors->shells ? "1:2 with linespoints pt 7 ps 0.4" : "4:7 with impulses lw 2");
}

enuf_status cli_factors_draw(const cli_settings *settings, const cli_factors *factors,
                             const char *length, cli_picture *files)
{
    const factor_picture picture = {settings, factors, length};
    const cli_drawing drawing = {&picture, write_numbers, write_script};
    return cli_picture_draw(settings, &drawing, files);
}
