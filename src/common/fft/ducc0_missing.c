/* ducc0_missing.c - takes the place of ducc0.c in a build without DUCC0. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "fft_library.h"

static int usable(const char **detail)
{
    *detail = "this enuf was built without DUCC0: -DENUF_DUCC0=fetch builds with it";
    return 0;
}

const enuf_fft_library enuf_fft_library_ducc0 = {.title = "DUCC0", .usable = usable};
