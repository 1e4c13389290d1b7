/* text.c - lines, words and numbers; see text.h. SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include "error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* First `c` between begin and end, or NULL. */
static const char *find(const char *begin, const char *end, char c)
{
    return begin < end ? memchr(begin, c, (size_t)(end - begin)) : NULL;
}

static const char *trim(const char *begin, const char *end)
{
    while (end > begin && is_blank(end[-1])) --end;
    return end;
}

int enuf_text_next(const enuf_text *text, enuf_line *line)
{
    const char *begin = line->next ? line->next : text->bytes;
    const char *stop = text->bytes + text->size;
    if (begin >= stop) return 0;
    const char *newline = find(begin, stop, '\n');
    if (!line->next) line->number = text->lines_before;
    line->begin = begin;
    line->end = trim(begin, newline ? newline : stop);
    line->next = newline ? newline + 1 : stop;
    line->number += 1;
    return 1;
}

int64_t enuf_text_skip(const enuf_text *text, enuf_line *line, int64_t n)
{
    const char *stop = text->bytes + text->size;
    for (int64_t k = 0; k < n; ++k) {
        enuf_line next = *line;
        if (!enuf_text_next(text, &next) || next.next[-1] != '\n' || next.next > stop) return k;
        *line = next;
    }
    return n;
}

int enuf_text_next_filled(const enuf_text *text, enuf_line *line)
{
    while (enuf_text_next(text, line)) {
        const char *comment = find(line->begin, line->end, '#');
        if (comment) line->end = trim(line->begin, comment);
        if (line->end > line->begin) return 1;
    }
    return 0;
}

enuf_line enuf_line_comment(const enuf_line *line)
{
    enuf_line comment = *line;
    const char *hash = find(line->end, line->next, '#');
    comment.begin = hash ? hash + 1 : line->end;
    comment.end = hash ? line->next : line->end;
    if (hash && comment.end[-1] == '\n') --comment.end;
    return comment;
}

int64_t enuf_text_left(const enuf_text *text, const enuf_line *line)
{
    return text->bytes + text->size - line->next;
}

int enuf_line_split(const enuf_line *line, enuf_word *words, int most)
{
    const char *at = line->begin;
    for (int n = 0;; ++n) {
        while (at < line->end && is_blank(*at)) ++at;
        if (at == line->end) return n;
        const char *begin = at;
        while (at < line->end && !is_blank(*at)) ++at;
        if (n < most) words[n] = (enuf_word){begin, (size_t)(at - begin)};
    }
}

int enuf_word_is(enuf_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.begin, text, word.length) == 0;
}

int enuf_word_begins_number(enuf_word word)
{
    return word.length > 0 &&
           (strchr("+-.", *word.begin) || (*word.begin >= '0' && *word.begin <= '9'));
}

enuf_status enuf_word_integer(const enuf_text *text, int64_t line, enuf_word word, const char *what,
                              int64_t *value)
{
    size_t i = word.length > 0 && strchr("+-", *word.begin) ? 1 : 0;
    int negative = i == 1 && *word.begin == '-';
    int64_t sum = 0;
    int good = word.length > i;
    for (; i < word.length && good; ++i) {
        int digit = word.begin[i] - '0';
        good = digit >= 0 && digit <= 9 && sum <= (INT64_MAX - digit) / 10;
        if (good) sum = 10 * sum + digit;
    }
    if (!good) return enuf_text_fail(text, line, "%s '%.*s' is no integer", what, ENUF_SHOWN(word));
    *value = negative ? -sum : sum;
    return ENUF_SUCCESS;
}

enuf_status enuf_word_real(const enuf_text *text, int64_t line, enuf_word word, const char *what,
                           double *value)
{
    /* a blank, a quote, '#' or the 0 at the text's end stands behind every word: strtod stops
     * there. strtod also reads hexadecimal numbers; no format allows them. */
    char *end = NULL;
    double number = word.length > 0 ? strtod(word.begin, &end) : 0.0;
    if (word.length == 0 || end != word.begin + word.length ||
        memchr(word.begin, 'x', word.length) || memchr(word.begin, 'X', word.length))
        return enuf_text_fail(text, line, "%s '%.*s' is no number", what, ENUF_SHOWN(word));
    if (!isfinite(number))
        return enuf_text_fail(text, line, "%s '%.*s' is not finite", what, ENUF_SHOWN(word));
    *value = number;
    return ENUF_SUCCESS;
}

enuf_status enuf_text_fail(const enuf_text *text, int64_t line, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *c = message; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    if (line == 0) return enuf_fail(ENUF_BAD_FILE, "%.300s: %s", text->name, message);
    return enuf_fail(ENUF_BAD_FILE, "%.300s, line %lld: %s", text->name, (long long)line, message);
}
