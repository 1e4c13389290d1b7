/*
 * styles_kokkos.h - what the plugin adds for a LAMMPS with KOKKOS. A plugin for a LAMMPS without it
 * has no_kokkos.cpp in place of styles_kokkos.cpp. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_STYLES_KOKKOS_H
#define ENUF_STYLES_KOKKOS_H

#include "../plugin_interface.h"

#include <string>
#include <vector>

namespace enuf
{

/** Styles to register; none without KOKKOS. */
std::vector<Style> kokkos_styles();

/** As difference_of_host(), for the KOKKOS of the running LAMMPS. */
std::string difference_of_kokkos();

} // namespace enuf
#endif
