/*
 * cif_sites.hpp - the ions of a CIF: its sites and their images under the symmetry operations.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CIF_SITES_HPP
#define ENUF_CIF_SITES_HPP

#include "cif_document.hpp"

extern "C" {
#include "reading.h"
}

#include <gemmi/small.hpp>

namespace enuf
{

/**
 * Makes room for the ions in a reading of zeros and fills in species and positions.
 *
 * crystal  its cell has the symmetry operations other than identity as images; its sites are used
 * vectors  rows a, b, c of the cell, along which positions are given
 *
 * A site nearer to its own image than 0.05 Angstrom stands on a special position. It is moved there
 * (to the mean of these images): a file's 0.3333 becomes 1/3. Sites with an occupancy other than 1,
 * alternatives of disorder, and ions less than 0.5 Angstrom apart are refused.
 */
void read_sites(const cif_document &document, gemmi::SmallStructure &crystal,
                const double vectors[9], enuf_reading *reading);

} // namespace enuf

#endif
