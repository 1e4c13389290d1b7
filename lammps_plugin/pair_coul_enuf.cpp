/* pair_coul_enuf.cpp - pair_style coul/enuf. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_coul_enuf.h"
#include "pair_styles.h"

#include <atom.h>
#include <error.h>
#include <memory.h>

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

namespace enuf
{

PairCoulEnuf::PairCoulEnuf(LAMMPS *lmp) : PairEnufWith(lmp, "coul/enuf")
{
}

PairCoulEnuf::~PairCoulEnuf()
{
    memory->destroy(scale_);
}

void PairCoulEnuf::allocate()
{
    allocate_types();
    const int n = atom->ntypes + 1;
    memory->create(scale_, n, n, "pair:scale");
    for (int i = 0; i < n; i++) std::fill(scale_[i], scale_[i] + n, 1.0);
}

void PairCoulEnuf::settings(int narg, char **arg)
{
    if (narg != 1)
        error->all(FLERR, "pair_style coul/enuf: {} arguments, it takes one, the cutoff", narg);
    cut_coul_ = cutoff_argument(arg[0], "Coulomb");
}

void PairCoulEnuf::coeff(int narg, char **arg)
{
    check_coefficients(narg, 2, 2, "two: types I and J");
    set_types(arg, {}, nullptr);
}

double PairCoulEnuf::init_one(int i, int j)
{
    scale_[j][i] = scale_[i][j];
    return cut_coul_;
}

PairCoulEnuf::Kept PairCoulEnuf::kept()
{
    return {{&cut_coul_}, {}, {scale_}};
}

void *PairCoulEnuf::extract(const char *name, int &dim)
{
    if (std::strcmp(name, "scale") != 0) return PairEnuf::extract(name, dim);
    dim = 2;
    return scale_;
}

Pair *make_coul_enuf(LAMMPS *lmp)
{
    return new PairCoulEnuf(lmp);
}

} // namespace enuf
