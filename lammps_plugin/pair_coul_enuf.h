/* pair_coul_enuf.h - pair_style coul/enuf CUTOFF: Coulomb pairs alone. SPDX-License-Identifier:
 * GPL-2.0-only */
#ifndef ENUF_PAIR_COUL_ENUF_H
#define ENUF_PAIR_COUL_ENUF_H

#include "pair_enuf.h"

namespace enuf
{

class PairCoulEnuf : public PairEnuf
{
  public:
    explicit PairCoulEnuf(LAMMPS_NS::LAMMPS *lmp);
    ~PairCoulEnuf() override;

    void compute(int eflag, int vflag) override;
    void settings(int narg, char **arg) override;
    void coeff(int narg, char **arg) override;
    double init_one(int i, int j) override;
    double single(int i, int j, int type_i, int type_j, double rsq, double factor_coul,
                  double factor_lj, double &force_over_r) override;
    void *extract(const char *name, int &dim) override;

  protected:
    Kept kept() override;
    void allocate() override;

  private:
    double **scale_ = nullptr; /* of pairs of types, for fix adapt */
};

} // namespace enuf
#endif
