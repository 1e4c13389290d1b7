/*
 * test_check.c - each macro of check.h passes and fails when it should, and check_result() counts
 * it. NaN fails every check of numbers. The lines "FAILED" in the output are expected.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"

#include <math.h>
#include <stdio.h>

static int wrong;

static void expect(const char *what, int result, int expected)
{
    if (result != expected) {
        printf("%s gives %d instead of %d\n", what, result, expected);
        wrong = 1;
    }
}

int main(void)
{
    double not_a_number = nan("");
    expect("no check at all", check_result(), CHECK_FAILED);
    expect("CHECK(1)", CHECK(1), 1);
    expect("CHECK_CLOSE", CHECK_CLOSE(1 + 1e-10, 1, 1e-9, "close"), 1);
    expect("CHECK_BELOW", CHECK_BELOW(-0.5, 1, "negative"), 1);
    expect("CHECK_STATUS", CHECK_STATUS(ENUF_IO, ENUF_IO), 1);
    expect("CHECK_TEXT", CHECK_TEXT(""), 1);
    expect("passed checks", check_result(), CHECK_PASSED);

    expect("CHECK(0)", CHECK(0), 0);
    expect("CHECK_CLOSE far", CHECK_CLOSE(1 + 1e-8, 1, 1e-9, "far"), 0);
    expect("CHECK_CLOSE of NaN", CHECK_CLOSE(not_a_number, 1, 1e-9, "NaN"), 0);
    expect("CHECK_CLOSE to 0", CHECK_CLOSE(1e-300, 0, 1e-9, "relative to 0"), 0);
    expect("CHECK_BELOW above", CHECK_BELOW(-2, 1, "beyond in magnitude"), 0);
    expect("CHECK_BELOW of NaN", CHECK_BELOW(not_a_number, 1, "NaN"), 0);
    expect("CHECK_STATUS other", CHECK_STATUS(ENUF_IO, ENUF_SUCCESS), 0);
    expect("CHECK_TEXT other", CHECK_TEXT("never said"), 0);
    expect("failed checks", check_result(), CHECK_FAILED);
    expect("skipping", check_skip("only to see that it says so"), CHECK_SKIPPED);
    return wrong;
}
