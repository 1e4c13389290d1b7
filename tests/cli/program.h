/*
 * program.h - runs the program enuf with arguments and returns its exit status, stdout and stderr.
 *
 * Every test works in an empty directory of its own and removes it at the end.
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

/** Makes the directory and enters it; leaves and removes it with its files. */
void program_enter_directory(void);
void program_leave_directory(void);

/** Number of files in the directory. */
int program_files(void);

/** Writes a file in the directory. */
void program_write_file(const char *name, const char *text);

/** The text of a file, "" if there is none; the caller frees it. */
char *program_read_file(const char *name);

/** Runs enuf with the arguments words (NULL ends them) and `input` as standard input (NULL: empty).
 */
void program_start(program_run *run, const char *input, const char *const words[]);
void program_free(program_run *run);

int program_lines(const char *text);

/** RUN(&run, "info", "--json"). Free every run with program_free(). */
#define RUN(run, ...) program_start((run), NULL, (const char *const[]){__VA_ARGS__, NULL})

/**
 * Checks that enuf refuses the arguments: exit status 2, nothing on stdout, no file written, one
 * line on stderr that begins with "enuf" and contains `text`.
 */
#define REFUSED(text, ...)                                                                         \
    program_check_refused((text), NULL, (const char *const[]){__VA_ARGS__, NULL}, __FILE__,        \
                          __LINE__)
void program_check_refused(const char *text, const char *input, const char *const words[],
                           const char *file, int line);

/** Runs enuf with --json, checks that it succeeds, and parses stdout; stderr may have lines. Delete
 * the result with cJSON_Delete(). */
#define JSON(...)                                                                                  \
    program_json((const char *const[]){__VA_ARGS__, "--json", NULL}, __FILE__, __LINE__)
cJSON *program_json(const char *const words[], const char *file, int line);

/** The item at a path such as "parts.real"; NULL if there is none. */
const cJSON *json_at(const cJSON *object, const char *path);

/** The number at a path; NaN if there is none. */
double json_number(const cJSON *object, const char *path);

/** The text at a path; "" if there is none. */
const char *json_text(const cJSON *object, const char *path);

/* Rock salt: one cell of 8 ions, a = 5.64 Angstrom. Its energy is -4 M C / 2.82, with the Madelung
 * constant M and the Coulomb constant C. */
extern const char nacl_xyz[];

#endif
