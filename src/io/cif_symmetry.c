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

static enuf_status use_name(const enuf_text *text, enuf_cif_value name, enuf_cif_group group)
{
    if (group.n == 0)
        return enuf_text_fail(text, name.line,
                              "space group '%.*s' is not known: list the operations "
                              "(_space_group_symop_operation_xyz)",
                              ENUF_SHOWN(name.word));
    if (group.choices)
        return enuf_text_fail(text, name.line,
                              "space group '%.*s' has two origins: write '%.*s:1' or ':2', or list "
                              "the operations (_space_group_symop_operation_xyz)",
                              ENUF_SHOWN(name.word), ENUF_SHOWN(name.word));
    return ENUF_SUCCESS;
}

static int fit_cell(int n, const enuf_symmetry_operation *operations, const double cell[9])
{
    for (int o = 0; o < n; ++o)
        if (!enuf_symmetry_fits_cell(&operations[o], cell)) return 0;
    return 1;
}

/*
 * As many operations as the name's group has. A primitive cell of a centred group, which pymatgen
 * writes under the group's name, has fewer; then the conventional operations do not fit it.
 */
static enuf_status check_count(const enuf_text *text, int64_t line, int n, enuf_cif_value name,
                               enuf_cif_group group, int is_conventional)
{
    if (group.n == 0 || group.n == n) return ENUF_SUCCESS;
    if (!is_conventional && group.n == n * group.centring) return ENUF_SUCCESS;
    return enuf_text_fail(text, line,
                          "%d symmetry operations, but space group '%.*s' (line %lld) has %d", n,
                          ENUF_SHOWN(name.word), (long long)name.line, group.n);
}

/* The group's number against its name and against the operations, where both are understood. */
static enuf_status check_number(const enuf_text *text, const enuf_cif *cif, enuf_cif_value name,
                                enuf_cif_group group, int64_t line, int of_operations)
{
    const enuf_cif_column column =
        find_either(cif, "_space_group_IT_number", "_symmetry_Int_Tables_number");
    int64_t number = 0;
    enuf_cif_value value = {.word = {"", 0}};
    if (column.n > 0) value = enuf_cif_at(cif, column, 0);
    if (value.word.length > 0)
        ENUF_TRY(
            enuf_word_integer(text, value.line, value.word, "number of the space group", &number));
    if (value.word.length > 0 && (number < 1 || number > 230))
        return enuf_text_fail(text, value.line, "space group number %lld should be 1 to 230",
                              (long long)number);
    if (number > 0 && group.number > 0 && number != group.number)
        return enuf_text_fail(
            text, value.line, "space group number %lld, but '%.*s' (line %lld) is number %d",
            (long long)number, ENUF_SHOWN(name.word), (long long)name.line, group.number);
    if (of_operations == 0) return ENUF_SUCCESS;
    if (number > 0 && number != of_operations)
        return enuf_text_fail(text, value.line,
                              "space group number %lld, but the operations (line %lld) are those "
                              "of number %d",
                              (long long)number, (long long)line, of_operations);
    if (group.number > 0 && group.number != of_operations)
        return enuf_text_fail(text, name.line,
                              "space group '%.*s' is number %d, but the operations (line %lld) are "
                              "those of number %d",
                              ENUF_SHOWN(name.word), group.number, (long long)line, of_operations);
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
    enuf_cif_group group = {0};
    int is_conventional = 0;
    if (names.n > 0) name = enuf_cif_at(cif, names, 0);
    if (name.word.length > 0) {
        group = enuf_cif_space_group(name.word, angles, operations);
        is_conventional = fit_cell(group.n, operations, cell);
    }
    if (list.n == 0 && name.word.length == 0)
        return enuf_text_fail(text, 0,
                              "no symmetry: neither _space_group_symop_operation_xyz nor "
                              "_space_group_name_H-M_alt ('P 1' where there is none)");
    *n = list.n > 0 ? (int)list.n : group.n;
    if (list.n > 0)
        ENUF_TRY(read_list(text, cif, list, operations));
    else
        ENUF_TRY(use_name(text, name, group));
    const int64_t line = list.n > 0 ? enuf_cif_at(cif, list, 0).line : name.line;
    ENUF_TRY(check_count(text, line, *n, name, group, is_conventional));
    ENUF_TRY(check_number(text, cif, name, group, line,
                          list.n > 0 ? enuf_cif_group_number(*n, operations) : 0));
    for (int o = 0; o < *n; ++o)
        if (!enuf_symmetry_fits_cell(&operations[o], cell))
            return enuf_text_fail(text, list.n > 0 ? enuf_cif_at(cif, list, o).line : line,
                                  "the symmetry does not fit the cell's lengths and angles");
    return ENUF_SUCCESS;
}
