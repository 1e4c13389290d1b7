/*
 * fix_enuf_early.h - starts kspace_style enuf in each step as soon as positions are final, while
 * LAMMPS sums pairs and bonds. The style adds it itself. Its scalar is the number of evaluations of
 * this run that were started early and used.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_FIX_ENUF_EARLY_H
#define ENUF_FIX_ENUF_EARLY_H

#include <fix.h>

namespace enuf
{

class FixEnufEarly : public LAMMPS_NS::Fix
{
  public:
    static const char *const id;
    static const char *const style; /* upper case: not for input scripts */

    FixEnufEarly(LAMMPS_NS::LAMMPS *lmp, int narg, char **arg);
    int setmask() override;
    void pre_force(int vflag) override;
    void min_pre_force(int vflag) override;
    double compute_scalar() override;
};

} // namespace enuf
#endif
