/* wisdom_read.c - reads a file of wisdom: the JSON that wisdom_save.c writes, and the same with
 * other spaces and another order of its fields. SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *path, *text, *at;
} reader;

/* Refuses what stands at `at`, by line and column. */
static enuf_status refuse(const reader *r, const char *expected)
{
    int line = 1, column = 1;
    for (const char *c = r->text; c < r->at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    return enuf_fail(ENUF_BAD_FILE, "%s, line %d, column %d: expected %s", r->path, line, column,
                     expected);
}

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static int take(reader *r, char c)
{
    skip_space(r);
    if (*r->at != c) return 0;
    r->at++;
    return 1;
}

/* A text without escapes: none that is written here needs any. */
static enuf_status read_text(reader *r, char *text, size_t size)
{
    skip_space(r);
    if (*r->at != '"') return refuse(r, "a text in quotes");
    const size_t length = strcspn(r->at + 1, "\"\\\n");
    if (r->at[1 + length] != '"' || length >= size) {
        if (length < size) r->at += 1 + length;
        return refuse(r, "the end of a text in quotes");
    }
    memcpy(text, r->at + 1, length);
    text[length] = 0;
    r->at += length + 2;
    return ENUF_SUCCESS;
}

static enuf_status read_number(reader *r, double least, double most, const char *what,
                               double *number)
{
    char *end;
    skip_space(r);
    if (strspn(r->at, "-0123456789") == 0) return refuse(r, what);
    *number = strtod(r->at, &end);
    if (!(*number >= least && *number <= most)) return refuse(r, what);
    r->at = end;
    return ENUF_SUCCESS;
}

static enuf_status read_integer(reader *r, double least, const char *what, int64_t *number)
{
    const reader start = *r;
    double value = 0;
    ENUF_TRY(read_number(r, least, 9e15, what, &value));
    *number = (int64_t)value;
    return (double)*number == value ? ENUF_SUCCESS : refuse(&start, what);
}

static enuf_status read_grid(reader *r, enuf_wisdom_entry *entry)
{
    if (!take(r, '[')) return refuse(r, "[ and three numbers of cells");
    for (int d = 0; d < 3; d++) {
        if (d > 0 && !take(r, ',')) return refuse(r, "a comma and a number of cells");
        ENUF_TRY(read_integer(r, 1, "a number of cells, 1 or more", &entry->method.fine_grid[d]));
    }
    return take(r, ']') ? ENUF_SUCCESS : refuse(r, "]");
}

static enuf_status read_window(reader *r, enuf_wisdom_entry *entry)
{
    char name[40];
    const reader start = *r;
    ENUF_TRY(read_text(r, name, sizeof name));
    if (enuf_window_parse(name, &entry->method.window) == ENUF_SUCCESS) return ENUF_SUCCESS;
    return refuse(&start, "the name of a window");
}

static enuf_status read_level(reader *r, enuf_wisdom_entry *entry)
{
    char name[40];
    const reader start = *r;
    ENUF_TRY(read_text(r, name, sizeof name));
    if (enuf_level_parse(name, &entry->method.level) == ENUF_SUCCESS) return ENUF_SUCCESS;
    return refuse(&start, "the name of a level: sorted, none, weights, matrix, gram");
}

static enuf_status read_strategy(reader *r, enuf_strategy *strategy)
{
    char name[40];
    const reader start = *r;
    ENUF_TRY(read_text(r, name, sizeof name));
    if (enuf_strategy_parse(name, strategy) == ENUF_SUCCESS) return ENUF_SUCCESS;
    return refuse(&start, "the name of a strategy: auto, windows, tiles, slide, points, gather");
}

static enuf_status read_effort(reader *r, enuf_wisdom_entry *entry)
{
    char name[40];
    const reader start = *r;
    ENUF_TRY(read_text(r, name, sizeof name));
    entry->effort = strcmp(name, "measure") == 0      ? ENUF_TUNE_MEASURE
                    : strcmp(name, "exhaustive") == 0 ? ENUF_TUNE_EXHAUSTIVE
                                                      : -1;
    return entry->effort < 0 ? refuse(&start, "\"measure\" or \"exhaustive\"") : ENUF_SUCCESS;
}

static enuf_status read_kind(reader *r)
{
    char name[40];
    const reader start = *r;
    ENUF_TRY(read_text(r, name, sizeof name));
    return strcmp(name, "ewald") == 0 ? ENUF_SUCCESS : refuse(&start, "\"ewald\"");
}

static enuf_status read_split(reader *r, enuf_wisdom_entry *entry)
{
    const reader start = *r;
    ENUF_TRY(read_text(r, entry->split, sizeof entry->split));
    return entry->split[0] ? ENUF_SUCCESS : refuse(&start, "the name of a splitting");
}

static const char *const FIELDS[] = {
    "machine",   "problem", "effort",    "window", "width", "shape",     "upsampling",
    "fine_grid", "error",   "seconds",   "bytes",  "level", "spreading", "interpolation",
    "kind",      "split",   "parameter", "cutoff", "band"};
enum {
    UPSAMPLING = 6,
    LEVEL = 11,
    SPREADING,
    INTERPOLATION,
    KIND,
    N_FIELDS = sizeof FIELDS / sizeof *FIELDS
};

/* Whether an entry has what its kind needs, and nothing of the other kind. The level and the ways
 * are missing in files from before they were tuned. */
static int is_whole(unsigned seen)
{
    const unsigned all = (1u << N_FIELDS) - 1, of_sums = all & ~((1u << KIND) - 1);
    const unsigned later = 1u << LEVEL | 1u << SPREADING | 1u << INTERPOLATION;
    if (seen & of_sums) return seen == (all & ~(1u << UPSAMPLING | later));
    return (seen | later) == (all & ~of_sums);
}

static enuf_status read_field(reader *r, int field, enuf_wisdom_entry *entry)
{
    enuf_nufft_method *m = &entry->method;
    int64_t width = 0;
    switch (field) {
    case 0:
        return read_text(r, entry->machine, sizeof entry->machine);
    case 1:
        return read_text(r, entry->problem, sizeof entry->problem);
    case 2:
        return read_effort(r, entry);
    case 3:
        return read_window(r, entry);
    case 4: {
        const reader start = *r;
        ENUF_TRY(read_integer(r, 2, "a width of 2 to 32", &width));
        m->width = (int)width;
        return width <= ENUF_MAX_WIDTH ? ENUF_SUCCESS : refuse(&start, "a width of 2 to 32");
    }
    case 5:
        return read_number(r, 0, ENUF_MAX_SHAPE, "a shape of 0 to 150", &m->shape);
    case 6:
        return read_number(r, 1, 1e300, "an upsampling of 1 or more", &m->upsampling);
    case 7:
        return read_grid(r, entry);
    case 8:
        return read_number(r, 0, 1e300, "an error, 0 or more", &entry->error);
    case 9:
        return read_number(r, 0, 1e300, "seconds, 0 or more", &entry->seconds);
    case 10:
        return read_integer(r, 0, "a number of bytes", &entry->bytes);
    case LEVEL:
        return read_level(r, entry);
    case SPREADING:
        return read_strategy(r, &m->spreading);
    case INTERPOLATION:
        return read_strategy(r, &m->interpolation);
    case KIND:
        return read_kind(r);
    case KIND + 1:
        return read_split(r, entry);
    case KIND + 2:
        return read_number(r, 1e-300, 1e300, "alpha or c, above 0", &entry->parameter);
    case KIND + 3:
        return read_number(r, 1e-300, 1e300, "a cutoff, above 0", &entry->cutoff);
    default:
        return read_number(r, 1e-300, 1e300, "the largest |k|, above 0", &entry->band);
    }
}

static enuf_status read_entry(reader *r, enuf_wisdom_entry *entry)
{
    unsigned seen = 0;
    const reader start = *r;
    memset(entry, 0, sizeof *entry);
    entry->method.struct_size = sizeof entry->method;
    entry->method.level = ENUF_LEVEL_SORTED; /* of files from before levels were tuned */
    if (!take(r, '{')) return refuse(r, "{ and an entry");
    for (int i = 0; i < N_FIELDS; i++) {
        char name[40];
        int field = 0;
        if (i > 0 && !take(r, ',')) break;
        skip_space(r);
        const reader before = *r;
        ENUF_TRY(read_text(r, name, sizeof name));
        while (field < N_FIELDS && strcmp(name, FIELDS[field]) != 0) field++;
        if (field == N_FIELDS || (seen & 1u << field))
            return refuse(&before, "a field of an entry, each once");
        if (!take(r, ':')) return refuse(r, "a colon");
        skip_space(r);
        ENUF_TRY(read_field(r, field, entry));
        seen |= 1u << field;
    }
    if (!take(r, '}')) return refuse(r, "} and the end of the entry");
    return is_whole(seen) ? ENUF_SUCCESS : refuse(&start, "an entry with all fields of its kind");
}

static enuf_status read_name(reader *r, const char *expected, const char *what)
{
    char name[40];
    skip_space(r);
    const reader before = *r;
    ENUF_TRY(read_text(r, name, sizeof name));
    return strcmp(name, expected) == 0 ? ENUF_SUCCESS : refuse(&before, what);
}

static enuf_status read_all(reader *r, enuf_wisdom *wisdom)
{
    enuf_wisdom_entry entry;
    if (!take(r, '{')) return refuse(r, "{ and wisdom of enuf");
    ENUF_TRY(read_name(r, "format", "\"format\""));
    if (!take(r, ':')) return refuse(r, "a colon");
    ENUF_TRY(read_name(r, ENUF_WISDOM_FORMAT, "\"" ENUF_WISDOM_FORMAT "\""));
    if (!take(r, ',')) return refuse(r, "a comma");
    ENUF_TRY(read_name(r, "entries", "\"entries\""));
    if (!take(r, ':')) return refuse(r, "a colon");
    if (!take(r, '[')) return refuse(r, "[");
    if (!take(r, ']')) {
        do {
            skip_space(r);
            ENUF_TRY(read_entry(r, &entry));
            ENUF_TRY(enuf_wisdom_add(wisdom, &entry));
        } while (take(r, ','));
        if (!take(r, ']')) return refuse(r, "] or a comma and an entry");
    }
    if (!take(r, '}')) return refuse(r, "} and the end of the file");
    skip_space(r);
    return *r->at ? refuse(r, "the end of the file") : ENUF_SUCCESS;
}

/* The bytes of a file with a 0 behind them. */
static enuf_status contents(FILE *file, const char *path, char **text)
{
    int64_t length = 0, room = 0;
    *text = NULL;
    for (;;) {
        if (length + 1 >= room) {
            char *larger;
            room = 2 * room + 65536;
            ENUF_TRY(enuf_allocate(&larger, room, 1, "a file of wisdom"));
            if (length > 0) memcpy(larger, *text, (size_t)length);
            enuf_release(text);
            *text = larger;
        }
        const size_t got = fread(*text + length, 1, (size_t)(room - length - 1), file);
        if (got == 0) break;
        length += (int64_t)got;
    }
    if (ferror(file)) return enuf_fail(ENUF_IO, "cannot read %s: %s", path, strerror(errno));
    (*text)[length] = 0;
    reader r = {path, *text, *text + strlen(*text)};
    return r.at - r.text < length ? refuse(&r, "a text without bytes of 0") : ENUF_SUCCESS;
}

enuf_status enuf_wisdom_read(enuf_wisdom *wisdom, const char *path, int may_be_missing)
{
    char *text = NULL;
    FILE *file = fopen(path, "r");
    if (!file && may_be_missing && errno == ENOENT) return ENUF_SUCCESS;
    if (!file) return enuf_fail(ENUF_IO, "cannot read %s: %s", path, strerror(errno));
    enuf_status status = contents(file, path, &text);
    reader r = {path, text, text};
    if (status == ENUF_SUCCESS) status = read_all(&r, wisdom);
    enuf_release(&text);
    fclose(file);
    return status;
}

/* Entries of other machines than this one's processor and GPU, which is asked for its name only if
 * there are some. */
static enuf_status count_foreign(const enuf_wisdom *wisdom, int64_t *foreign)
{
    char processor[ENUF_WISDOM_MACHINE], gpu[ENUF_WISDOM_MACHINE] = "";
    enuf_nufft_options defaults;
    int asked = 0;
    *foreign = 0;
    enuf_nufft_options_init(&defaults);
    ENUF_TRY(enuf_wisdom_machine(&defaults, processor));
    for (int64_t i = 0; i < wisdom->n; i++) {
        const char *machine = wisdom->entry[i].machine;
        if (strcmp(machine, processor) == 0) continue;
        defaults.backend = ENUF_BACKEND_CUDA;
        if (!asked++ && enuf_wisdom_machine(&defaults, gpu) != ENUF_SUCCESS) gpu[0] = 0;
        *foreign += strcmp(machine, gpu) != 0;
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_wisdom_load(enuf_wisdom *wisdom, const char *path, int64_t *skipped)
{
    enuf_wisdom *read;
    int64_t foreign;
    if (!wisdom || !path)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_wisdom_load: NULL wisdom or path");
    ENUF_TRY(enuf_wisdom_create(&read));
    enuf_status status = enuf_wisdom_read(read, path, 0);
    if (status == ENUF_SUCCESS) status = count_foreign(read, &foreign);
    if (status == ENUF_SUCCESS) status = enuf_wisdom_merge(wisdom, read);
    enuf_wisdom_destroy(&read);
    if (status == ENUF_SUCCESS && skipped) *skipped = foreign;
    return status;
}
