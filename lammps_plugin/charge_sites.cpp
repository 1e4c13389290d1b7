/* charge_sites.cpp - atoms to charge sites and back. SPDX-License-Identifier: GPL-2.0-only */
#include "charge_sites.h"

#include "enuf/ewald.h"

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

ChargeSites::ChargeSites(LAMMPS *lmp) : Sites(lmp)
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

/* A task without atoms has no array, but has to pass positions and charges. */
static const double NONE[3] = {0, 0, 0};

const double *ChargeSites::positions() const
{
    return now_.positions.empty() ? NONE : now_.positions.data();
}

const double *ChargeSites::charges() const
{
    return now_.charges.empty() ? NONE : now_.charges.data();
}

void ChargeSites::read_atoms()
{
    const auto n = static_cast<std::size_t>(atom->nlocal);
    seen_.positions.resize(3 * n);
    seen_.charges.assign(atom->q, atom->q + n);
    for (std::size_t i = 0; i < n; i++)
        std::copy(atom->x[i], atom->x[i] + 3, &seen_.positions[3 * i]);
}

void ChargeSites::read_sites()
{
    read_atoms();
    if (!tip4p_) return;
    hydrogens_.assign(2 * static_cast<std::size_t>(atom->nlocal), -1);
    for (int i = 0; i < atom->nlocal; i++)
        if (atom->type[i] == oxygen_) find_site(i, &seen_.positions[3 * static_cast<size_t>(i)]);
}

/* What was read is what counts from now on. */
void ChargeSites::take()
{
    if (seen_.charges != now_.charges) charges_have_changed();
    std::swap(seen_, now_);
}

void ChargeSites::collect_atoms()
{
    read_atoms();
    take();
}

void ChargeSites::collect_some(const std::function<bool(int)> &counts)
{
    read_atoms();
    for (int i = 0; i < atom->nlocal; i++)
        if (!counts(i)) seen_.charges[static_cast<std::size_t>(i)] = 0;
    take();
}

void ChargeSites::find_site(int i, double site[3])
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

void ChargeSites::collect()
{
    read_sites();
    for (int i = 0; i < atom->nlocal; i++) {
        const double *site = &seen_.positions[3 * static_cast<size_t>(i)];
        refuse_infinite(i, site, seen_.charges[static_cast<size_t>(i)]);
    }
    take();
}

bool ChargeSites::is_current()
{
    read_sites();
    return seen_.positions == now_.positions && seen_.charges == now_.charges;
}

double *ChargeSites::room(int kind, std::size_t numbers)
{
    rooms_[kind].resize(numbers);
    return rooms_[kind].data();
}

void ChargeSites::add(int kind, int width, int used, double scale, double *const *to)
{
    const double *of_sites = rooms_[kind].data();
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

void ChargeSites::add_forces(int directions, double scale)
{
    add(ENUF_WANT_FORCES, 3, directions, scale, atom->f);
}

void ChargeSites::add_atom_virial(double scale, double **vatom)
{
    add(ENUF_WANT_ATOM_VIRIAL, 6, 6, scale, vatom);
}

void ChargeSites::add_atom_energy(double scale, double *eatom)
{
    const std::vector<double> &of_sites = rooms_[ENUF_WANT_ATOM_ENERGY];
    for (int i = 0; i < atom->nlocal; i++) {
        const double energy = scale * of_sites[static_cast<size_t>(i)];
        const int *h = tip4p_ ? &hydrogens_[2 * static_cast<size_t>(i)] : nullptr;
        if (!h || h[0] < 0) {
            eatom[i] += energy;
            continue;
        }
        eatom[i] += (1 - 2 * share_) * energy;
        eatom[h[0]] += share_ * energy;
        eatom[h[1]] += share_ * energy;
    }
}

double ChargeSites::memory_usage() const
{
    std::size_t numbers = 0;
    for (const Read *read : {&now_, &seen_})
        numbers += read->positions.capacity() + read->charges.capacity();
    for (const auto &room : rooms_) numbers += room.second.capacity();
    return static_cast<double>(numbers * sizeof(double) + hydrogens_.capacity() * sizeof(int));
}

} // namespace enuf
