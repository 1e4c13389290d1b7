/*
 * test_tuning_wisdom.c - wisdom of methods:
 *
 * - what was tuned, saved and loaded is taken without a timing and gives the same bits;
 * - damage at any place of the file is refused with line and column, and nothing is loaded; the
 *   file is not overwritten;
 * - merging keeps the entry of more effort, then the faster one;
 * - two processes that save into one file at once lose nothing;
 * - entries of another version are counted, do not serve, and survive a save;
 * - the level is kept; an entry without one is of `sorted`, and does not serve another fixed level;
 *   a level that is none is refused with line and column;
 * - points in another order are another problem; points that have moved a little are not.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include "conformance.h"
#include "enuf/nufft_tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/enuf_tuning_XXXXXX";
static char path[80];

typedef struct counter {
    int calls;
    double seconds;
} counter;

/* Wide grids are fast here: the method is another than the estimate's. */
static enuf_status count(void *context, const enuf_nufft_options *o, double *seconds,
                         int64_t *bytes)
{
    counter *c = context;
    c->calls++;
    *seconds = c->seconds / (double)o->fine_grid[0];
    *bytes = 1000;
    return ENUF_SUCCESS;
}

static enuf_nufft_options problem(int64_t modes)
{
    enuf_nufft_options o = conformance_options(1, modes, 0, 0);
    o.threads = 1;
    return o;
}

/* Tunes with wisdom; the number of timings. */
static int tune(enuf_nufft_options *o, enuf_tune_effort effort, double seconds, enuf_wisdom *wisdom)
{
    counter c = {0, seconds};
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = effort;
    r.trials = 1;
    r.timer = count;
    r.timer_context = &c;
    r.wisdom = wisdom;
    CHECK_STATUS(enuf_nufft_tune(o, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_SUCCESS);
    return c.calls;
}

static enuf_wisdom *new_wisdom(void)
{
    enuf_wisdom *wisdom = NULL;
    CHECK_STATUS(enuf_wisdom_create(&wisdom), ENUF_SUCCESS);
    return wisdom;
}

static char *contents(long *size)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 100000);
    *size = 0;
    if (!CHECK(file && text)) return text;
    *size = (long)fread(text, 1, 99999, file);
    fclose(file);
    return text;
}

static void put(const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    fwrite(text, 1, size, file);
    fclose(file);
}

static void same_bits(void)
{
    enuf_wisdom *wisdom = new_wisdom(), *loaded = new_wisdom();
    enuf_nufft_options o = problem(100), tuned = o, again = o;
    int64_t skipped = -1;
    CHECK(tune(&tuned, ENUF_TUNE_EXHAUSTIVE, 1, wisdom) > 5);
    CHECK(enuf_wisdom_count(wisdom) == 1);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_load(loaded, path, &skipped), ENUF_SUCCESS);
    CHECK(skipped == 0 && enuf_wisdom_count(loaded) == 1);
    CHECK(tune(&again, ENUF_TUNE_WISDOM_ONLY, 1, loaded) == 0);
    CHECK(memcmp(&tuned, &again, sizeof again) == 0);
    again = o;
    CHECK(tune(&again, ENUF_TUNE_MEASURE, 1, loaded) == 0); /* less effort: taken */
    transform t = transform_make(&o, 400, 3);
    enuf_nufft *first = transform_plan(&t, &tuned), *second = transform_plan(&t, &again);
    double a[200], b[200];
    CHECK_STATUS(enuf_nufft_type1(first, t.strengths, a), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(second, t.strengths, b), ENUF_SUCCESS);
    CHECK(memcmp(a, b, sizeof a) == 0);
    enuf_nufft_destroy(&first);
    enuf_nufft_destroy(&second);
    transform_free(&t);
    again = problem(101); /* another problem */
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = ENUF_TUNE_WISDOM_ONLY;
    r.wisdom = loaded;
    CHECK_STATUS(enuf_nufft_tune(&again, &r, 0, NULL, NULL, NULL, 1, NULL), ENUF_UNSUPPORTED);
    CHECK_TEXT("modes 101x1x1");
    enuf_wisdom_destroy(&wisdom);
    enuf_wisdom_destroy(&loaded);
}

/* Each byte but spaces and those inside of texts and numbers: removed, or the file ends there. */
static void damage(void)
{
    long size, refused = 0, tried = 0;
    char *text = contents(&size), expected[200];
    for (long i = 0; i < size; i++) {
        enuf_wisdom *wisdom = new_wisdom();
        if (!strchr("{}[]:,\"", text[i])) {
            enuf_wisdom_destroy(&wisdom);
            continue;
        }
        const int in_text = text[i] != '"' && i > 0 && text[i - 1] != '"' && text[i - 1] != ']' &&
                            text[i + 1] != '\n' && text[i] != '[' && text[i] != ']' &&
                            text[i] != '{' && text[i] != '}';
        put(text, (size_t)i);
        tried++;
        refused += enuf_wisdom_load(wisdom, path, NULL) == ENUF_BAD_FILE &&
                   strstr(enuf_last_error(), "line ") && strstr(enuf_last_error(), "column ");
        if (!in_text) {
            char *copy = malloc((size_t)size);
            memcpy(copy, text, (size_t)size);
            copy[i] = '!';
            put(copy, (size_t)size);
            tried++;
            refused += enuf_wisdom_load(wisdom, path, NULL) == ENUF_BAD_FILE;
            free(copy);
        }
        CHECK(enuf_wisdom_count(wisdom) == 0);
        enuf_wisdom_destroy(&wisdom);
    }
    printf("%ld damaged files, %ld refused\n", tried, refused);
    CHECK(tried > 80 && refused == tried);
    /* the place */
    char *width = strstr(text, "\"width\": ");
    if (CHECK(width != NULL)) {
        enuf_wisdom *wisdom = new_wisdom();
        width[9] = 'x';
        put(text, (size_t)size);
        snprintf(expected, sizeof expected, "%s, line 9, column 16: expected a width", path);
        CHECK_STATUS(enuf_wisdom_load(wisdom, path, NULL), ENUF_BAD_FILE);
        CHECK_TEXT(expected);
        CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_BAD_FILE);
        long now;
        char *left = contents(&now);
        CHECK(now == size && memcmp(left, text, (size_t)size) == 0);
        free(left);
        enuf_wisdom_destroy(&wisdom);
    }
    free(text);
    remove(path);
}

static void merging(void)
{
    enuf_wisdom *a = new_wisdom(), *b = new_wisdom();
    enuf_nufft_options o = problem(50), p = problem(50), q = problem(70);
    tune(&o, ENUF_TUNE_MEASURE, 1, a);
    tune(&p, ENUF_TUNE_EXHAUSTIVE, 2, b);
    tune(&q, ENUF_TUNE_MEASURE, 1, b);
    CHECK(o.fine_grid[0] != p.fine_grid[0]); /* exhaustive finds the widest grid */
    CHECK_STATUS(enuf_wisdom_merge(a, b), ENUF_SUCCESS);
    CHECK(enuf_wisdom_count(a) == 2);
    enuf_nufft_options found = problem(50);
    CHECK(tune(&found, ENUF_TUNE_WISDOM_ONLY, 1, a) == 0);
    CHECK(found.fine_grid[0] == p.fine_grid[0]);
    CHECK_STATUS(enuf_wisdom_merge(b, a), ENUF_SUCCESS);
    CHECK(enuf_wisdom_count(b) == 2);
    enuf_wisdom_destroy(&a);
    enuf_wisdom_destroy(&b);
}

enum { SAVES = 20 };

static void write_many(int64_t first)
{
    for (int64_t i = 0; i < SAVES; i++) {
        enuf_wisdom *wisdom = new_wisdom();
        enuf_nufft_options o = problem(first + i);
        tune(&o, ENUF_TUNE_MEASURE, 1, wisdom);
        CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
        enuf_wisdom_destroy(&wisdom);
    }
}

static void two_writers(void)
{
    remove(path);
    fflush(stdout);
    pid_t child[2];
    for (int k = 0; k < 2; k++) {
        child[k] = fork();
        if (child[k] == 0) {
            write_many(100 * (k + 1));
            _exit(check_result() == CHECK_PASSED ? 0 : 1);
        }
    }
    for (int k = 0; k < 2; k++) {
        int status = 1;
        CHECK(waitpid(child[k], &status, 0) == child[k] && status == 0);
    }
    enuf_wisdom *wisdom = new_wisdom();
    CHECK_STATUS(enuf_wisdom_load(wisdom, path, NULL), ENUF_SUCCESS);
    CHECK(enuf_wisdom_count(wisdom) == 2 * SAVES);
    printf("%lld entries of two writers\n", (long long)enuf_wisdom_count(wisdom));
    enuf_wisdom_destroy(&wisdom);
}

static void other_versions(void)
{
    remove(path);
    enuf_wisdom *wisdom = new_wisdom(), *loaded = new_wisdom();
    enuf_nufft_options o = problem(60), other = problem(80);
    long size;
    int64_t skipped = -1;
    tune(&o, ENUF_TUNE_MEASURE, 1, wisdom);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    char *text = contents(&size), *version = strstr(text, ", enuf ");
    if (CHECK(version != NULL)) version[7] = '9';
    put(text, (size_t)size);
    CHECK_STATUS(enuf_wisdom_load(loaded, path, &skipped), ENUF_SUCCESS);
    CHECK(skipped == 1);
    o = problem(60);
    CHECK(tune(&o, ENUF_TUNE_MEASURE, 1, loaded) > 0); /* it does not serve */
    tune(&other, ENUF_TUNE_MEASURE, 1, loaded);
    CHECK_STATUS(enuf_wisdom_save(loaded, path), ENUF_SUCCESS);
    free(text);
    text = contents(&size);
    CHECK(strstr(text, ", enuf 9") != NULL);
    enuf_wisdom *again = new_wisdom();
    CHECK_STATUS(enuf_wisdom_load(again, path, &skipped), ENUF_SUCCESS);
    CHECK(skipped == 1 && enuf_wisdom_count(again) == 3);
    CHECK_STATUS(enuf_wisdom_load(again, "/nonexistent/wisdom", NULL), ENUF_IO);
    CHECK_STATUS(enuf_wisdom_save(again, "/nonexistent/wisdom"), ENUF_IO);
    free(text);
    enuf_wisdom_destroy(&again);
    enuf_wisdom_destroy(&wisdom);
    enuf_wisdom_destroy(&loaded);
}

/* Matrices are the fastest here. */
static enuf_status by_level(void *context, const enuf_nufft_options *o, double *seconds,
                            int64_t *bytes)
{
    (void)context;
    *seconds = o->level == ENUF_LEVEL_MATRIX ? 1 : 2;
    *bytes = 1000;
    return ENUF_SUCCESS;
}

static enuf_status tune_levels(enuf_nufft_options *o, enuf_tune_effort effort, int any,
                               enuf_wisdom *wisdom)
{
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = effort;
    r.timer = by_level;
    r.any_level = any;
    r.wisdom = wisdom;
    return enuf_nufft_tune(o, &r, 0, NULL, NULL, NULL, 1, NULL);
}

/* Loads the file with the field of the level replaced by `text`. */
static enuf_status load_with(const char *text, enuf_wisdom *wisdom)
{
    long size;
    char *old = contents(&size), *fresh = calloc(1, (size_t)size + 100);
    char *field = strstr(old, "      \"level\": \"matrix\",\n");
    enuf_status status = ENUF_INTERNAL;
    if (CHECK(fresh && field)) {
        const size_t before = (size_t)(field - old);
        memcpy(fresh, old, before);
        strcpy(fresh + before, text);
        strcat(fresh, strchr(field, '\n') + 1);
        put(fresh, strlen(fresh));
        status = enuf_wisdom_load(wisdom, path, NULL);
        put(old, (size_t)size);
    }
    free(old);
    free(fresh);
    return status;
}

static void levels(void)
{
    enuf_wisdom *wisdom = new_wisdom(), *loaded = new_wisdom(), *older = new_wisdom();
    enuf_nufft_options tuned = problem(90), again = tuned, fixed = tuned;
    char expected[200];
    double a[180], b[180];
    remove(path);
    CHECK_STATUS(tune_levels(&tuned, ENUF_TUNE_EXHAUSTIVE, 1, wisdom), ENUF_SUCCESS);
    CHECK(tuned.level == ENUF_LEVEL_MATRIX);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_load(loaded, path, NULL), ENUF_SUCCESS);
    CHECK_STATUS(tune_levels(&again, ENUF_TUNE_WISDOM_ONLY, 1, loaded), ENUF_SUCCESS);
    CHECK(memcmp(&tuned, &again, sizeof again) == 0);
    transform t = transform_make(&tuned, 400, 3);
    enuf_nufft *first = transform_plan(&t, &tuned), *second = transform_plan(&t, &again);
    CHECK_STATUS(enuf_nufft_type1(first, t.strengths, a), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_type1(second, t.strengths, b), ENUF_SUCCESS);
    CHECK(memcmp(a, b, sizeof a) == 0);
    enuf_nufft_destroy(&first);
    enuf_nufft_destroy(&second);
    transform_free(&t);
    /* any level is another problem than a fixed one */
    CHECK_STATUS(tune_levels(&fixed, ENUF_TUNE_WISDOM_ONLY, 0, loaded), ENUF_UNSUPPORTED);
    snprintf(expected, sizeof expected, "%s, line 13, column 16: expected the name of a level",
             path);
    CHECK_STATUS(load_with("      \"level\": \"all\",\n", older), ENUF_BAD_FILE);
    CHECK_TEXT(expected);
    CHECK_STATUS(load_with("      \"level\": 3,\n", older), ENUF_BAD_FILE);
    CHECK_TEXT("line 13, column 16: expected a text in quotes");
    /* the ways of a GPU may be missing with it */
    CHECK_STATUS(load_with("      \"level\": \"matrix\",\n      \"spreading\": \"auto\",\n", older),
                 ENUF_BAD_FILE);
    CHECK_TEXT("line 15, column 7: expected a field of an entry, each once");
    CHECK_STATUS(load_with("", older), ENUF_SUCCESS);
    again = problem(90);
    CHECK_STATUS(tune_levels(&again, ENUF_TUNE_WISDOM_ONLY, 1, older), ENUF_SUCCESS);
    CHECK(again.level == ENUF_LEVEL_SORTED);
    enuf_wisdom_destroy(&older);
    /* of a fixed level, from a file without the field */
    older = new_wisdom();
    enuf_wisdom_destroy(&wisdom);
    wisdom = new_wisdom();
    fixed.level = ENUF_LEVEL_MATRIX;
    again = fixed;
    remove(path);
    CHECK_STATUS(tune_levels(&fixed, ENUF_TUNE_EXHAUSTIVE, 0, wisdom), ENUF_SUCCESS);
    CHECK_STATUS(enuf_wisdom_save(wisdom, path), ENUF_SUCCESS);
    CHECK_STATUS(load_with("", older), ENUF_SUCCESS);
    CHECK_STATUS(tune_levels(&again, ENUF_TUNE_WISDOM_ONLY, 0, older), ENUF_UNSUPPORTED);
    CHECK(again.level == ENUF_LEVEL_MATRIX && again.width == 0);
    CHECK_STATUS(tune_levels(&again, ENUF_TUNE_WISDOM_ONLY, 0, wisdom), ENUF_SUCCESS);
    CHECK(again.level == ENUF_LEVEL_MATRIX && again.width == fixed.width);
    enuf_wisdom_destroy(&wisdom);
    enuf_wisdom_destroy(&loaded);
    enuf_wisdom_destroy(&older);
}

static enuf_status tune_points(enuf_tune_effort effort, int64_t n, const double *x,
                               enuf_wisdom *wisdom)
{
    enuf_nufft_options o = problem(90);
    counter c = {0, 1};
    enuf_tuning_request r;
    enuf_tuning_request_init(&r);
    r.effort = effort;
    r.trials = 1;
    r.timer = count;
    r.timer_context = &c;
    r.wisdom = wisdom;
    return enuf_nufft_tune(&o, &r, n, x, NULL, NULL, 1, NULL);
}

static void orders(void)
{
    enum { N = 1000 };
    enuf_wisdom *wisdom = new_wisdom();
    double in_order[N], scattered[N], moved[N];
    for (int j = 0; j < N; j++) {
        in_order[j] = (j + 0.5) / N - 0.5;
        moved[j] = in_order[j] + 0.3 / N * (j % 2);
        scattered[j] = (387 * j % N + 0.5) / N - 0.5;
    }
    CHECK_STATUS(tune_points(ENUF_TUNE_EXHAUSTIVE, N, in_order, wisdom), ENUF_SUCCESS);
    CHECK_STATUS(tune_points(ENUF_TUNE_WISDOM_ONLY, N, moved, wisdom), ENUF_SUCCESS);
    CHECK_STATUS(tune_points(ENUF_TUNE_WISDOM_ONLY, N, scattered, wisdom), ENUF_UNSUPPORTED);
    CHECK_STATUS(tune_points(ENUF_TUNE_EXHAUSTIVE, N, scattered, wisdom), ENUF_SUCCESS);
    /* these are as random ones, which are drawn where none are given */
    CHECK_STATUS(tune_points(ENUF_TUNE_WISDOM_ONLY, N, NULL, wisdom), ENUF_SUCCESS);
    CHECK(enuf_wisdom_count(wisdom) == 2);
    enuf_wisdom_destroy(&wisdom);
}

int main(void)
{
    if (!CHECK(mkdtemp(folder) != NULL)) return check_result();
    snprintf(path, sizeof path, "%s/wisdom.json", folder);
    same_bits();
    damage();
    merging();
    two_writers();
    other_versions();
    levels();
    orders();
    remove(path);
    rmdir(folder);
    return check_result();
}
