/* pair_coul_enuf.cpp - pair_style coul/enuf. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_enuf.h"
#include "pair_styles.h"

#include <atom.h>
#include <error.h>
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

class PairCoulEnuf : public PairEnufWith<PairCoulEnuf>
{
  public:
    explicit PairCoulEnuf(LAMMPS *lmp);
    ~PairCoulEnuf() override;

    void settings(int narg, char **arg) override;
    void coeff(int narg, char **arg) override;
    double init_one(int i, int j) override;
    void *extract(const char *name, int &dim) override;
    CoulombOnly short_range() const
    {
        return {scale_};
    }

  protected:
    Kept kept() override;
    void allocate() override;

  private:
    double **scale_ = nullptr; /* of pairs of types, for fix adapt */
};

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

} // namespace

Pair *make_coul_enuf(LAMMPS *lmp)
{
    return new PairCoulEnuf(lmp);
}

} // namespace enuf
