/*
 * cif_formula.h - a CIF's chemical formula against its ions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CIF_FORMULA_H
#define ENUF_CIF_FORMULA_H

#include "cif_syntax.h"
#include "structure.h"

/**
 * Refuses ions that are no whole multiple of _chemical_formula_sum, or not as many as
 * _cell_formula_units_Z says: a list of sites that was cut short, or left hydrogen out, shows here.
 * The formula may be that of one unit, of several, or of the whole cell. One that is absent or not
 * understood is passed over.
 */
enuf_status enuf_cif_formula_check(const enuf_text *text, const enuf_cif *cif,
                                   const enuf_structure *ions);

#endif
