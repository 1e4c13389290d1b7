/*
 * check.h - checks of test programs. Every figure is printed beside its bound.
 *
 *     int main(void)
 *     {
 *         CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
 *         CHECK_BELOW(error, 1e-12, "relative l2 error of type 1");
 *         return check_result();
 *     }
 *
 * A check that fails is counted and the program goes on. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CHECK_H
#define ENUF_CHECK_H

#include "enuf/status.h"

enum { CHECK_PASSED = 0, CHECK_FAILED = 1, CHECK_SKIPPED = 77 };

/** The condition holds. Prints only if it does not. */
#define CHECK(condition) check_true((condition) != 0, #condition, __FILE__, __LINE__)

/** |value - expected| <= relative_tolerance |expected|; if 0 is expected, use CHECK_BELOW. */
#define CHECK_CLOSE(value, expected, relative_tolerance, name)                                     \
    check_close((value), (expected), (relative_tolerance), (name), __FILE__, __LINE__)

/** |value| <= bound, for errors and residuals. */
#define CHECK_BELOW(value, bound, name) check_below((value), (bound), (name), __FILE__, __LINE__)

/** The call returns this status; the text of an expected error is printed. */
#define CHECK_STATUS(call, status) check_status((call), (status), #call, __FILE__, __LINE__)

/** enuf_last_error() contains the text. */
#define CHECK_TEXT(text) check_text((text), __FILE__, __LINE__)

/** Each returns 1 if the check passed, else 0. NaN never passes. */
int check_true(int holds, const char *condition, const char *file, int line);
int check_close(double value, double expected, double relative_tolerance, const char *name,
                const char *file, int line);
int check_below(double value, double bound, const char *name, const char *file, int line);
int check_status(enuf_status status, enuf_status expected, const char *call, const char *file,
                 int line);
int check_text(const char *text, const char *file, int line);

/** Prints the number of checks. CHECK_FAILED if one failed or none was made; main returns it. */
int check_result(void);

/** Prints why the test cannot run here. CHECK_SKIPPED, which main returns. */
int check_skip(const char *reason);

#endif
