/* charge_sites.cpp - atoms to charge sites and back. SPDX-License-Identifier: GPL-2.0-only */
#include "charge_sites.h"

#include <angle.h>
#include <atom.h>
#include <bond.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <lammps.h>
#include <pair.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

ChargeSites::ChargeSites(LAMMPS *lmp) : Pointers(lmp)
{
}

void ChargeSites::init()
{
    tip4p_ = force->pair && force->pair->tip4pflag;
    if (!tip4p_) return;
    auto integer = [&](const char *name) {
        int dim = 0;
        const auto *value = static_cast<int *>(force->pair->extract(name, dim));
        if (!value)
            error->all(FLERR, "kspace_style enuf: pair_style {} does not name its {}",
                       force->pair_style, name);
        return *value;
    };
    int dim = 0;
    const auto *distance = static_cast<double *>(force->pair->extract("qdist", dim));
    if (!distance)
        error->all(FLERR,
                   "kspace_style enuf: pair_style {} does not name its qdist, the distance "
                   "from oxygen to charge",
                   force->pair_style);
    oxygen_ = integer("typeO");
    hydrogen_ = integer("typeH");
    const int angle_type = integer("typeA"), bond_type = integer("typeB");
    if (!force->angle || !force->bond || !force->angle->setflag || !force->bond->setflag)
        error->all(FLERR, "kspace_style enuf: a TIP4P pair style needs a bond style and an angle "
                          "style: they hold the geometry of water");
    if (angle_type < 1 || angle_type > atom->nangletypes || !force->angle->setflag[angle_type])
        error->all(FLERR, "kspace_style enuf: angle type {} of the TIP4P pair style is not set",
                   angle_type);
    if (bond_type < 1 || bond_type > atom->nbondtypes || !force->bond->setflag[bond_type])
        error->all(FLERR, "kspace_style enuf: bond type {} of the TIP4P pair style is not set",
                   bond_type);
    const double bond = force->bond->equilibrium_distance(bond_type);
    const double angle = force->angle->equilibrium_angle(angle_type);
    // M at x_O + (qdist / height) (the mean of the two bonds)
    share_ = 0.5 * *distance / (std::cos(0.5 * angle) * bond);
}

void ChargeSites::collect_atoms(std::vector<double> &own) const
{
    own.resize(4 * static_cast<size_t>(atom->nlocal));
    for (int i = 0; i < atom->nlocal; i++) {
        double *site = &own[4 * static_cast<size_t>(i)];
        std::copy(atom->x[i], atom->x[i] + 3, site);
        site[3] = atom->q[i];
    }
}

void ChargeSites::find_site(int i, double site[4])
{
    int found[2];
    for (int h = 0; h < 2; h++) {
        const int j = atom->map(atom->tag[i] + 1 + h);
        if (j < 0)
            error->one(FLERR,
                       "kspace_style enuf: hydrogen {} of TIP4P water is missing: an oxygen's two "
                       "hydrogens have the IDs after its own, {}",
                       atom->tag[i] + 1 + h, atom->tag[i]);
        if (atom->type[j] != hydrogen_)
            error->one(FLERR,
                       "kspace_style enuf: atom {} follows the TIP4P oxygen {} and should be a "
                       "hydrogen, of type {}, but is of type {}",
                       atom->tag[i] + 1 + h, atom->tag[i], hydrogen_, atom->type[j]);
        found[h] = domain->closest_image(i, j);
    }
    const double *o = atom->x[i], *a = atom->x[found[0]], *b = atom->x[found[1]];
    for (int d = 0; d < 3; d++) site[d] = o[d] + share_ * ((a[d] - o[d]) + (b[d] - o[d]));
    hydrogens_[2 * static_cast<size_t>(i)] = found[0];
    hydrogens_[2 * static_cast<size_t>(i) + 1] = found[1];
}

void ChargeSites::collect(std::vector<double> &own)
{
    collect_atoms(own);
    if (tip4p_) {
        hydrogens_.assign(2 * static_cast<size_t>(atom->nlocal), -1);
        for (int i = 0; i < atom->nlocal; i++)
            if (atom->type[i] == oxygen_) find_site(i, &own[4 * static_cast<size_t>(i)]);
    }
    for (int i = 0; i < atom->nlocal; i++) {
        const double *site = &own[4 * static_cast<size_t>(i)];
        // reported here, because the atom's ID is known
        if (!std::isfinite(site[0] + site[1] + site[2] + site[3]))
            error->one(FLERR,
                       "kspace_style enuf: position or charge of atom {} is not finite: "
                       "({}, {}, {}), {}",
                       atom->tag ? atom->tag[i] : 0, site[0], site[1], site[2], site[3]);
    }
}

void ChargeSites::add(const double *of_sites, int width, int used, double scale,
                      double *const *to) const
{
    for (int i = 0; i < atom->nlocal; i++) {
        const double *site = of_sites + static_cast<size_t>(i) * width;
        const int *h = tip4p_ ? &hydrogens_[2 * static_cast<size_t>(i)] : nullptr;
        if (!h || h[0] < 0) {
            for (int d = 0; d < used; d++) to[i][d] += scale * site[d];
            continue;
        }
        for (int d = 0; d < used; d++) {
            to[i][d] += (1 - 2 * share_) * scale * site[d];
            to[h[0]][d] += share_ * scale * site[d];
            to[h[1]][d] += share_ * scale * site[d];
        }
    }
}

void ChargeSites::add(const double *of_sites, double scale, double *to) const
{
    for (int i = 0; i < atom->nlocal; i++) {
        const int *h = tip4p_ ? &hydrogens_[2 * static_cast<size_t>(i)] : nullptr;
        if (!h || h[0] < 0) {
            to[i] += scale * of_sites[i];
            continue;
        }
        to[i] += (1 - 2 * share_) * scale * of_sites[i];
        to[h[0]] += share_ * scale * of_sites[i];
        to[h[1]] += share_ * scale * of_sites[i];
    }
}

} // namespace enuf
