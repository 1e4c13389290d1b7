/* text_load.c - files, pipes and texts in memory; see text.h, text_stream.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "text_stream.h"

#include "error.h"
#include "memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Bytes loaded at once where the file's size is unknown: a pipe. */
enum { PIECE = 1 << 16 };

static int is_compressed(const unsigned char *bytes, int64_t size)
{
    return (size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) || /* gzip */
           (size > 4 && memcmp(bytes,
                               "\xfd"
                               "7zXZ",
                               5) == 0) ||
           (size > 3 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0) || /* zstd */
           (size > 2 && memcmp(bytes, "BZh", 3) == 0);
}

/* Bytes [from, size) of the text have just arrived; `before` bytes of the file stand before it.
 * They are checked as they arrive, so an endless device is refused early. */
static enuf_status refuse_binary(const enuf_text *text, int64_t from, int64_t before)
{
    const char *zero = memchr(text->bytes + from, 0, (size_t)(text->size - from));
    if (from == 0 && before == 0 && is_compressed((const unsigned char *)text->bytes, text->size))
        return enuf_text_fail(text, 0,
                              "is compressed: unpack it, and give '-' to read from a pipe");
    if (zero)
        return enuf_text_fail(text, 0, "is no text: byte %lld is 0",
                              (long long)(before + (zero - text->bytes)) + 1);
    return ENUF_SUCCESS;
}

static int is_blank(const enuf_text *text)
{
    int64_t blanks = 0;
    while (blanks < text->size && strchr(" \t\r\n", text->bytes[blanks])) ++blanks;
    return blanks == text->size;
}

/* Overwrites the byte-order mark that some editors write first. */
static void blank_byte_order_mark(enuf_text *text)
{
    if (text->size >= 3 && memcmp(text->bytes, "\xef\xbb\xbf", 3) == 0) memset(text->bytes, ' ', 3);
}

/* fopen() can open a directory. A directory is refused here, before a read fails. */
static enuf_status open_file(const char *path, FILE **file)
{
    struct stat status;
    *file = fopen(path, "r");
    if (!*file) return enuf_fail(ENUF_IO, "cannot open %.300s: %s", path, strerror(errno));
    if (fstat(fileno(*file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(*file);
        *file = NULL;
        return enuf_fail(ENUF_IO, "cannot open %.300s: %s", path, strerror(EISDIR));
    }
    return ENUF_SUCCESS;
}

/* Bytes from the current position to the file's end; 0: not known. */
static int64_t size_of(FILE *file)
{
    struct stat status;
    const off_t at = ftello(file);
    if (at < 0 || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return status.st_size > at ? (int64_t)(status.st_size - at) : 0;
}

enuf_status enuf_text_stream_open(const char *path, enuf_text_stream *stream)
{
    const int standard_input = strcmp(path, "-") == 0;
    *stream = (enuf_text_stream){.text.name = standard_input ? "standard input" : path};
    stream->file = stdin;
    if (!standard_input) ENUF_TRY(open_file(path, &stream->file));
    stream->total = size_of(stream->file);
    return ENUF_SUCCESS;
}

enuf_status enuf_text_stream_copy(const enuf_text *text, enuf_text_stream *stream)
{
    *stream = (enuf_text_stream){.total = text->size};
    ENUF_TRY(enuf_text_copy(text->name, text->bytes, (size_t)text->size, &stream->text));
    stream->buffer = stream->text.bytes;
    stream->capacity = text->size + 1;
    return ENUF_SUCCESS;
}

void enuf_text_stream_close(enuf_text_stream *stream)
{
    if (stream->file && stream->file != stdin) fclose(stream->file);
    enuf_release(&stream->buffer);
    *stream = (enuf_text_stream){0};
}

int enuf_text_stream_at_end(const enuf_text_stream *stream)
{
    return !stream->file;
}

/* Allocated size over needed size. Untouched pages take no memory. With the spare room, larger
 * frames and low estimates need no copy. */
enum { ROOMY = 4 };

/* Makes room for `bytes` more behind the text, and the 0 behind them. */
static enuf_status make_room(enuf_text_stream *stream, int64_t bytes)
{
    enuf_text *text = &stream->text;
    const int64_t before = text->bytes ? text->bytes - stream->buffer : 0;
    const int64_t most = stream->total > 0 ? stream->total - stream->dropped + 1 : INT64_MAX;
    int64_t needed = text->size + bytes + 1;
    char *buffer = stream->buffer;
    if (needed > stream->capacity) {
        if (stream->total > 0) needed = needed < most / ROOMY ? ROOMY * needed : most;
        ENUF_TRY(enuf_allocate(&buffer, needed, 1, "the text of a file"));
    } else if (before < text->size && before + needed <= stream->capacity) {
        return ENUF_SUCCESS;
    }
    /* move the text to the front, so the rest of the buffer stays untouched */
    if (text->size > 0) memmove(buffer, text->bytes, (size_t)text->size);
    if (buffer != stream->buffer) {
        enuf_release(&stream->buffer);
        stream->buffer = buffer;
        stream->capacity = needed;
    }
    text->bytes = buffer;
    return ENUF_SUCCESS;
}

static void end_file(enuf_text_stream *stream)
{
    if (stream->file != stdin) fclose(stream->file);
    stream->file = NULL;
}

enuf_status enuf_text_stream_load(enuf_text_stream *stream, int64_t bytes)
{
    enuf_text *text = &stream->text;
    if (!stream->file) return ENUF_SUCCESS;
    /* bytes that a writer appends after the opening are not read */
    const int64_t left =
        stream->total > 0 ? stream->total - stream->dropped - text->size : INT64_MAX;
    if (stream->total == 0 && bytes > PIECE && bytes > text->size)
        bytes = text->size > PIECE ? text->size : PIECE;
    if (bytes > left) bytes = left;
    ENUF_TRY(make_room(stream, bytes));
    const int64_t before = text->size;
    const size_t got = fread(text->bytes + before, 1, (size_t)bytes, stream->file);
    if ((int64_t)got < bytes && ferror(stream->file))
        return enuf_fail(ENUF_IO, "cannot read %.300s: %s", text->name, strerror(errno));
    text->size += (int64_t)got;
    text->bytes[text->size] = 0;
    if ((int64_t)got < bytes || bytes == left) end_file(stream);
    ENUF_TRY(refuse_binary(text, before, stream->dropped));
    if (before == 0 && stream->dropped == 0) blank_byte_order_mark(text);
    if (!stream->file && stream->dropped == 0 && is_blank(text))
        return enuf_text_fail(text, 0, "is empty");
    return ENUF_SUCCESS;
}

enuf_status enuf_text_stream_load_all(enuf_text_stream *stream)
{
    while (stream->file) {
        const int64_t size = stream->text.size, left = stream->total - stream->dropped - size;
        ENUF_TRY(enuf_text_stream_load(stream, stream->total > 0 ? left
                                               : size > PIECE    ? size
                                                                 : PIECE));
    }
    return ENUF_SUCCESS;
}

void enuf_text_stream_drop(enuf_text_stream *stream, const enuf_line *line)
{
    enuf_text *text = &stream->text;
    const int64_t bytes = line->next ? line->next - text->bytes : 0;
    text->bytes += bytes;
    text->size -= bytes;
    text->lines_before = line->next ? line->number : text->lines_before;
    stream->dropped += bytes;
}

enuf_status enuf_text_load(const char *path, enuf_text *text)
{
    enuf_text_stream stream;
    *text = (enuf_text){0};
    ENUF_TRY(enuf_text_stream_open(path, &stream));
    const enuf_status status = enuf_text_stream_load_all(&stream);
    if (status == ENUF_SUCCESS) {
        *text = stream.text;
        stream.buffer = NULL;
    }
    enuf_text_stream_close(&stream);
    return status;
}

enuf_status enuf_text_copy(const char *name, const void *bytes, size_t size, enuf_text *text)
{
    *text = (enuf_text){.name = name};
    ENUF_TRY(enuf_allocate(&text->bytes, (int64_t)size + 1, 1, "a text"));
    if (size > 0) memcpy(text->bytes, bytes, size);
    text->size = (int64_t)size;
    text->bytes[size] = 0;
    enuf_status status = refuse_binary(text, 0, 0);
    blank_byte_order_mark(text);
    if (status == ENUF_SUCCESS && is_blank(text)) status = enuf_text_fail(text, 0, "is empty");
    if (status != ENUF_SUCCESS) enuf_text_free(text);
    return status;
}

void enuf_text_free(enuf_text *text)
{
    enuf_release(&text->bytes);
    text->size = 0;
}
