/*
 * fix_enuf_early.h - tells kspace_style enuf at each step that positions are final, so that it can
 * begin while LAMMPS sums pairs and bonds. Added by the style itself. Its scalar counts the
 * evaluations of this run that were begun so and served.
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
