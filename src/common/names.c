/* names.c - see names.h. SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <stdio.h>
#include <string.h>

const char *enuf_name_at(const char *const names[], int count, int value)
{
    return value >= 0 && value < count ? names[value] : NULL;
}

enuf_status enuf_name_parse(const char *what, const char *const names[], int count,
                            const char *name, int *value)
{
    char list[256] = "";
    if (!value) return enuf_fail(ENUF_BAD_ARGUMENT, "the place for a %s is NULL", what);
    for (int i = 0; i < count; i++) {
        if (name && strcmp(name, names[i]) == 0) {
            *value = i;
            return ENUF_SUCCESS;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    return enuf_fail(ENUF_BAD_ARGUMENT, "no %s is called '%s': take one of %s", what,
                     name ? name : "(null)", list);
}
