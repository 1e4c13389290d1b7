/* png.c - see png.h. SPDX-License-Identifier: BSD-3-Clause */
#include "png.h"
#include "fail.h"
#include "new_file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STORED = 65535 };

static void put_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* CRC-32 as in annex D of the standard. */
static uint32_t crc_of(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >> 1) : crc >> 1;
    }
    return ~crc;
}

/* Adler-32 of RFC 1950. */
static uint32_t adler_of(const uint8_t *bytes, size_t count)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < count; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void write_chunk(new_file *file, const char type[4], const uint8_t *bytes, size_t count)
{
    uint8_t *chunk = allocate((int64_t)count + 12, 1);
    put_32(chunk, (uint32_t)count);
    memcpy(chunk + 4, type, 4);
    if (count > 0) memcpy(chunk + 8, bytes, count);
    put_32(chunk + 8 + count, crc_of(chunk + 4, count + 4));
    new_file_write(file, chunk, count + 12);
    free(chunk);
}

/* A zlib stream of stored blocks; returns its length. out has room for it. */
static size_t store(const uint8_t *bytes, size_t count, uint8_t *out)
{
    uint8_t *at = out;
    *at++ = 0x78; /* deflate, window of 32 KiB */
    *at++ = 0x01;
    for (size_t done = 0; done < count;) {
        const size_t n = count - done < MOST_STORED ? count - done : MOST_STORED;
        *at++ = done + n == count; /* the last block; type 0, stored */
        *at++ = (uint8_t)n;
        *at++ = (uint8_t)(n >> 8);
        *at++ = (uint8_t)~n;
        *at++ = (uint8_t)(~n >> 8);
        memcpy(at, bytes + done, n);
        at += n;
        done += n;
    }
    put_32(at, adler_of(bytes, count));
    return (size_t)(at + 4 - out);
}

void png_write(const char *path, int64_t width, int64_t height, const uint8_t *pixels)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const size_t row = (size_t)width + 1, count = row * (size_t)height;
    uint8_t header[13] = {[8] = 8}; /* 8 bits, grey, deflate, filter 0, not interlaced */
    uint8_t *rows = allocate((int64_t)count, 1);
    uint8_t *stream = allocate((int64_t)(count + 5 * (count / MOST_STORED + 1) + 6), 1);
    new_file file;
    if (width < 1 || height < 1 || count > INT32_MAX / 2)
        fail("%s: a picture of %lld x %lld pixels: give 1 x 1 to about 32,000 x 32,000", path,
             (long long)width, (long long)height);
    put_32(header, (uint32_t)width);
    put_32(header + 4, (uint32_t)height);
    for (int64_t y = 0; y < height; y++) /* each row begins with its filter: none */
        memcpy(rows + (size_t)y * row + 1, pixels + y * width, (size_t)width);
    new_file_begin(&file, path);
    new_file_write(&file, signature, sizeof signature);
    write_chunk(&file, "IHDR", header, sizeof header);
    write_chunk(&file, "IDAT", stream, store(rows, count, stream));
    write_chunk(&file, "IEND", NULL, 0);
    new_file_end(&file);
    free(rows);
    free(stream);
}
