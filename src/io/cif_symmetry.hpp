/*
 * cif_symmetry.hpp - the symmetry operations of a CIF, through gemmi.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CIF_SYMMETRY_HPP
#define ENUF_CIF_SYMMETRY_HPP

#include "cif_document.hpp"

#include <gemmi/symmetry.hpp>
#include <gemmi/unitcell.hpp>

namespace enuf
{

/**
 * The operations that the file lists, else those of its space group's Hall or Hermann-Mauguin
 * symbol; translations are in the cell. They are checked against the space group, the cell and the
 * laws of a group. This finds truncated lists.
 */
std::vector<gemmi::Op> read_symmetry(const cif_document &document, const gemmi::UnitCell &cell);

} // namespace enuf

#endif
