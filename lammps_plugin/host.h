/* host.h - checks that this plugin was compiled for the LAMMPS that loads it.
 * SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_HOST_H
#define ENUF_HOST_H

#include <string>

namespace LAMMPS_NS
{
class LAMMPS;
}

namespace enuf
{

/**
 * Compares version, integer sizes, MPI family and the layout of LAMMPS' classes. Returns a text
 * with both sides of a difference, or an empty one. LAMMPS would load a plugin of another version
 * and crash. The version alone is not enough, because updates of one release differ.
 */
std::string difference_of_host(LAMMPS_NS::LAMMPS *lmp);

/** Whether this task prints it: the first, or all if the ranks are unknown. */
bool speaks(LAMMPS_NS::LAMMPS *lmp);

} // namespace enuf
#endif
