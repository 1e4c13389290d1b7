/* q_vectors.c - see q_vectors.h. SPDX-License-Identifier: BSD-3-Clause */
#include "q_vectors.h"

#include "error.h"
#include "memory.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enuf_status allocate(int64_t n, cli_q_vectors *vectors)
{
    return enuf_allocate(&vectors->q, 3 * n, sizeof *vectors->q, "wave vectors");
}

/* Three numbers with commas between them; *end stands behind them and blanks. */
static int read_vector(const char *text, const char **end, double q[3])
{
    for (int d = 0; d < 3; ++d) {
        char *stop;
        q[d] = strtod(text, &stop);
        if (stop == text || !isfinite(q[d])) return 0;
        stop += strspn(stop, " ");
        if (d < 2 && *stop++ != ',') return 0;
        text = stop;
    }
    *end = text;
    return 1;
}

static enuf_status read_list(const char *list, cli_q_vectors *vectors)
{
    int64_t most = 1;
    for (const char *c = list; *c; ++c) most += *c == ';';
    ENUF_TRY(allocate(most, vectors));
    for (const char *at = list; *at;) {
        const char *end = at;
        if (!read_vector(at, &end, vectors->q + 3 * vectors->n) || (*end && *end != ';'))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "--q '%.40s': give three numbers with commas, vectors with "
                             "semicolons, as in 1,1,1;2,0,0",
                             at);
        ++vectors->n;
        at = end + (*end == ';');
    }
    return ENUF_SUCCESS;
}

static enuf_status read_lines(const enuf_text *text, cli_q_vectors *vectors)
{
    enuf_line line = {0};
    int64_t most = 0;
    while (enuf_text_next_filled(text, &line)) ++most;
    ENUF_TRY(allocate(most, vectors));
    for (line = (enuf_line){0}; enuf_text_next_filled(text, &line); ++vectors->n) {
        enuf_word words[4];
        const int n = enuf_line_split(&line, words, 4);
        if (n != 3)
            return enuf_text_fail(text, line.number,
                                  "%d columns, but a wave vector has three numbers", n);
        for (int d = 0; d < 3; ++d)
            ENUF_TRY(enuf_word_real(text, line.number, words[d], "component",
                                    &vectors->q[3 * vectors->n + d]));
    }
    if (vectors->n > 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, 0, "no wave vectors: give three numbers on each line");
}

enuf_status cli_q_vectors_read(const cli_settings *settings, cli_q_vectors *vectors)
{
    enuf_text text = {0};
    if (settings->q_list) return read_list(settings->q_list, vectors);
    enuf_status status = enuf_text_load(settings->q_file, &text);
    if (status == ENUF_SUCCESS) status = read_lines(&text, vectors);
    enuf_text_free(&text);
    return status;
}

void cli_q_vectors_free(cli_q_vectors *vectors)
{
    enuf_release(&vectors->q);
    vectors->n = 0;
}
