/* pair_coul_enuf.cpp - pair_style coul/enuf. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_coul_enuf.h"

#include <atom.h>
#include <error.h>
#include <force.h>
#include <memory.h>

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

/* No other term. */
struct CoulombOnly {
    double **scale_of_types;

    double cutsq(int, int) const
    {
        return 0;
    }
    double force(int, int, double, double, double *) const
    {
        return 0;
    }
    double scale(int i, int j) const
    {
        return scale_of_types[i][j];
    }
};

} // namespace

PairCoulEnuf::PairCoulEnuf(LAMMPS *lmp) : PairEnuf(lmp, "coul/enuf")
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

void PairCoulEnuf::compute(int eflag, int vflag)
{
    sum(eflag, vflag, CoulombOnly{scale_});
}

void PairCoulEnuf::settings(int narg, char **arg)
{
    if (narg != 1)
        error->all(FLERR, "pair_style coul/enuf: {} arguments, it takes one, the cutoff", narg);
    cut_coul_ = cutoff_argument(arg[0], "Coulomb");
}

void PairCoulEnuf::coeff(int narg, char **arg)
{
    int range[4];
    coefficient_types(narg, arg, 2, 2, "two: types I and J", range);
    for (int i = range[0]; i <= range[1]; i++)
        for (int j = std::max(range[2], i); j <= range[3]; j++) setflag[i][j] = 1;
}

double PairCoulEnuf::init_one(int i, int j)
{
    scale_[j][i] = scale_[i][j];
    return cut_coul_;
}

double PairCoulEnuf::single(int i, int j, int type_i, int type_j, double rsq, double factor_coul,
                            double factor_lj, double &force_over_r)
{
    const double qq = force->qqrd2e * atom->q[i] * atom->q[j];
    return single_pair(qq, type_i, type_j, rsq, factor_coul, factor_lj, CoulombOnly{scale_},
                       &force_over_r);
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

} // namespace enuf
