/*
 * program.h - runs the program enuf with words and returns its exit status, stdout and stderr.
 *
 * Every test works in an empty directory of its own, which is removed at the end.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TESTS_PROGRAM_H
#define ENUF_TESTS_PROGRAM_H

#include "check.h"

#include <cjson/cJSON.h>

typedef struct program_run {
    int status;
    char *out, *err;
} program_run;

/** Makes and enters the directory; leaves and removes it. */
void program_enter_directory(void);
void program_leave_directory(void);

/** Files in the directory. */
int program_files(void);

/** Writes a file in the directory. */
void program_write_file(const char *name, const char *text);

/** The whole of a file, "" if it is not there; to be freed. */
char *program_read_file(const char *name);

/** Runs enuf with words (NULL ends them) and `input` as standard input (NULL: nothing). */
void program_start(program_run *run, const char *input, const char *const words[]);
void program_free(program_run *run);

int program_lines(const char *text);

/** RUN(&run, "info", "--json"): every run is to be freed. */
#define RUN(run, ...) program_start((run), NULL, (const char *const[]){__VA_ARGS__, NULL})

/**
 * The words are refused: exit status 2, nothing on stdout, no file written, one line on stderr that
 * begins with "enuf" and contains `text`.
 */
#define REFUSED(text, ...)                                                                         \
    program_check_refused((text), NULL, (const char *const[]){__VA_ARGS__, NULL}, __FILE__,        \
                          __LINE__)
void program_check_refused(const char *text, const char *input, const char *const words[],
                           const char *file, int line);

/** Runs with success, stderr empty or not, and parses stdout; delete with cJSON_Delete(). */
#define JSON(...)                                                                                  \
    program_json((const char *const[]){__VA_ARGS__, "--json", NULL}, __FILE__, __LINE__)
cJSON *program_json(const char *const words[], const char *file, int line);

/** The item of a path such as "parts.real"; NULL if it is not there. */
const cJSON *json_at(const cJSON *object, const char *path);

/** Its number, NaN if it is none. */
double json_number(const cJSON *object, const char *path);

/** Its text, "" if it is none. */
const char *json_text(const cJSON *object, const char *path);

/* Rock salt, a = 5.64 Angstrom: the cell of 8 ions, energy -4 M C / 2.82. */
extern const char nacl_xyz[];

#endif
