/*
 * charge_sites.h - the places of the charges of this task's atoms in LAMMPS' own arrays: the atoms,
 * except in TIP4P water, where the oxygen's charge is at the massless site M on the bisector of its
 * bonds.
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_CHARGE_SITES_H
#define ENUF_CHARGE_SITES_H

#include "sites.h"

#include <functional>
#include <map>
#include <vector>

namespace enuf
{

class ChargeSites : public Sites
{
  public:
    explicit ChargeSites(LAMMPS_NS::LAMMPS *lmp);

    /** Reads the geometry of the water model from a TIP4P pair style. */
    void init() override;
    bool tip4p() const override
    {
        return tip4p_;
    }
    void collect_atoms() override;
    /** collect_atoms(), with the charge 0 for atoms that do not count. */
    void collect_some(const std::function<bool(int)> &counts);
    void collect() override;
    bool is_current() override;

    std::int64_t n() const override
    {
        return static_cast<std::int64_t>(now_.charges.size());
    }
    const double *positions() const override;
    const double *charges() const override;
    const double *charges_on_host() const override
    {
        return charges();
    }
    double *room(int kind, std::size_t numbers) override;
    const double *on_host(int kind) override
    {
        return rooms_[kind].data();
    }

    /* M is a fixed combination of positions, so each hydrogen, ghosts included, gets its share of
     * the result at M */
    void add_forces(int directions, double scale) override;
    void add_atom_energy(double scale, double *eatom) override;
    void add_atom_virial(double scale, double **vatom) override;
    double memory_usage() const override;

  private:
    struct Read {
        std::vector<double> positions, charges; /* [n][3], [n] */
    };

    void read_atoms();
    void read_sites();
    void take();
    void find_site(int i, double site[3]);
    void add(int kind, int width, int used, double scale, double *const *to);

    bool tip4p_ = false;
    int oxygen_ = 0, hydrogen_ = 0; /* atom types */
    double share_ = 0;              /* weight of each hydrogen in the position of M */
    std::vector<int> hydrogens_;    /* [n][2] local indices; -1 of other atoms */
    Read now_, seen_;               /* as collected; scratch */
    std::map<int, std::vector<double>> rooms_;
};

} // namespace enuf
#endif
