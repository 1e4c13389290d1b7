/*
 * cif_formula.hpp - checks a CIF's ions against its chemical formula. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef ENUF_CIF_FORMULA_HPP
#define ENUF_CIF_FORMULA_HPP

#include "cif_document.hpp"

extern "C" {
#include "structure.h"
}

namespace enuf
{

/**
 * Refuses ions that are not a whole multiple of _chemical_formula_sum, or whose number contradicts
 * _cell_formula_units_Z. This finds truncated lists of sites and missing hydrogen. The formula may
 * describe one unit, several units or the whole cell. A missing or unreadable formula is skipped.
 */
void check_formula(const cif_document &document, const enuf_structure &ions);

} // namespace enuf

#endif
