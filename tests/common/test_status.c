/*
 * test_status.c - each status has a text and a fixed value. A failure carries its text up to the
 * caller, with the name of the public function in front; each thread has a text of its own; a long
 * text is cut.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "error.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void every_status_has_its_own_text(void)
{
    static const enuf_status all[] = {
#define ENUF_X(name, value, text) ENUF_##name,
        ENUF_STATUSES(ENUF_X)
#undef ENUF_X
    };
    int count = (int)(sizeof all / sizeof all[0]);
    CHECK(ENUF_SUCCESS == 0);
    for (int i = 0; i < count; i++) {
        CHECK(strlen(enuf_status_text(all[i])) > 0);
        CHECK((int)all[i] == i); /* part of the binary interface: values never move */
        for (int j = 0; j < i; j++)
            CHECK(strcmp(enuf_status_text(all[i]), enuf_status_text(all[j])) != 0);
    }
    CHECK(strcmp(enuf_status_text((enuf_status)count), "unknown status") == 0);
    CHECK(strcmp(enuf_status_text((enuf_status)-1), "unknown status") == 0);
}

static enuf_status inner(void)
{
    return enuf_fail(ENUF_BAD_ARGUMENT, "width is %d, has to be 2 ... %d", 40, 32);
}

static enuf_status outer(int *went_on)
{
    ENUF_TRY(inner());
    *went_on = 1;
    return ENUF_SUCCESS;
}

static void a_failure_carries_its_text_up(void)
{
    int went_on = 0;
    CHECK(strcmp(enuf_last_error(), "") == 0);
    CHECK(outer(&went_on) == ENUF_BAD_ARGUMENT && !went_on);
    CHECK(strcmp(enuf_last_error(), "width is 40, has to be 2 ... 32") == 0);
    CHECK(enuf_fail_in(ENUF_IO, "enuf_function") == ENUF_IO);
    CHECK(strcmp(enuf_last_error(), "enuf_function: width is 40, has to be 2 ... 32") == 0);
}

static void long_texts_are_cut(void)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    enuf_fail(ENUF_IO, "%s", text);
    size_t length = strlen(enuf_last_error());
    CHECK(length > 500 && length < 5000);
    enuf_fail_in(ENUF_IO, text);
    CHECK(strlen(enuf_last_error()) < 5000);
}

static void *fail_elsewhere(void *seen)
{
    *(int *)seen = strlen(enuf_last_error()) == 0;
    enuf_fail(ENUF_IO, "the other thread's");
    *(int *)seen += strcmp(enuf_last_error(), "the other thread's") == 0;
    return NULL;
}

static void threads_have_their_own_texts(void)
{
    pthread_t thread;
    int seen = 0;
    enuf_fail(ENUF_IO, "this thread's");
    CHECK(pthread_create(&thread, NULL, fail_elsewhere, &seen) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(seen == 2);
    CHECK(strcmp(enuf_last_error(), "this thread's") == 0);
}

static void the_version_has_three_numbers(void)
{
    int major, minor, patch, end = 0;
    CHECK(sscanf(enuf_version(), "%d.%d.%d%n", &major, &minor, &patch, &end) == 3);
    CHECK(enuf_version()[end] == 0);
}

int main(void)
{
    a_failure_carries_its_text_up();
    every_status_has_its_own_text();
    long_texts_are_cut();
    threads_have_their_own_texts();
    the_version_has_three_numbers();
    return check_result();
}
