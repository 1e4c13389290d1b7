/*
 * charge_sites.h - the places of the charges of this task's atoms: the atoms, except in TIP4P
 * water, where the oxygen's charge is at the massless site M on the bisector of its bonds.
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

    /** Reads the geometry of the water model from a TIP4P pair style. */
    void init();
    bool tip4p() const
    {
        return tip4p_;
    }

    /** Uses positions of atoms instead of sites: before a run hydrogens on other tasks are not
     * known. */
    void collect_atoms(std::vector<double> &own) const;
    /** Sites [n][4] x, y, z, q of this task's atoms; ends the run if one is not finite. */
    void collect(std::vector<double> &own);

    /**
     * Adds `scale` times the results at the sites, [n][width], to those at the atoms. M is a fixed
     * combination of positions, so each hydrogen, ghosts included, gets its share of the result at
     * M.
     */
    void add(const double *of_sites, int width, int used, double scale, double *const *to) const;
    void add(const double *of_sites, double scale, double *to) const;

  private:
    void find_site(int i, double site[4]);

    bool tip4p_ = false;
    int oxygen_ = 0, hydrogen_ = 0; /* atom types */
    double share_ = 0;              /* weight of each hydrogen in the position of M */
    std::vector<int> hydrogens_;    /* [n][2] local indices; -1 of other atoms */
};

} // namespace enuf
#endif
