/* npy.c - see npy.h. SPDX-License-Identifier: BSD-3-Clause */
#include "npy.h"
#include "fail.h"
#include "new_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(double) == 8, "numbers of a file are copied as they are");

enum { MOST_HEADER = 4096 };
static const char magic[6] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y'};
static const char *const type_names[] = {"<f8", "<c16"};
static const char *const numpy_names[] = {"float64", "complex128"};
static const int numbers_of[] = {1, 2};

int64_t npy_count(const npy_array *array)
{
    int64_t count = 1;
    for (int d = 0; d < array->axes; d++) count *= array->shape[d];
    return count;
}

const char *npy_shape(const npy_array *array, char text[MOST_SHAPE])
{
    int length = snprintf(text, MOST_SHAPE, "(");
    for (int d = 0; d < array->axes; d++)
        length += snprintf(text + length, (size_t)(MOST_SHAPE - length), d > 0 ? ", %lld" : "%lld",
                           (long long)array->shape[d]);
    snprintf(text + length, (size_t)(MOST_SHAPE - length), array->axes == 1 ? ",)" : ")");
    return text;
}

void npy_free(npy_array *array)
{
    free(array->numbers);
    array->numbers = NULL;
}

/* ---- Reading ---- */

static void refuse_header(const char *path)
{
    fail("%s is no array of NumPy, or its header is cut off: write it with numpy.save()", path);
}

/* The header's text, without the magic bytes and its length. */
static void read_header(FILE *file, const char *path, char header[MOST_HEADER + 1])
{
    unsigned char head[12];
    if (fread(head, 1, 10, file) != 10 || memcmp(head, magic, sizeof magic) != 0)
        refuse_header(path);
    size_t length = head[8] | (size_t)head[9] << 8;
    if (head[6] > 1) { /* versions 2 and 3 have four bytes */
        if (fread(head + 10, 1, 2, file) != 2) refuse_header(path);
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    }
    if (length > MOST_HEADER || fread(header, 1, length, file) != length) refuse_header(path);
    header[length] = 0;
}

/* What stands behind 'key': in the header. */
static const char *value_of(const char *path, const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at) refuse_header(path);
    at += strlen(key);
    return at + strspn(at, "': ");
}

static void check_type(const char *path, const char *header, npy_type type)
{
    const char *descr = value_of(path, header, "'descr'");
    const size_t length = strcspn(descr, "'\",}");
    const char *wanted = type_names[type];
    if (length == strlen(wanted) && strncmp(descr, wanted, length) == 0) return;
    fail("%s holds numbers of type '%.*s'%s: write '%s', as array.astype('%s') of NumPy has it",
         path, (int)(length < 40 ? length : 40), descr,
         descr[0] == '>' ? ", whose bytes are swapped" : "", wanted, wanted);
}

static void read_shape(const char *path, const char *header, npy_array *array)
{
    const char *at = value_of(path, header, "'shape'");
    double all = 1;
    if (*at++ != '(') refuse_header(path);
    for (at += strspn(at, " "); *at != ')'; at += strspn(at, ", ")) {
        char *end;
        errno = 0;
        const long long n = strtoll(at, &end, 10);
        if (end == at || errno || n < 0) refuse_header(path);
        if (array->axes == MOST_AXES) fail("%s has more than %d axes", path, MOST_AXES);
        array->shape[array->axes++] = n;
        all *= (double)n;
        at = end;
    }
    char shape[MOST_SHAPE];
    if (all > 1e15)
        fail("%s: an array %s is too large: at most 1e15 numbers", path, npy_shape(array, shape));
}

/* The bytes behind the header; -1 if they cannot be told. */
static long long bytes_left(FILE *file)
{
    const long here = ftell(file);
    if (here < 0 || fseek(file, 0, SEEK_END) != 0) return -1;
    const long end = ftell(file);
    if (end < 0 || fseek(file, here, SEEK_SET) != 0) return -1;
    return (long long)end - here;
}

static void check_finite(const char *path, const npy_array *array, npy_type type)
{
    char shape[MOST_SHAPE];
    const int64_t n = npy_count(array) * numbers_of[type];
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(array->numbers[i]))
            fail(
                "%s, shape %s: element %lld is not finite: take it out with its sample, or mend it",
                path, npy_shape(array, shape), (long long)(i / numbers_of[type]));
}

npy_array npy_read(const char *path, npy_type type)
{
    char header[MOST_HEADER + 1], shape[MOST_SHAPE];
    npy_array array = {0};
    FILE *file = fopen(path, "rb");
    if (!file) fail("%s could not be read: %s", path, strerror(errno));
    read_header(file, path, header);
    check_type(path, header, type);
    read_shape(path, header, &array);
    if (strncmp(value_of(path, header, "'fortran_order'"), "False", 5) != 0)
        fail("%s, shape %s, is in Fortran order: write numpy.ascontiguousarray(array)", path,
             npy_shape(&array, shape));
    const int64_t n = npy_count(&array) * numbers_of[type];
    const long long bytes = bytes_left(file), wanted = (long long)n * 8;
    if (bytes != wanted)
        fail("%s, shape %s of %s, has %lld bytes of numbers in place of %lld: %s", path,
             npy_shape(&array, shape), numpy_names[type], bytes, wanted,
             bytes < wanted ? "it is cut off, copy it again" : "write it again");
    array.numbers = allocate(n, sizeof *array.numbers);
    if (fread(array.numbers, 8, (size_t)n, file) != (size_t)n)
        fail("%s could not be read: %s", path, strerror(errno));
    fclose(file);
    check_finite(path, &array, type);
    return array;
}

/* ---- Writing ---- */

void npy_write(const char *path, npy_type type, int axes, const int64_t *shape, const void *numbers)
{
    enum { HEADER = 128 }; /* magic and length included: a multiple of 64 */
    npy_array array = {.axes = axes};
    char header[HEADER + 1], text[MOST_SHAPE];
    new_file file;
    for (int d = 0; d < axes; d++) array.shape[d] = shape[d];
    memset(header, ' ', sizeof header);
    memcpy(header, magic, sizeof magic);
    header[6] = 1;
    header[7] = 0;
    header[8] = HEADER - 10;
    header[9] = 0;
    const int length =
        snprintf(header + 10, HEADER - 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                 type_names[type], npy_shape(&array, text));
    header[10 + length] = ' '; /* in place of the end of the string */
    header[HEADER - 1] = '\n';
    new_file_begin(&file, path);
    new_file_write(&file, header, HEADER);
    new_file_write(&file, numbers, (size_t)(npy_count(&array) * numbers_of[type]) * 8);
    new_file_end(&file);
}
