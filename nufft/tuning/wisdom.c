/* wisdom.c - the entries in memory. SPDX-License-Identifier: BSD-3-Clause */
#include "tuning.h"

#include <string.h>

enuf_status enuf_wisdom_create(enuf_wisdom **wisdom)
{
    if (!wisdom) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_wisdom_create: wisdom is NULL");
    ENUF_TRY(enuf_allocate(wisdom, 1, sizeof **wisdom, "wisdom"));
    memset(*wisdom, 0, sizeof **wisdom);
    return ENUF_SUCCESS;
}

void enuf_wisdom_destroy(enuf_wisdom **wisdom)
{
    if (!wisdom || !*wisdom) return;
    enuf_release(&(*wisdom)->entry);
    enuf_release(wisdom);
}

int64_t enuf_wisdom_count(const enuf_wisdom *wisdom)
{
    return wisdom ? wisdom->n : 0;
}

const enuf_wisdom_entry *enuf_wisdom_find(const enuf_wisdom *wisdom, const char *machine,
                                          const char *problem)
{
    for (int64_t i = 0; i < wisdom->n; i++)
        if (strcmp(wisdom->entry[i].machine, machine) == 0 &&
            strcmp(wisdom->entry[i].problem, problem) == 0)
            return &wisdom->entry[i];
    return NULL;
}

static enuf_status make_room(enuf_wisdom *wisdom, int64_t n)
{
    enuf_wisdom_entry *larger;
    if (n <= wisdom->room) return ENUF_SUCCESS;
    const int64_t room = n + wisdom->room + 8;
    ENUF_TRY(enuf_allocate(&larger, room, sizeof *larger, "entries of wisdom"));
    if (wisdom->n > 0) memcpy(larger, wisdom->entry, (size_t)wisdom->n * sizeof *larger);
    enuf_release(&wisdom->entry);
    wisdom->entry = larger;
    wisdom->room = room;
    return ENUF_SUCCESS;
}

enuf_status enuf_wisdom_add(enuf_wisdom *wisdom, const enuf_wisdom_entry *entry)
{
    const enuf_wisdom_entry *found = enuf_wisdom_find(wisdom, entry->machine, entry->problem);
    if (found) {
        if (entry->effort > found->effort ||
            (entry->effort == found->effort && entry->seconds < found->seconds))
            wisdom->entry[found - wisdom->entry] = *entry;
        return ENUF_SUCCESS;
    }
    ENUF_TRY(make_room(wisdom, wisdom->n + 1));
    wisdom->entry[wisdom->n++] = *entry;
    return ENUF_SUCCESS;
}

enuf_status enuf_wisdom_merge(enuf_wisdom *wisdom, const enuf_wisdom *from)
{
    if (!wisdom || !from)
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_wisdom_merge: NULL wisdom or from");
    if (wisdom == from) return ENUF_SUCCESS;
    ENUF_TRY(make_room(wisdom, wisdom->n + from->n)); /* all or nothing */
    for (int64_t i = 0; i < from->n; i++) ENUF_TRY(enuf_wisdom_add(wisdom, &from->entry[i]));
    return ENUF_SUCCESS;
}
