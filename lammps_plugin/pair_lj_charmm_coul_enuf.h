/* pair_lj_charmm_coul_enuf.h - pair_style lj/charmm/coul/enuf INNER OUTER [CUT_COUL].
 * SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_PAIR_LJ_CHARMM_COUL_ENUF_H
#define ENUF_PAIR_LJ_CHARMM_COUL_ENUF_H

#include "pair_enuf.h"

#include <vector>

namespace enuf
{

class PairLJCharmmCoulEnuf : public PairEnuf
{
  public:
    explicit PairLJCharmmCoulEnuf(LAMMPS_NS::LAMMPS *lmp);
    ~PairLJCharmmCoulEnuf() override;

    void compute(int eflag, int vflag) override;
    void settings(int narg, char **arg) override;
    void coeff(int narg, char **arg) override;
    void init_style() override;
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
    /* coefficients of r^-12 and r^-6, of force times r and of energy */
    struct Term {
        double force12, force6, energy12, energy6;
    };
    struct SwitchedLennardJones;

    SwitchedLennardJones switched() const;
    void set(int i, int j, double **epsilon, double **sigma, Term *term) const;

    double cut_inner_ = 0, cut_outer_ = 0;
    int implicit_ =
        0; /* dihedral_style charmm asks whether Coulomb pairs are of the implicit kind */
    double **epsilon_ = nullptr, **sigma_ = nullptr, **epsilon14_ = nullptr, **sigma14_ = nullptr;
    double **terms14_[4] = {}; /* lj14_1 ... lj14_4, read by dihedral_style charmm */
    std::vector<Term> terms_;  /* [ntypes+1][ntypes+1] */
};

} // namespace enuf
#endif
