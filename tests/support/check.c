/* check.c - see check.h. SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int checks, failures;

static int count(int passed, const char *file, int line)
{
    checks++;
    if (!passed) {
        failures++;
        printf("    FAILED at %s:%d\n", file, line);
        fflush(stdout); /* the program may crash after this check */
    }
    return passed;
}

int check_true(int holds, const char *condition, const char *file, int line)
{
    if (!holds) printf("does not hold: %s\n", condition);
    return count(holds, file, line);
}

int check_close(double value, double expected, double relative_tolerance, const char *name,
                const char *file, int line)
{
    double error = fabs(value - expected) / fabs(expected);
    if (value == expected) error = 0; /* also for two infinities or two zeros */
    printf("%s: %.17g, expected %.17g: relative error %.2e, bound %.2e\n", name, value, expected,
           error, relative_tolerance);
    return count(error <= relative_tolerance, file, line);
}

int check_below(double value, double bound, const char *name, const char *file, int line)
{
    printf("%s: %.3e, bound %.3e\n", name, value, bound);
    return count(fabs(value) <= bound, file, line);
}

int check_status(enuf_status status, enuf_status expected, const char *call, const char *file,
                 int line)
{
    int passed = status == expected;
    if (!passed)
        printf("%s\n    gives \"%s\" (%s), expected \"%s\"\n", call, enuf_status_text(status),
               status == ENUF_SUCCESS ? "" : enuf_last_error(), enuf_status_text(expected));
    else if (status != ENUF_SUCCESS)
        printf("error as expected: %s\n", enuf_last_error());
    return count(passed, file, line);
}

int check_text(const char *text, const char *file, int line)
{
    int passed = strstr(enuf_last_error(), text) != NULL;
    if (!passed) printf("\"%s\" is not in \"%s\"\n", text, enuf_last_error());
    return count(passed, file, line);
}

int check_result(void)
{
    printf("%d checks, %d failed\n", checks, failures);
    if (checks == 0) printf("nothing was checked: that is a failure\n");
    return checks > 0 && failures == 0 ? CHECK_PASSED : CHECK_FAILED;
}

int check_skip(const char *reason)
{
    printf("skipped: %s\n", reason);
    return CHECK_SKIPPED;
}
