/* pair_lj_cut_coul_enuf.h - pair_style lj/cut/coul/enuf CUT_LJ [CUT_COUL]. SPDX-License-Identifier:
 * GPL-2.0-only */
#ifndef ENUF_PAIR_LJ_CUT_COUL_ENUF_H
#define ENUF_PAIR_LJ_CUT_COUL_ENUF_H

#include "pair_enuf.h"

#include <vector>

namespace enuf
{

class PairLJCutCoulEnuf : public PairEnuf
{
  public:
    explicit PairLJCutCoulEnuf(LAMMPS_NS::LAMMPS *lmp);
    ~PairLJCutCoulEnuf() override;

    void compute(int eflag, int vflag) override;
    void settings(int narg, char **arg) override;
    void coeff(int narg, char **arg) override;
    double init_one(int i, int j) override;
    double single(int i, int j, int type_i, int type_j, double rsq, double factor_coul,
                  double factor_lj, double &force_over_r) override;
    void write_data(std::FILE *file) override;
    void write_data_all(std::FILE *file) override;
    void *extract(const char *name, int &dim) override;

  protected:
    Kept kept() override;
    void allocate() override;

  private:
    /* 4 epsilon [(sigma/r)^12 - (sigma/r)^6] - offset */
    struct Term {
        double cutsq, force12, force6, energy12, energy6, offset;
    };
    struct LennardJones;

    void find_tail(int i, int j);

    double cut_lj_global_ = 0;
    double **epsilon_ = nullptr, **sigma_ = nullptr, **cut_lj_ = nullptr;
    std::vector<Term> terms_; /* [ntypes+1][ntypes+1] */
};

} // namespace enuf
#endif
