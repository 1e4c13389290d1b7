/* text_load.c - a whole file or pipe into memory; see text.h. SPDX-License-Identifier: BSD-3-Clause
 */
#include "text.h"

#include "error.h"
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* First size of the buffer where the file's size is unknown: a pipe. */
enum { FIRST_SIZE = 1 << 16 };

static enuf_status grow(enuf_text *text, int64_t *capacity)
{
    char *larger;
    int64_t size = *capacity > 0 ? 2 * *capacity : FIRST_SIZE;
    ENUF_TRY(enuf_allocate(&larger, size, 1, "the text of a file"));
    if (text->size > 0) memcpy(larger, text->bytes, (size_t)text->size);
    enuf_release(&text->bytes);
    text->bytes = larger;
    *capacity = size;
    return ENUF_SUCCESS;
}

static int is_compressed(const unsigned char *bytes, size_t size)
{
    return (size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) || /* gzip */
           (size > 4 && memcmp(bytes,
                               "\xfd"
                               "7zXZ",
                               5) == 0) ||
           (size > 3 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0) || /* zstd */
           (size > 2 && memcmp(bytes, "BZh", 3) == 0);
}

/* Bytes [from, size) have just arrived. Looked at as they come: an endless device is soon refused.
 */
static enuf_status refuse_binary(const enuf_text *text, int64_t from)
{
    const char *zero = memchr(text->bytes + from, 0, (size_t)(text->size - from));
    if (from == 0 && is_compressed((const unsigned char *)text->bytes, (size_t)text->size))
        return enuf_text_fail(text, 0,
                              "is compressed: unpack it, and give '-' to read from a pipe");
    if (zero)
        return enuf_text_fail(text, 0, "is no text: byte %lld is 0",
                              (long long)(zero - text->bytes) + 1);
    return ENUF_SUCCESS;
}

static enuf_status finish(enuf_text *text)
{
    text->bytes[text->size] = 0;
    /* the byte-order mark that editors of Windows put first says nothing */
    if (strncmp(text->bytes, "\xef\xbb\xbf", 3) == 0) memset(text->bytes, ' ', 3);
    int64_t blanks = 0;
    while (blanks < text->size && strchr(" \t\r\n", text->bytes[blanks])) ++blanks;
    if (blanks == text->size) return enuf_text_fail(text, 0, "is empty");
    return ENUF_SUCCESS;
}

static enuf_status read_all(FILE *file, enuf_text *text)
{
    int64_t capacity = 0;
    for (;;) {
        if (text->size + 1 >= capacity) ENUF_TRY(grow(text, &capacity));
        size_t room = (size_t)(capacity - text->size - 1);
        size_t got = fread(text->bytes + text->size, 1, room, file);
        text->size += (int64_t)got;
        ENUF_TRY(refuse_binary(text, text->size - (int64_t)got));
        if (got < room && ferror(file))
            return enuf_fail(ENUF_IO, "cannot read %.300s: %s", text->name, strerror(errno));
        if (got < room) return finish(text);
    }
}

/* fopen() opens a directory without complaint; the reason should not come as a failed read. */
static enuf_status open_file(const char *path, FILE **file)
{
    struct stat status;
    *file = fopen(path, "r");
    if (!*file) return enuf_fail(ENUF_IO, "cannot open %.300s: %s", path, strerror(errno));
    if (fstat(fileno(*file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(*file);
        return enuf_fail(ENUF_IO, "cannot open %.300s: %s", path, strerror(EISDIR));
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_text_load(const char *path, enuf_text *text)
{
    int standard_input = strcmp(path, "-") == 0;
    FILE *file = stdin;
    *text = (enuf_text){.name = standard_input ? "standard input" : path};
    if (!standard_input) ENUF_TRY(open_file(path, &file));
    enuf_status status = read_all(file, text);
    if (!standard_input) fclose(file);
    if (status != ENUF_SUCCESS) enuf_text_free(text);
    return status;
}

enuf_status enuf_text_copy(const char *name, const void *bytes, size_t size, enuf_text *text)
{
    *text = (enuf_text){.name = name};
    ENUF_TRY(enuf_allocate(&text->bytes, (int64_t)size + 1, 1, "a text"));
    if (size > 0) memcpy(text->bytes, bytes, size);
    text->size = (int64_t)size;
    enuf_status status = refuse_binary(text, 0);
    if (status == ENUF_SUCCESS) status = finish(text);
    if (status != ENUF_SUCCESS) enuf_text_free(text);
    return status;
}

void enuf_text_free(enuf_text *text)
{
    enuf_release(&text->bytes);
    text->size = 0;
}
