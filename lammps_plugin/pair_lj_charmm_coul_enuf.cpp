/* pair_lj_charmm_coul_enuf.cpp - pair_style lj/charmm/coul/enuf. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "pair_enuf.h"
#include "pair_styles.h"

#include <atom.h>
#include <error.h>
#include <memory.h>
#include <utils.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

/* coefficients of r^-12 and r^-6, of force times r and of energy */
struct Term {
    double force12, force6, energy12, energy6;
};

/*
 * Lennard-Jones times CHARMM's switch, which is 1 up to the inner cutoff a and falls to 0 at the
 * outer one b: (b^2 - r^2)^2 (b^2 + 2 r^2 - 3 a^2)/(b^2 - a^2)^3. Source: MacKerell and others,
 * J. Phys. Chem. B 102 (1998) 3586; LAMMPS' manual, pair_style lj/charmm/coul/long.
 */
struct SwitchedLennardJones {
    const Term *terms;
    int n;
    double innersq, outersq, per_width3; /* 1/(b^2 - a^2)^3 */

    double cutsq(int, int) const
    {
        return outersq;
    }
    double force(int i, int j, double rsq, double r2inv, double *energy) const
    {
        const Term &t = terms[i * n + j];
        const double r6inv = r2inv * r2inv * r2inv;
        double e = r6inv * (t.energy12 * r6inv - t.energy6);
        double f = r6inv * (t.force12 * r6inv - t.force6);
        if (rsq > innersq) {
            const double out = outersq - rsq, in = rsq - innersq;
            const double s = out * out * (outersq + 2 * rsq - 3 * innersq) * per_width3;
            f = f * s + e * 12 * rsq * out * in * per_width3;
            e *= s;
        }
        *energy = e;
        return f;
    }
    double scale(int, int) const
    {
        return 1;
    }
};

class PairLJCharmmCoulEnuf : public PairEnufWith<PairLJCharmmCoulEnuf>
{
  public:
    explicit PairLJCharmmCoulEnuf(LAMMPS *lmp);
    ~PairLJCharmmCoulEnuf() override;

    void settings(int narg, char **arg) override;
    void coeff(int narg, char **arg) override;
    void init_style() override;
    double init_one(int i, int j) override;
    void write_data(std::FILE *file) override;
    void write_data_all(std::FILE *file) override;
    void *extract(const char *name, int &dim) override;
    SwitchedLennardJones short_range() const;

  protected:
    Kept kept() override;
    void allocate() override;

  private:
    void set(int i, int j, double **epsilon, double **sigma, Term *term) const;

    double cut_inner_ = 0, cut_outer_ = 0;
    int implicit_ = 0; /* for dihedral_style charmm: Coulomb pairs are not of the implicit kind */
    double **epsilon_ = nullptr, **sigma_ = nullptr, **epsilon14_ = nullptr, **sigma14_ = nullptr;
    double **terms14_[4] = {}; /* lj14_1 ... lj14_4, read by dihedral_style charmm */
    std::vector<Term> terms_;  /* [ntypes+1][ntypes+1] */
};

PairLJCharmmCoulEnuf::PairLJCharmmCoulEnuf(LAMMPS *lmp) : PairEnufWith(lmp, "lj/charmm/coul/enuf")
{
    mix_flag = ARITHMETIC;
    writedata = 1;
}

PairLJCharmmCoulEnuf::~PairLJCharmmCoulEnuf()
{
    for (double **values : {epsilon_, sigma_, epsilon14_, sigma14_, terms14_[0], terms14_[1],
                            terms14_[2], terms14_[3]})
        memory->destroy(values);
}

void PairLJCharmmCoulEnuf::allocate()
{
    allocate_types();
    const int n = atom->ntypes + 1;
    memory->create(epsilon_, n, n, "pair:epsilon");
    memory->create(sigma_, n, n, "pair:sigma");
    memory->create(epsilon14_, n, n, "pair:epsilon14");
    memory->create(sigma14_, n, n, "pair:sigma14");
    for (double **&values : terms14_) memory->create(values, n, n, "pair:lj14");
    terms_.assign(static_cast<size_t>(n) * n, Term());
}

SwitchedLennardJones PairLJCharmmCoulEnuf::short_range() const
{
    const double innersq = cut_inner_ * cut_inner_, outersq = cut_outer_ * cut_outer_;
    return {terms_.data(), atom->ntypes + 1, innersq, outersq, std::pow(outersq - innersq, -3)};
}

void PairLJCharmmCoulEnuf::settings(int narg, char **arg)
{
    if (narg < 2 || narg > 3)
        error->all(FLERR,
                   "pair_style lj/charmm/coul/enuf: {} arguments, it takes the inner and the "
                   "outer Lennard-Jones cutoff and, if that is another, the Coulomb cutoff",
                   narg);
    cut_inner_ = cutoff_argument(arg[0], "inner");
    cut_outer_ = cutoff_argument(arg[1], "outer");
    cut_coul_ = narg == 3 ? cutoff_argument(arg[2], "Coulomb") : cut_outer_;
}

void PairLJCharmmCoulEnuf::coeff(int narg, char **arg)
{
    const char *form =
        "types I and J, epsilon, sigma and, if other for 1-4 pairs, epsilon and sigma "
        "of those";
    if (narg == 5)
        error->all(FLERR, "pair_coeff for pair_style lj/charmm/coul/enuf: 5 arguments, it takes {}",
                   form);
    check_coefficients(narg, 4, 6, form);
    double values[4];
    for (int k = 0; k < 4; k++)
        values[k] = utils::numeric(FLERR, arg[narg == 6 ? 2 + k : 2 + k % 2], false, lmp);
    set_types(arg, {epsilon_, sigma_, epsilon14_, sigma14_}, values);
}

void PairLJCharmmCoulEnuf::init_style()
{
    if (cut_inner_ >= cut_outer_)
        error->all(FLERR,
                   "pair_style lj/charmm/coul/enuf: the inner cutoff {} has to be less than "
                   "the outer one, {}",
                   cut_inner_, cut_outer_);
    PairEnuf::init_style();
}

/* The term of types i, j; both ways. */
void PairLJCharmmCoulEnuf::set(int i, int j, double **epsilon, double **sigma, Term *term) const
{
    const double e = epsilon[i][j], s6 = std::pow(sigma[i][j], 6);
    epsilon[j][i] = e;
    sigma[j][i] = sigma[i][j];
    *term = {48 * e * s6 * s6, 24 * e * s6, 4 * e * s6 * s6, 4 * e * s6};
}

double PairLJCharmmCoulEnuf::init_one(int i, int j)
{
    if (!setflag[i][j]) {
        mix(i, j, epsilon_, sigma_);
        mix(i, j, epsilon14_, sigma14_);
    }
    const int n = atom->ntypes + 1;
    Term term14;
    set(i, j, epsilon_, sigma_, &terms_[i * n + j]);
    terms_[j * n + i] = terms_[i * n + j];
    set(i, j, epsilon14_, sigma14_, &term14);
    const double values[4] = {term14.force12, term14.force6, term14.energy12, term14.energy6};
    for (int k = 0; k < 4; k++) terms14_[k][i][j] = terms14_[k][j][i] = values[k];
    return std::max(cut_outer_, cut_coul_);
}

PairEnuf::Kept PairLJCharmmCoulEnuf::kept()
{
    return {{&cut_inner_, &cut_outer_, &cut_coul_},
            {&offset_flag, &mix_flag},
            {epsilon_, sigma_, epsilon14_, sigma14_}};
}

void PairLJCharmmCoulEnuf::write_data(std::FILE *file)
{
    write_types(file, false, {epsilon_, sigma_, epsilon14_, sigma14_});
}

void PairLJCharmmCoulEnuf::write_data_all(std::FILE *file)
{
    write_types(file, true, {epsilon_, sigma_, epsilon14_, sigma14_});
}

void *PairLJCharmmCoulEnuf::extract(const char *name, int &dim)
{
    const struct {
        const char *name;
        double **values;
    } arrays[] = {{"lj14_1", terms14_[0]}, {"lj14_2", terms14_[1]}, {"lj14_3", terms14_[2]},
                  {"lj14_4", terms14_[3]}, {"epsilon", epsilon_},   {"sigma", sigma_}};
    for (const auto &array : arrays)
        if (std::strcmp(name, array.name) == 0) {
            dim = 2;
            return array.values;
        }
    if (std::strcmp(name, "implicit") == 0) {
        dim = 0;
        return &implicit_;
    }
    return PairEnuf::extract(name, dim);
}

} // namespace

Pair *make_lj_charmm_coul_enuf(LAMMPS *lmp)
{
    return new PairLJCharmmCoulEnuf(lmp);
}

} // namespace enuf
