/*
 * test_shared_library.c - a library of two names, as cuFFT has with CUDA 12 and 13, is found by
 * either. Texts name both where none is there, and the function that a library lacks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "shared_library.h"

#include <string.h>

static int (*seven)(void), (*eight)(void);

static int load(const char *first, const char *second, int n, const char **reason)
{
    enuf_shared_library library = {.name = "Seven",
                                   .files = {first, second},
                                   .packages = "no package",
                                   .lock = PTHREAD_MUTEX_INITIALIZER};
    static char text[sizeof library.text];
    const enuf_shared_function functions[] = {{"enuf_false_seven", &seven},
                                              {"enuf_false_eight", &eight}};
    const int loaded = enuf_shared_library_load(&library, functions, n, reason);
    memcpy(text, library.text, sizeof text);
    *reason = text;
    return loaded;
}

int main(void)
{
    static const char present[] = "libenuf_false_library.so", absent[] = "libenuf_absent.so.12";
    const char *reason;
    CHECK(load(present, absent, 1, &reason) && seven() == 7);
    seven = NULL;
    CHECK(load(absent, present, 1, &reason) && seven && seven() == 7);
    CHECK(load(present, NULL, 1, &reason));
    CHECK(!load(absent, "libenuf_absent.so.11", 1, &reason));
    CHECK(strstr(reason, "Seven is missing: libenuf_absent.so.12 or libenuf_absent.so.11"));
    CHECK(!load(present, NULL, 2, &reason));
    CHECK(strstr(reason, "Seven lacks the function enuf_false_eight"));
    return check_result();
}
