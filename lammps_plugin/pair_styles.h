/* pair_styles.h - makes the pair styles of enuf. SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_PAIR_STYLES_H
#define ENUF_PAIR_STYLES_H

namespace LAMMPS_NS
{
class LAMMPS;
class Pair;
} // namespace LAMMPS_NS

namespace enuf
{

/** pair_style coul/enuf CUTOFF: Coulomb pairs alone. */
LAMMPS_NS::Pair *make_coul_enuf(LAMMPS_NS::LAMMPS *lmp);
/** pair_style lj/cut/coul/enuf CUT_LJ [CUT_COUL]. */
LAMMPS_NS::Pair *make_lj_cut_coul_enuf(LAMMPS_NS::LAMMPS *lmp);
/** pair_style lj/charmm/coul/enuf INNER OUTER [CUT_COUL]. */
LAMMPS_NS::Pair *make_lj_charmm_coul_enuf(LAMMPS_NS::LAMMPS *lmp);

} // namespace enuf
#endif
