/* safe_text.c - see safe_text.h. SPDX-License-Identifier: BSD-3-Clause */
#include "safe_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NO_CHARACTER = -1, LONGEST = 8 /* "\u202e", and its 0 */ };

/* Code and number of bytes of the UTF-8 character at the start of text; NO_CHARACTER: one invalid
 * byte. */
static int32_t decode(const unsigned char *text, int *bytes)
{
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = text[0];
    int n = 1;
    int32_t code = first;
    if (first >= 0xf0 && first < 0xf8) n = 4;
    if (first >= 0xe0 && first < 0xf0) n = 3;
    if (first >= 0xc0 && first < 0xe0) n = 2;
    *bytes = 1;
    if (first < 0x80) return code;
    code &= 0xff >> (n + 1);
    for (int k = 1; k < n; ++k) {
        if ((text[k] & 0xc0) != 0x80) return NO_CHARACTER;
        code = code << 6 | (text[k] & 0x3f);
    }
    const int surrogate = code >= 0xd800 && code < 0xe000;
    if (n == 1 || code < least[n] || code > 0x10ffff || surrogate) return NO_CHARACTER;
    *bytes = n;
    return code;
}

/* C0, DEL, C1; line and paragraph separators; marks, embeddings and isolates of direction. */
static int acts(int32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Writes one character in a form that is safe on a terminal. Returns the number of bytes read. */
static int show(const char *text, char out[LONGEST])
{
    int bytes;
    const unsigned char first = (unsigned char)*text;
    const int32_t code = decode((const unsigned char *)text, &bytes);
    if (code == '\n')
        memcpy(out, " ", 2);
    else if (code == NO_CHARACTER || (code < 0x80 && acts(code)))
        snprintf(out, LONGEST, "\\x%02x", first);
    else if (acts(code))
        snprintf(out, LONGEST, "\\u%04x", (unsigned)code & 0xffff);
    else
        snprintf(out, LONGEST, "%.*s", bytes, text);
    return bytes;
}

void cli_put_safe(const char *text, FILE *out)
{
    char shown[LONGEST];
    while (*text) {
        text += show(text, shown);
        fputs(shown, out);
    }
}

const char *cli_safe_text(const char *text, char *buffer, size_t size)
{
    char shown[LONGEST];
    size_t used = 0;
    while (*text) {
        text += show(text, shown);
        const size_t length = strlen(shown);
        if (used + length + 1 > size) break;
        memcpy(buffer + used, shown, length);
        used += length;
    }
    buffer[used] = 0;
    return buffer;
}

char *cli_json_quoted(const char *text)
{
    char *quoted = malloc(6 * strlen(text) + 3), *at = quoted;
    if (!quoted) return NULL;
    *at++ = '"';
    while (*text) {
        int bytes;
        const int32_t code = decode((const unsigned char *)text, &bytes);
        if (code == NO_CHARACTER)
            at += sprintf(at, "\\ufffd");
        else if (code == '"' || code == '\\')
            at += sprintf(at, "\\%c", (char)code);
        else if (acts(code))
            at += sprintf(at, "\\u%04x", (unsigned)code);
        else
            at += sprintf(at, "%.*s", bytes, text);
        text += bytes;
    }
    memcpy(at, "\"", 2);
    return quoted;
}
