/* cif_symmetry.c - see cif_symmetry.h. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_symmetry.h"

#include "error.h"

/* A tag's present name and the one of older files; the first that is there. */
static enuf_cif_column find_either(const enuf_cif *cif, const char *tag, const char *older)
{
    const enuf_cif_column column = enuf_cif_find(cif, tag);
    return column.n > 0 ? column : enuf_cif_find(cif, older);
}

static enuf_status read_list(const enuf_text *text, const enuf_cif *cif, enuf_cif_column list,
                             enuf_symmetry_operation *operations)
{
    if (list.n > ENUF_MOST_OPERATIONS)
        return enuf_text_fail(text, enuf_cif_at(cif, list, 0).line,
                              "%lld symmetry operations, but no cell has more than %d",
                              (long long)list.n, ENUF_MOST_OPERATIONS);
    for (int64_t row = 0; row < list.n; ++row) {
        const enuf_cif_value value = enuf_cif_at(cif, list, row);
        if (!enuf_symmetry_parse(value.word, &operations[row]))
            return enuf_text_fail(text, value.line,
                                  "'%.*s' is no symmetry operation such as '-x, y+1/2, -z'",
                                  ENUF_SHOWN(value.word));
    }
    const int repeated = enuf_symmetry_repeated((int)list.n, operations);
    if (repeated >= 0)
        return enuf_text_fail(text, enuf_cif_at(cif, list, repeated).line,
                              "a symmetry operation that stands in the list before");
    if (!enuf_symmetry_is_group((int)list.n, operations))
        return enuf_text_fail(text, enuf_cif_at(cif, list, 0).line,
                              "the %lld symmetry operations are not complete: they are no group",
                              (long long)list.n);
    return ENUF_SUCCESS;
}

static enuf_status use_name(const enuf_text *text, enuf_cif_value name, int n, int choices)
{
    if (n == 0)
        return enuf_text_fail(text, name.line,
                              "space group '%.*s' is not known: list the operations "
                              "(_space_group_symop_operation_xyz)",
                              ENUF_SHOWN(name.word));
    if (choices)
        return enuf_text_fail(text, name.line,
                              "space group '%.*s' has two origins: write '%.*s:1' or ':2', or list "
                              "the operations (_space_group_symop_operation_xyz)",
                              ENUF_SHOWN(name.word), ENUF_SHOWN(name.word));
    return ENUF_SUCCESS;
}

enuf_status enuf_cif_symmetry_read(const enuf_text *text, const enuf_cif *cif, const double cell[9],
                                   const double angles[3], enuf_symmetry_operation *operations,
                                   int *n)
{
    const enuf_cif_column list =
        find_either(cif, "_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz");
    const enuf_cif_column names =
        find_either(cif, "_space_group_name_H-M_alt", "_symmetry_space_group_name_H-M");
    enuf_cif_value name = {.word = {"", 0}};
    int of_name = 0, choices = 0;
    if (names.n > 0) name = enuf_cif_at(cif, names, 0);
    if (name.word.length > 0)
        of_name = enuf_cif_space_group(name.word, angles, operations, &choices);
    if (list.n == 0 && name.word.length == 0)
        return enuf_text_fail(text, 0,
                              "no symmetry: neither _space_group_symop_operation_xyz nor "
                              "_space_group_name_H-M_alt ('P 1' where there is none)");
    *n = list.n > 0 ? (int)list.n : of_name;
    if (list.n > 0)
        ENUF_TRY(read_list(text, cif, list, operations));
    else
        ENUF_TRY(use_name(text, name, of_name, choices));
    const int64_t line = list.n > 0 ? enuf_cif_at(cif, list, 0).line : name.line;
    if (of_name > 0 && of_name != *n)
        return enuf_text_fail(text, line,
                              "%d symmetry operations, but space group '%.*s' (line %lld) has %d",
                              *n, ENUF_SHOWN(name.word), (long long)name.line, of_name);
    for (int o = 0; o < *n; ++o)
        if (!enuf_symmetry_fits_cell(&operations[o], cell))
            return enuf_text_fail(text, list.n > 0 ? enuf_cif_at(cif, list, o).line : line,
                                  "the symmetry does not fit the cell's lengths and angles");
    return ENUF_SUCCESS;
}
