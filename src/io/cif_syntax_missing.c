/* cif_syntax_missing.c - CIF without gemmi: says so. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_syntax.h"

#include "error.h"

const char *enuf_gemmi_version(void)
{
    return NULL;
}

enuf_status enuf_cif_open(const enuf_text *text, enuf_cif **cif)
{
    *cif = NULL;
    return enuf_fail(ENUF_UNSUPPORTED,
                     "%.300s: this enuf was built without gemmi, which reads CIF: install it "
                     "(Debian, Ubuntu: apt-get install gemmi-dev tao-pegtl-dev) and build again",
                     text->name);
}

void enuf_cif_close(enuf_cif **cif)
{
    *cif = NULL;
}

/* No file was ever opened: what follows is never called. */

int enuf_cif_has_more(const enuf_cif *cif)
{
    (void)cif;
    return 0;
}

enuf_cif_column enuf_cif_find(const enuf_cif *cif, const char *tag)
{
    (void)cif, (void)tag;
    return (enuf_cif_column){0};
}

enuf_cif_value enuf_cif_at(const enuf_cif *cif, enuf_cif_column column, int64_t row)
{
    (void)cif, (void)column, (void)row;
    return (enuf_cif_value){.word = {"", 0}};
}

enuf_cif_group enuf_cif_space_group(enuf_word name, const double angles[3],
                                    enuf_symmetry_operation *operations)
{
    (void)name, (void)angles, (void)operations;
    return (enuf_cif_group){0};
}

int enuf_cif_group_number(int n, const enuf_symmetry_operation *operations)
{
    (void)n, (void)operations;
    return 0;
}
