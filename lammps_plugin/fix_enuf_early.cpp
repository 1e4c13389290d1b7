/* fix_enuf_early.cpp - the early start. SPDX-License-Identifier: GPL-2.0-only */
#include "fix_enuf_early.h"

#include "kspace_enuf.h"

#include <force.h>
#include <update.h>
#include <utils.h>

using namespace LAMMPS_NS;

namespace enuf
{

const char *const FixEnufEarly::id = "ENUF_EARLY";
const char *const FixEnufEarly::style = "ENUF/EARLY";

FixEnufEarly::FixEnufEarly(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
    scalar_flag = 1;
    global_freq = 1;
    extscalar = 0;
}

int FixEnufEarly::setmask()
{
    return FixConst::PRE_FORCE | FixConst::MIN_PRE_FORCE;
}

void FixEnufEarly::pre_force(int vflag)
{
    auto *kspace = dynamic_cast<KSpaceEnuf *>(force->kspace);
    // verlet/split calls this on the tasks of the pairs, not on the tasks of the modes
    if (!kspace || !kspace->compute_flag || utils::strmatch(update->integrate_style, "split"))
        return;
    kspace->begin_early(vflag);
}

void FixEnufEarly::min_pre_force(int vflag)
{
    pre_force(vflag);
}

double FixEnufEarly::compute_scalar()
{
    const auto *kspace = dynamic_cast<KSpaceEnuf *>(force->kspace);
    return kspace ? static_cast<double>(kspace->begun_early()) : 0;
}

} // namespace enuf
