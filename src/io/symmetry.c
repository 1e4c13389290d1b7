/* symmetry.c - see symmetry.h. SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative change of scalar products of cell vectors that rounded cell constants may bring. */
static const double METRIC_TOLERANCE = 1e-3;

/* How far a decimal translation ("0.333") may be off its 24th. */
static const double TRANSLATION_TOLERANCE = 6e-4;

static int fold(int translation)
{
    const int rest = translation % ENUF_TRANSLATION_UNIT;
    return rest < 0 ? rest + ENUF_TRANSLATION_UNIT : rest;
}

/* Digits, '.' and '/': "1/2", ".5", "0.3333"; *at steps behind them. 24ths. */
static int parse_translation(const char **at, const char *end, int *translation)
{
    double value[2] = {0.0, 0.0}, place = 0.0;
    int part = 0, digits[2] = {0, 0};
    for (; *at < end && strchr("0123456789./", **at); ++*at) {
        if (**at == '/') {
            if (part++ == 1) return 0;
            place = 0.0;
        } else if (**at == '.') {
            if (place != 0.0) return 0;
            place = 1.0;
        } else {
            if (++digits[part] > 12) return 0;
            if (place == 0.0) value[part] *= 10.0;
            if (place != 0.0) place *= 0.1;
            value[part] += (**at - '0') * (place == 0.0 ? 1.0 : place);
        }
    }
    if (digits[0] == 0 || (part == 1 && !(value[1] > 0.0))) return 0;
    const double units = ENUF_TRANSLATION_UNIT * value[0] / (part == 1 ? value[1] : 1.0);
    if (!(units <= 1000.0) ||
        fabs(units - rint(units)) > TRANSLATION_TOLERANCE * ENUF_TRANSLATION_UNIT)
        return 0;
    *translation = (int)rint(units);
    return 1;
}

/* One of the three parts, e.g. "x-y+1/3": signed letters, each once, and signed translations. */
static int parse_part(const char *at, const char *end, int rotation[3], int *translation)
{
    int terms = 0;
    *translation = 0;
    memset(rotation, 0, 3 * sizeof *rotation);
    while (at < end) {
        int sign = 1, shift;
        if (*at == '+' || *at == '-')
            sign = *at++ == '-' ? -1 : 1;
        else if (terms > 0)
            return 0;
        if (at == end || ++terms > 6) return 0;
        const char *letter = strchr("xyzXYZ", *at);
        if (letter) {
            int *entry = &rotation[(letter - "xyzXYZ") % 3];
            if (*entry != 0) return 0;
            *entry = sign;
            ++at;
        } else if (parse_translation(&at, end, &shift)) {
            *translation += sign * shift;
        } else {
            return 0;
        }
    }
    *translation = fold(*translation);
    return terms > 0;
}

static int determinant(const int r[3][3])
{
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
           r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

int enuf_symmetry_parse(enuf_word word, enuf_symmetry_operation *operation)
{
    char text[80];
    size_t length = 0;
    for (size_t i = 0; i < word.length; ++i) {
        if (word.begin[i] == ' ' || word.begin[i] == '\t') continue;
        if (length + 1 == sizeof text) return 0;
        text[length++] = word.begin[i];
    }
    text[length] = 0;
    const char *at = text;
    for (int row = 0; row < 3; ++row) {
        const char *end = row < 2 ? strchr(at, ',') : text + length;
        if (!end || !parse_part(at, end, operation->rotation[row], &operation->translation[row]))
            return 0;
        at = end + 1;
    }
    return abs(determinant((const int(*)[3])operation->rotation)) == 1;
}

void enuf_symmetry_apply(const enuf_symmetry_operation *operation, const double x[3],
                         double image[3])
{
    for (int i = 0; i < 3; ++i) {
        image[i] = (double)operation->translation[i] / ENUF_TRANSLATION_UNIT;
        for (int j = 0; j < 3; ++j) image[i] += operation->rotation[i][j] * x[j];
    }
}

/* A number for each operation; -1 where an entry of the rotation is none of -1, 0, 1. */
static int64_t key_of(const enuf_symmetry_operation *operation)
{
    int64_t key = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (abs(operation->rotation[i][j]) > 1) return -1;
            key = 3 * key + operation->rotation[i][j] + 1;
        }
        key = ENUF_TRANSLATION_UNIT * key + operation->translation[i];
    }
    return key;
}

static enuf_symmetry_operation product(const enuf_symmetry_operation *a,
                                       const enuf_symmetry_operation *b)
{
    enuf_symmetry_operation c = {0};
    for (int i = 0; i < 3; ++i) {
        c.translation[i] = a->translation[i];
        for (int k = 0; k < 3; ++k) {
            c.translation[i] += a->rotation[i][k] * b->translation[k];
            for (int j = 0; j < 3; ++j) c.rotation[i][j] += a->rotation[i][k] * b->rotation[k][j];
        }
        c.translation[i] = fold(c.translation[i]);
    }
    return c;
}

static int compare_keys(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

int enuf_symmetry_repeated(int n, const enuf_symmetry_operation *operations)
{
    for (int j = 1; j < n; ++j)
        for (int i = 0; i < j; ++i)
            if (memcmp(&operations[i], &operations[j], sizeof *operations) == 0) return j;
    return -1;
}

int enuf_symmetry_is_group(int n, const enuf_symmetry_operation *operations)
{
    int64_t keys[ENUF_MOST_OPERATIONS];
    for (int i = 0; i < n; ++i) keys[i] = key_of(&operations[i]);
    qsort(keys, (size_t)n, sizeof *keys, compare_keys);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const enuf_symmetry_operation c = product(&operations[i], &operations[j]);
            const int64_t key = key_of(&c);
            if (key < 0 || !bsearch(&key, keys, (size_t)n, sizeof *keys, compare_keys)) return 0;
        }
    }
    return 1;
}

static double dot(const double u[3], const double v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

int enuf_symmetry_fits_cell(const enuf_symmetry_operation *operation, const double cell[9])
{
    double rotated[3][3] = {{0}}; /* images of a, b, c: columns of the rotation */
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                rotated[j][k] += operation->rotation[i][j] * cell[3 * i + k];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double *a = &cell[3 * i], *b = &cell[3 * j];
            const double scale = sqrt(dot(a, a) * dot(b, b));
            if (!(fabs(dot(rotated[i], rotated[j]) - dot(a, b)) <= METRIC_TOLERANCE * scale))
                return 0;
        }
    }
    return 1;
}
