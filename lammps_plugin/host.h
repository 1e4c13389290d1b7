/* host.h - is the LAMMPS that loads this plugin the one it was compiled for?
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
 * Compares version, integer sizes, MPI family and the layout of LAMMPS' classes. Returns what
 * differs, both sides named, or nothing where all agree. LAMMPS loads a plugin of another version
 * and it crashes: its version alone does not tell, as updates of one release differ.
 */
std::string difference_of_host(LAMMPS_NS::LAMMPS *lmp);

/** Whether this task is to tell it; all do where the host does not say who they are. */
bool speaks(LAMMPS_NS::LAMMPS *lmp);

} // namespace enuf
#endif
