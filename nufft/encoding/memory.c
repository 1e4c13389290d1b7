/* memory.c - an encoding's memory, and arrays of the caller's. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "object.h"
#include "gram/finding.h"

#include <string.h>

/* Of the Gram operators, and of what is on the host for them. */
static int64_t bytes_of_spectra(const enuf_encoding *encoding)
{
    const enuf_spectra *spectra = &encoding->spectra;
    int64_t bytes = enuf_pairs_bytes(&spectra->pairs);
    if (spectra->gram) bytes += spectra->count * (int64_t)sizeof *spectra->gram;
    if (spectra->weights) bytes += enuf_data_bytes(encoding) / 2;
    for (int l = 0; spectra->gram && l < spectra->count; l++)
        if (spectra->gram[l]) bytes += enuf_gram_bytes(spectra->gram[l]);
    return bytes;
}

int64_t enuf_encoding_bytes(const enuf_encoding *encoding)
{
    int64_t bytes = (int64_t)sizeof *encoding + enuf_nufft_bytes(encoding->base);
    if (encoding->transform) bytes += enuf_nufft_bytes(encoding->transform);
    /* the plan of a GPU counts its own */
    for (int k = 0; k < ENUF_ENCODING_ALLOCATIONS; k++)
        if (encoding->base->backend->kind == ENUF_BACKEND_CPU)
            bytes += encoding->allocation[k].bytes;
    return bytes + bytes_of_spectra(encoding);
}

enuf_status enuf_encoding_check_limit(const enuf_encoding *encoding, double more, const char *what)
{
    const double limit = (double)encoding->options.memory_limit;
    const double held = (double)enuf_encoding_bytes(encoding);
    if (limit == 0 || held + more <= limit) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "%s take %.3g GB, with what the encoding holds %.3g GB; memory_limit is %.3g "
                     "GB",
                     what, more / 1e9, (held + more) / 1e9, limit / 1e9);
}

enuf_status enuf_encoding_allocate(enuf_encoding *encoding, void *pointer, int64_t count,
                                   size_t size, const char *what)
{
    int slot = 0;
    while (slot < ENUF_ENCODING_ALLOCATIONS && encoding->allocation[slot].at) slot++;
    if (slot == ENUF_ENCODING_ALLOCATIONS)
        return enuf_fail(ENUF_INTERNAL, "more than %d arrays of an encoding",
                         ENUF_ENCODING_ALLOCATIONS);
    ENUF_TRY(enuf_encoding_check_limit(encoding, (double)count * (double)size, what));
    ENUF_TRY(encoding->base->backend->type3->allocate(encoding->base, pointer, count, size, what));
    memcpy(&encoding->allocation[slot].at, pointer, sizeof(void *));
    encoding->allocation[slot].bytes = count * (int64_t)size;
    return ENUF_SUCCESS;
}

void enuf_encoding_release(enuf_encoding *encoding, void *pointer)
{
    void *at;
    memcpy(&at, pointer, sizeof at);
    for (int slot = 0; at && slot < ENUF_ENCODING_ALLOCATIONS; slot++) {
        if (encoding->allocation[slot].at != at) continue;
        encoding->allocation[slot].at = NULL;
        encoding->allocation[slot].bytes = 0;
    }
    encoding->base->backend->type3->release(encoding->base, pointer);
}

enuf_status enuf_encoding_make_rooms(enuf_encoding *encoding)
{
    const int64_t data = enuf_data_bytes(encoding), image = enuf_image_bytes(encoding);
    const int64_t bytes[ENUF_ROOMS] = {
        [ENUF_ROOM_IN] = data > image ? data : image,
        [ENUF_ROOM_OUT] = data > image ? data : image,
        [ENUF_ROOM_WEIGHTS] = data / 2,
    };
    for (int k = 0; k < ENUF_ROOMS && enuf_encoding_copies(encoding); k++)
        ENUF_TRY(enuf_encoding_allocate(encoding, &encoding->room[k], bytes[k], 1,
                                        "arrays on their way"));
    return ENUF_SUCCESS;
}

enuf_status enuf_encoding_take(enuf_encoding *encoding, int room, const char *name,
                               const void *array, int64_t bytes, const void **taken)
{
    return encoding->base->backend->type3->take(encoding->base, name, array, bytes,
                                                encoding->room[room], taken);
}

enuf_status enuf_encoding_place(enuf_encoding *encoding, int room, const char *name, void *array,
                                void **placed)
{
    return encoding->base->backend->type3->place(encoding->base, name, array, encoding->room[room],
                                                 placed);
}

enuf_status enuf_encoding_give(enuf_encoding *encoding, void *array, int64_t bytes,
                               const void *placed)
{
    return encoding->base->backend->type3->give(encoding->base, array, bytes, placed);
}
