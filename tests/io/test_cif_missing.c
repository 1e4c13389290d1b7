/*
 * test_cif_missing.c - an enuf built without gemmi refuses CIF; the text says how to get gemmi.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "parse.h"

int main(void)
{
    enuf_structure s;
    CHECK_STATUS(parse("salt.cif", "data_salt\n_cell_length_a 5\n", &s), ENUF_UNSUPPORTED);
    CHECK_TEXT("salt.cif: this enuf was built without gemmi");
    CHECK_TEXT("apt-get install gemmi-dev tao-pegtl-dev");
    CHECK_STATUS(parse("standard input", "# comment\nDATA_salt\n", &s), ENUF_UNSUPPORTED);
    return check_result();
}
