/* caller_options.c - see caller_options.h. SPDX-License-Identifier: BSD-3-Clause */
#include "caller_options.h"

#include <string.h>

enuf_status enuf_read_options(const enuf_options_record *record, const void *given, void *options)
{
    size_t size;
    if (!given) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: options is NULL", record->function);
    memcpy(&size, given, sizeof size);
    if (size < record->least || size > record->size)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: options.struct_size is %zu, this library's is %zu: call %s() first",
                         record->function, size, record->size, record->init);
    memcpy(options, given, size);
    memcpy(options, &record->size, sizeof record->size);
    return ENUF_SUCCESS;
}
