/* fft_find.c - the choice of a library of FFTs. SPDX-License-Identifier: BSD-3-Clause */
#include "fft_find.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>

static const enuf_fft_library *const libraries[] = {[ENUF_FFT_FFTW] = &enuf_fft_library_fftw,
                                                    [ENUF_FFT_DUCC0] = &enuf_fft_library_ducc0,
                                                    [ENUF_FFT_MKL] = &enuf_fft_library_mkl};

const enuf_fft_library *enuf_fft_library_of(enuf_fft fft)
{
    return libraries[fft];
}

int enuf_fft_usable(enuf_fft fft, const char **detail)
{
    const char *text = "no such library of FFTs";
    const int usable =
        (int)fft > ENUF_FFT_AUTO && enuf_fft_name(fft) && libraries[fft]->usable(&text);
    if (detail) *detail = text;
    return usable;
}

/* "fftw, mkl": those that are there */
static void list_usable(char *list, size_t size)
{
    size_t used = 0;
    list[0] = 0;
    for (int k = ENUF_FFT_AUTO + 1; k < ENUF_COUNT(libraries) && used < size; k++)
        if (enuf_fft_usable((enuf_fft)k, NULL))
            used += (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "",
                                     enuf_fft_name((enuf_fft)k));
}

static enuf_status check(enuf_fft fft)
{
    char list[64];
    const char *missing;
    if (enuf_fft_usable(fft, &missing)) return ENUF_SUCCESS;
    list_usable(list, sizeof list);
    return enuf_fail(ENUF_NO_BACKEND, "fft %s: %s. Here there is: %s", enuf_fft_name(fft), missing,
                     list);
}

static enuf_status of_environment(const char *name, enuf_fft *found)
{
    if (enuf_fft_parse(name, found) != ENUF_SUCCESS || *found == ENUF_FFT_AUTO) {
        char list[64];
        list_usable(list, sizeof list);
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "ENUF_FFT is '%s': it has to be one of %s, or not set for the default",
                         name, list);
    }
    const enuf_status status = check(*found);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, "ENUF_FFT");
}

enuf_status enuf_fft_find(enuf_fft wanted, enuf_fft *found)
{
    const char *name = getenv("ENUF_FFT");
    if (!found) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_fft_find: found is NULL");
    if (!enuf_fft_name(wanted))
        return enuf_fail(ENUF_BAD_ARGUMENT, "fft is %d: it has to be one of enuf_fft", (int)wanted);
    *found = wanted;
    if (wanted != ENUF_FFT_AUTO) return check(wanted);
    if (name && *name) return of_environment(name, found);
    *found = enuf_fft_usable(ENUF_FFT_FFTW, NULL) ? ENUF_FFT_FFTW : ENUF_FFT_DUCC0;
    return check(*found);
}

enuf_status enuf_fft_choose(enuf_fft wanted, const char *wisdom, enuf_fft *found)
{
    ENUF_TRY(enuf_fft_find(wanted, found));
    if (!wisdom || *found == ENUF_FFT_FFTW) return ENUF_SUCCESS;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "fft_wisdom is %s, but FFTs are computed by %s, which has no wisdom: use "
                     "ENUF_FFT_FFTW, or no file",
                     wisdom, libraries[*found]->title);
}

ENUF_DEFINE_NAMES(enuf_fft, ENUF_FFTS, "library of FFTs")
