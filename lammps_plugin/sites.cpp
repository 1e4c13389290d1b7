/* sites.cpp - see sites.h. SPDX-License-Identifier: GPL-2.0-only */
#include "sites.h"

#include <atom.h>
#include <error.h>

#include <cmath>

namespace enuf
{

/* Reported here, because the atom's ID is known. */
void Sites::refuse_infinite(int i, const double position[3], double charge) const
{
    if (std::isfinite(position[0] + position[1] + position[2] + charge)) return;
    error->one(FLERR,
               "kspace_style enuf: position or charge of atom {} is not finite: "
               "({}, {}, {}), {}",
               atom->tag ? atom->tag[i] : 0, position[0], position[1], position[2], charge);
}

} // namespace enuf
