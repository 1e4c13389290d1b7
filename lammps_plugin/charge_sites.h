/*
 * charge_sites.h - where the charges of this task's atoms stand: at the atoms, but for TIP4P water,
 * whose oxygen bears its charge on the massless site M on the bisector of its bonds.
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_CHARGE_SITES_H
#define ENUF_CHARGE_SITES_H

#include <pointers.h>

#include <vector>

namespace enuf
{

class ChargeSites : protected LAMMPS_NS::Pointers
{
  public:
    explicit ChargeSites(LAMMPS_NS::LAMMPS *lmp);

    /** Reads the geometry of the water model from the pair style, where that is one of TIP4P. */
    void init();
    bool tip4p() const
    {
        return tip4p_;
    }

    /** Positions of atoms instead of sites: before a run hydrogens on other tasks are not known. */
    void collect_atoms(std::vector<double> &own) const;
    /** Sites [n][4] x, y, z, q of this task's atoms; ends the run where one is not finite. */
    void collect(std::vector<double> &own);

    /**
     * Adds `scale` times what acts on the sites, [n][width], to what acts on the atoms. A share of
     * what acts on M goes to each hydrogen, ghosts included, so that site and atoms move alike: M
     * is a fixed combination of their positions.
     */
    void add(const double *of_sites, int width, int used, double scale, double *const *to) const;
    void add(const double *of_sites, double scale, double *to) const;

  private:
    void find_site(int i, double site[4]);

    bool tip4p_ = false;
    int oxygen_ = 0, hydrogen_ = 0; /* atom types */
    double share_ = 0;              /* of M's position that each hydrogen decides */
    std::vector<int> hydrogens_;    /* [n][2] local indices; -1 of other atoms */
};

} // namespace enuf
#endif
