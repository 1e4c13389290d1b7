/* explain.c - see explain.h. SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include "error.h"
#include "given_options.h"
#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct explanation {
    char text[900];
    size_t used;
} explanation;

static void add(explanation *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(explanation *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(to->text + to->used, sizeof to->text - to->used, format, arguments);
    va_end(arguments);
    to->used += (size_t)length;
    if (to->used >= sizeof to->text) to->used = sizeof to->text - 1;
}

static int begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Adds "3 (Cl, id 17)" for the ion of a library index, or the plain number if there is no such ion.
 * */
static void add_ion(explanation *to, const enuf_structure *structure, long long index)
{
    add(to, "%lld", index + 1);
    if (index < 0 || index >= structure->n) return;
    add(to, " (%s", structure->species_names[structure->species[index]]);
    if (structure->ids) add(to, ", id %lld", (long long)structure->ids[index]);
    add(to, ")");
}

/* The library's phrases and the matching options of the command line. */
static const struct {
    const char *term, *option;
} phrases[] = {
    {"surroundings is ", "--surroundings is "},
    {"leave surroundings at 0", "leave --surroundings out"},
    {"ask for that, or for double arithmetic", "ask for that, or for --precision double"},
    {"ask for that, or for mixed or double arithmetic",
     "ask for that, or for --precision mixed or double"},
    {"along axis 0", "along a"},
    {"along axis 1", "along b"},
    {"along axis 2", "along c"},
    {"or a larger cutoff", "or a larger --cutoff"},
    {"backend cpu", "--backend cpu"}};

static int is_part_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c && strchr("-_/.", c));
}

/* Replaces a known phrase at the start of the text. Returns its length; 0: no phrase. */
static size_t add_phrase(explanation *to, const char *text)
{
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; ++k) {
        if (!begins(text, phrases[k].term)) continue;
        add(to, "%s", phrases[k].option);
        return strlen(phrases[k].term);
    }
    return 0;
}

/* Replaces "atom 2", "atoms 2 and 7" and "atoms" by ions. Returns the length of the replaced text.
 * */
static size_t add_atoms(explanation *to, const enuf_structure *structure, const char *text)
{
    if (!begins(text, "atom")) return 0;
    const char *at = text + (begins(text, "atoms") ? strlen("atoms") : strlen("atom"));
    if (is_part_of_word(*at) && *at != '.') return 0;
    add(to, at[-1] == 's' ? "ions" : "ion");
    for (const char *word = " "; begins(at, word); word = " and ") {
        char *end;
        const long long index = strtoll(at + strlen(word), &end, 10);
        if (end == at + strlen(word)) break;
        add(to, "%s", word);
        add_ion(to, structure, index);
        at = end;
    }
    return (size_t)(at - text);
}

static void add_translated(explanation *to, const enuf_structure *structure, const char *text)
{
    const char *const whole = text;
    while (*text) {
        const int begins_word = text == whole || !is_part_of_word(text[-1]);
        size_t length = begins_word ? add_atoms(to, structure, text) : 0;
        if (length == 0 && begins_word) length = add_phrase(to, text);
        if (length == 0) add(to, "%c", text[length++]);
        text += length;
    }
}

/* Whether the text is about the cell. */
static int is_of_the_cell(const char *text)
{
    static const char *const beginnings[] = {"cell ", "the cell ", "a slab needs "};
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; ++k)
        if (begins(text, beginnings[k])) return 1;
    return 0;
}

/* Whether the text is about parameters that the library chose, or about its inner parts. */
static int is_of_own_choice(const char *raw, const char *text, size_t first_word)
{
    static const char *const fields[] = {"cutoff", "alpha", "c",     "kmax",
                                         "width",  "shape", "window"};
    const char *of_nufft = strstr(raw, "enuf_nufft_");
    if ((of_nufft && of_nufft < raw + strlen(raw) - strlen(text)) || begins(text, "pair table:") ||
        begins(text, "prolate bandwidth "))
        return 1;
    for (size_t k = 0; k < sizeof fields / sizeof *fields; ++k)
        if (strlen(fields[k]) == first_word && begins(text, fields[k])) return 1;
    return 0;
}

static int is_one_of_several(const cli_settings *settings, const enuf_structure *structure)
{
    return settings->n_inputs > 1 || structure->frame > 1 || structure->more_frames;
}

static void add_place(explanation *to, const cli_settings *settings,
                      const enuf_structure *structure, int64_t line)
{
    add(to, "%.300s", strcmp(settings->input, "-") ? settings->input : "standard input");
    if (structure->frame > 1 || structure->more_frames)
        add(to, ", frame %lld", (long long)structure->frame);
    if (line > 0) add(to, ", line %lld", (long long)line);
    add(to, ": ");
}

enuf_status cli_explain(const cli_settings *settings, const enuf_structure *structure,
                        enuf_status status)
{
    char given[CLI_GIVEN_SIZE];
    explanation said = {.used = 0};
    if (!status) return status;
    const char *raw = enuf_last_error(), *text = cli_without_functions(raw);
    const size_t first_word = strcspn(text, " ");
    const char *option = cli_option_of_field(settings, text, first_word);
    const int n_given = cli_given(settings, given);
    const int own = is_of_own_choice(raw, text, first_word);
    if (option) {
        if (is_one_of_several(settings, structure)) add_place(&said, settings, structure, 0);
        add(&said, "%s", option);
        text += first_word;
    } else if (status == ENUF_BAD_FILE || status == ENUF_IO) {
        add(&said, "--calibration: %s", text); /* the names of files stay as they are */
        return enuf_fail(status, "%s", said.text);
    } else if (own && n_given > 0) {
        add(&said, "with %s as given: ", given);
    } else {
        add_place(&said, settings, structure,
                  own || is_of_the_cell(text) ? structure->cell_line : 0);
    }
    if (own && !option && n_given == 0 && status != ENUF_OUT_OF_MEMORY)
        add(&said,
            "no parameters of the sums serve %lld ions in a cell of volume %g: are lengths "
            "and charges in the units meant?",
            (long long)structure->n, enuf_structure_volume(structure));
    else
        add_translated(&said, structure, text);
    return enuf_fail(status, "%s", said.text);
}
