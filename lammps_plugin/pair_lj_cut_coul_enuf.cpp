/* pair_lj_cut_coul_enuf.cpp - pair_style lj/cut/coul/enuf. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_lj_cut_coul_enuf.h"
#include "pair_styles.h"

#include <atom.h>
#include <error.h>
#include <memory.h>
#include <utils.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

namespace enuf
{

PairLJCutCoulEnuf::PairLJCutCoulEnuf(LAMMPS *lmp) : PairEnufWith(lmp, "lj/cut/coul/enuf")
{
    writedata = 1;
}

PairLJCutCoulEnuf::~PairLJCutCoulEnuf()
{
    memory->destroy(epsilon_);
    memory->destroy(sigma_);
    memory->destroy(cut_lj_);
}

void PairLJCutCoulEnuf::allocate()
{
    allocate_types();
    const int n = atom->ntypes + 1;
    memory->create(epsilon_, n, n, "pair:epsilon");
    memory->create(sigma_, n, n, "pair:sigma");
    memory->create(cut_lj_, n, n, "pair:cut_lj");
    terms_.assign(static_cast<size_t>(n) * n, LennardJonesTerm());
}

void PairLJCutCoulEnuf::settings(int narg, char **arg)
{
    if (narg < 1 || narg > 2)
        error->all(FLERR,
                   "pair_style lj/cut/coul/enuf: {} arguments, it takes the Lennard-Jones "
                   "cutoff and, if that is another, the Coulomb cutoff",
                   narg);
    cut_lj_global_ = cutoff_argument(arg[0], "Lennard-Jones");
    cut_coul_ = narg == 2 ? cutoff_argument(arg[1], "Coulomb") : cut_lj_global_;
    // a second pair_style command with the same name keeps coefficients and sets their cutoff
    for (int i = 1; allocated && i <= atom->ntypes; i++)
        for (int j = i; j <= atom->ntypes; j++)
            if (setflag[i][j]) cut_lj_[i][j] = cut_lj_global_;
}

void PairLJCutCoulEnuf::coeff(int narg, char **arg)
{
    check_coefficients(narg, 4, 5, "types I and J, epsilon, sigma and, if wanted, a cutoff");
    const double values[] = {
        utils::numeric(FLERR, arg[2], false, lmp), utils::numeric(FLERR, arg[3], false, lmp),
        narg == 5 ? utils::numeric(FLERR, arg[4], false, lmp) : cut_lj_global_};
    set_types(arg, {epsilon_, sigma_, cut_lj_}, values);
}

/* Energy and virial beyond the cutoff at uniform density, of all pairs of types i and j: integrals
 * of 4 epsilon [(sigma/r)^12 - (sigma/r)^6] and of its virial. Source: Allen and Tildesley,
 * Computer Simulation of Liquids, section 2.8. */
void PairLJCutCoulEnuf::find_tail(int i, int j)
{
    double own[2] = {0, 0}, all[2];
    for (int k = 0; k < atom->nlocal; k++) {
        own[0] += atom->type[k] == i;
        own[1] += atom->type[k] == j;
    }
    MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_SUM, world);
    const double pi = 3.14159265358979323846;
    const double s6 = std::pow(sigma_[i][j], 6), rc3 = std::pow(cut_lj_[i][j], 3), rc6 = rc3 * rc3;
    const double unit = 8 * pi * all[0] * all[1] * epsilon_[i][j] * s6 / (9 * rc6 * rc3);
    etail_ij = unit * (s6 - 3 * rc6);
    ptail_ij = 2 * unit * (2 * s6 - 3 * rc6);
}

double PairLJCutCoulEnuf::init_one(int i, int j)
{
    if (!setflag[i][j]) {
        mix(i, j, epsilon_, sigma_);
        cut_lj_[i][j] = mix_distance(cut_lj_[i][i], cut_lj_[j][j]);
    }
    const double e = epsilon_[i][j], s6 = std::pow(sigma_[i][j], 6), cut = cut_lj_[i][j];
    LennardJonesTerm t = {cut * cut, 48 * e * s6 * s6, 24 * e * s6, 4 * e * s6 * s6, 4 * e * s6, 0};
    if (offset_flag && cut > 0) {
        const double ratio6 = s6 / std::pow(cut, 6);
        t.offset = 4 * e * (ratio6 * ratio6 - ratio6);
    }
    const int n = atom->ntypes + 1;
    terms_[i * n + j] = terms_[j * n + i] = t;
    epsilon_[j][i] = e;
    sigma_[j][i] = sigma_[i][j];
    cut_lj_[j][i] = cut;
    if (tail_flag) find_tail(i, j);
    return std::max(cut, cut_coul_);
}

PairEnuf::Kept PairLJCutCoulEnuf::kept()
{
    return {{&cut_lj_global_, &cut_coul_},
            {&offset_flag, &mix_flag, &tail_flag},
            {epsilon_, sigma_, cut_lj_}};
}

void PairLJCutCoulEnuf::write_data(std::FILE *file)
{
    write_types(file, false, {epsilon_, sigma_});
}

void PairLJCutCoulEnuf::write_data_all(std::FILE *file)
{
    write_types(file, true, {epsilon_, sigma_, cut_lj_});
}

void *PairLJCutCoulEnuf::extract(const char *name, int &dim)
{
    double **values = std::strcmp(name, "epsilon") == 0 ? epsilon_
                      : std::strcmp(name, "sigma") == 0 ? sigma_
                                                        : nullptr;
    if (!values) return PairEnuf::extract(name, dim);
    dim = 2;
    return values;
}

Pair *make_lj_cut_coul_enuf(LAMMPS *lmp)
{
    return new PairLJCutCoulEnuf(lmp);
}

} // namespace enuf
