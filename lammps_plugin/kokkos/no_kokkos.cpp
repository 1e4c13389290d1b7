/* no_kokkos.cpp - in place of styles_kokkos.cpp where LAMMPS has no KOKKOS.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "styles_kokkos.h"

namespace enuf
{

std::vector<Style> kokkos_styles()
{
    return {};
}

/* The classes of LAMMPS are those of the headers with and without KOKKOS. */
std::string difference_of_kokkos()
{
    return "";
}

} // namespace enuf
