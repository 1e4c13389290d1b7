/* pair_coul_enuf.h - pair_style coul/enuf. SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_PAIR_COUL_ENUF_H
#define ENUF_PAIR_COUL_ENUF_H

#include "lennard_jones.h"
#include "pair_enuf.h"

namespace enuf
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
    LennardJonesTerm term(int, int) const
    {
        return {};
    }
    double scale(int i, int j) const
    {
        return scale_of_types[i][j];
    }
};

class PairCoulEnuf : public PairEnufWith<PairCoulEnuf>
{
  public:
    explicit PairCoulEnuf(LAMMPS_NS::LAMMPS *lmp);
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

} // namespace enuf
#endif
