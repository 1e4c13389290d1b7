/* cif_missing.c - refuses CIF in a build without gemmi. SPDX-License-Identifier: BSD-3-Clause */
#include "error.h"
#include "gemmi_version.h"
#include "reading.h"

const char *enuf_gemmi_version(void)
{
    return NULL;
}

enuf_status enuf_read_cif(const enuf_text *text, enuf_reading *reading)
{
    (void)reading;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "%.300s: this enuf was built without gemmi, which reads CIF: install it "
                     "(Debian, Ubuntu: apt-get install gemmi-dev tao-pegtl-dev) and build again",
                     text->name);
}
