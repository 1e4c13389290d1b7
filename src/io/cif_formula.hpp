/*
 * cif_formula.hpp - a CIF's chemical formula against its ions.
 * SPDX-License-Identifier: BSD-3-Clause
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
 * Refuses ions that are no whole multiple of _chemical_formula_sum, or not as many as
 * _cell_formula_units_Z says: a list of sites that was cut short, or left hydrogen out, shows here.
 * The formula may be that of one unit, of several, or of the whole cell. One that is absent or not
 * understood is passed over.
 */
void check_formula(const cif_document &document, const enuf_structure &ions);

} // namespace enuf

#endif
