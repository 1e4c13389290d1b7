/*
 * pair_enuf.h - the Coulomb pairs of an Ewald splitting, exact to rounding: base of the pair styles
 * coul/enuf, lj/cut/coul/enuf and lj/charmm/coul/enuf.
 *
 * The splitting is that of the kspace style: either one of kspace_style enuf, the Gaussian one of
 * ewald and pppm. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PAIR_ENUF_H
#define ENUF_PAIR_ENUF_H

#include "pair_function.h"
#include "pair_sum.h"

#include <pair.h>

#include <cstdio>

namespace enuf
{

class PairEnuf : public LAMMPS_NS::Pair
{
  public:
    /** `style`: the name in messages. */
    PairEnuf(LAMMPS_NS::LAMMPS *lmp, const char *style);
    ~PairEnuf() override;
    PairEnuf(const PairEnuf &) = delete;
    PairEnuf &operator=(const PairEnuf &) = delete;

    void modify_params(int narg, char **arg) override;
    void init_style() override;
    void write_restart(std::FILE *file) override;
    void read_restart(std::FILE *file) override;
    void write_restart_settings(std::FILE *file) override;
    void read_restart_settings(std::FILE *file) override;
    void *extract(const char *name, int &dim) override;

  protected:
    /** The style's data in restart files: of all pairs, and [ntypes+1][ntypes+1] of types. */
    struct Kept {
        std::vector<double *> numbers;
        std::vector<int *> flags;
        std::vector<double **> of_types;
    };
    virtual Kept kept() = 0;
    /** Makes all arrays of types, also by allocate_types(). */
    virtual void allocate() = 0;

    PairArrays arrays() const;
    double product_of_charges(int i, int j) const; /* times C */
    void allocate_types();
    double cutoff_argument(const char *text, const char *what);
    /** Sets values[k] of `arrays`, and setflag, for the types I <= J that a pair_coeff command
     * names. */
    void set_types(char **arg, const std::vector<double **> &arrays, const double *values);
    /** Checks the number of arguments of a pair_coeff command; makes the arrays where there are
     * none. */
    void check_coefficients(int narg, int least, int most, const char *form);
    /** Energies and lengths of unlike types by pair_modify mix. */
    void mix(int i, int j, double **epsilon, double **sigma);
    /** Rows of a data file: of each type, or of each pair of types. */
    void write_types(std::FILE *file, bool pairs, const std::vector<double **> &arrays) const;

    const char *const style_;
    bool reported_restarts_ = false;
    double cut_coul_ = 0, cut_coulsq_ = 0;
    PairFunction function_;
    std::vector<PairHit> hits_; /* scratch: of one atom */

  private:
    /* restart files: one number; the first task writes it, or reads it and sends it to all */
    void write(std::FILE *file, const void *value, std::size_t size) const;
    void read(std::FILE *file, void *value, std::size_t size);
};

/** compute() and single() of a style whose short_range() gives the term beside the Coulomb one, as
 * pair_sum.h asks for it. */
template <class Style> class PairEnufWith : public PairEnuf
{
  public:
    using PairEnuf::PairEnuf;
    void compute(int eflag, int vflag) override;
    double single(int i, int j, int type_i, int type_j, double rsq, double factor_coul,
                  double factor_lj, double &force_over_r) override;
};

template <class Style> void PairEnufWith<Style>::compute(int eflag, int vflag)
{
    ev_init(eflag, vflag);
    const PairArrays p = arrays();
    const auto short_range = static_cast<const Style *>(this)->short_range();
    const auto pair = [this](double qq, double rsq, double share, double *force_over_r) {
        return function_.coulomb(qq, rsq, share, force_over_r);
    };
    const auto tally = [this, &p](int i, int j, double lj, double coul, double force, double dx,
                                  double dy, double dz) {
        ev_tally(i, j, p.nlocal, p.newton_pair, lj, coul, force, dx, dy, dz);
    };
    if (evflag)
        sum_pairs<true>(p, cut_coulsq_, short_range, pair, tally, hits_);
    else
        sum_pairs<false>(p, cut_coulsq_, short_range, pair, tally, hits_);
    if (vflag_fdotr) virial_fdotr_compute();
}

template <class Style>
double PairEnufWith<Style>::single(int i, int j, int type_i, int type_j, double rsq,
                                   double factor_coul, double factor_lj, double &force_over_r)
{
    const auto short_range = static_cast<const Style *>(this)->short_range();
    double energy = 0, energy_lj = 0;
    force_over_r = 0;
    if (rsq < cut_coulsq_)
        energy = function_.coulomb(short_range.scale(type_i, type_j) * product_of_charges(i, j),
                                   rsq, factor_coul, &force_over_r);
    if (rsq < short_range.cutsq(type_i, type_j)) {
        force_over_r +=
            factor_lj / rsq * short_range.force(type_i, type_j, rsq, 1 / rsq, &energy_lj);
        energy += factor_lj * energy_lj;
    }
    return energy;
}

} // namespace enuf
#endif
