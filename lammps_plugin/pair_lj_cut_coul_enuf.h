/* pair_lj_cut_coul_enuf.h - pair_style lj/cut/coul/enuf. SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_PAIR_LJ_CUT_COUL_ENUF_H
#define ENUF_PAIR_LJ_CUT_COUL_ENUF_H

#include "lennard_jones.h"
#include "pair_enuf.h"

#include <atom.h>

#include <vector>

namespace enuf
{

struct LennardJones {
    const LennardJonesTerm *terms;
    int n;

    const LennardJonesTerm &term(int i, int j) const
    {
        return terms[i * n + j];
    }
    double cutsq(int i, int j) const
    {
        return term(i, j).cutsq;
    }
    double force(int i, int j, double, double r2inv, double *energy) const
    {
        return term(i, j).force(r2inv, energy);
    }
    double scale(int, int) const
    {
        return 1;
    }
};

class PairLJCutCoulEnuf : public PairEnufWith<PairLJCutCoulEnuf>
{
  public:
    explicit PairLJCutCoulEnuf(LAMMPS_NS::LAMMPS *lmp);
    ~PairLJCutCoulEnuf() override;

    void settings(int narg, char **arg) override;
    void coeff(int narg, char **arg) override;
    double init_one(int i, int j) override;
    void write_data(std::FILE *file) override;
    void write_data_all(std::FILE *file) override;
    void *extract(const char *name, int &dim) override;
    LennardJones short_range() const
    {
        return {terms_.data(), atom->ntypes + 1};
    }

  protected:
    Kept kept() override;
    void allocate() override;

  private:
    void find_tail(int i, int j);

    double cut_lj_global_ = 0;
    double **epsilon_ = nullptr, **sigma_ = nullptr, **cut_lj_ = nullptr;
    std::vector<LennardJonesTerm> terms_; /* [ntypes+1][ntypes+1] */
};

} // namespace enuf
#endif
