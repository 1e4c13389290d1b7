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

#include <cmath>
#include <cstdio>

namespace enuf
{

class PairEnuf : public LAMMPS_NS::Pair
{
  public:
    /** `style` is the name that messages use. */
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
    /** What restart files hold of a style: of all pairs, and [ntypes+1][ntypes+1] of types. */
    struct Kept {
        std::vector<double *> numbers;
        std::vector<int *> flags;
        std::vector<double **> of_types;
    };
    virtual Kept kept() = 0;
    /** Makes the arrays of types, those of allocate_types() too. */
    virtual void allocate() = 0;

    /** Coulomb energy of two charges at rsq < cutoff^2 and their force over r, both times C;
     * `share` is what special_bonds leaves of 1/r. */
    double coulomb(double qq, double rsq, double share, double *force_over_r) const
    {
        const double r2inv = 1 / rsq, rinv = std::sqrt(r2inv);
        double mesh_energy, mesh_force;
        function_.of_mesh(rsq, &mesh_energy, &mesh_force);
        *force_over_r = qq * (share * rinv * r2inv - mesh_force);
        return qq * (share * rinv - mesh_energy);
    }

    /** compute() of a style whose other term is `short_range`. */
    template <class ShortRange> void sum(int eflag, int vflag, const ShortRange &short_range);

    /** single() of such a style. */
    template <class ShortRange>
    double single_pair(double qq, int type_i, int type_j, double rsq, double factor_coul,
                       double factor_lj, const ShortRange &short_range, double *force_over_r) const;

    PairArrays arrays() const;
    void allocate_types();
    double cutoff_argument(const char *text, const char *what);
    void coefficient_types(int narg, char **arg, int least, int most, const char *form,
                           int range[4]);

    const char *const style_;
    double cut_coul_ = 0, cut_coulsq_ = 0;
    PairFunction function_;
    std::vector<PairHit> hits_; /* scratch: of one atom */

  private:
    /* restart files: one number, written by the first task, read and told to all */
    void write(std::FILE *file, const void *value, std::size_t size) const;
    void read(std::FILE *file, void *value, std::size_t size);
};

template <class ShortRange> void PairEnuf::sum(int eflag, int vflag, const ShortRange &short_range)
{
    ev_init(eflag, vflag);
    const PairArrays p = arrays();
    const auto pair = [this](double qq, double rsq, double share, double *force_over_r) {
        return coulomb(qq, rsq, share, force_over_r);
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

template <class ShortRange>
double PairEnuf::single_pair(double qq, int type_i, int type_j, double rsq, double factor_coul,
                             double factor_lj, const ShortRange &short_range,
                             double *force_over_r) const
{
    double energy = 0, energy_lj = 0;
    *force_over_r = 0;
    if (rsq < cut_coulsq_)
        energy = coulomb(short_range.scale(type_i, type_j) * qq, rsq, factor_coul, force_over_r);
    if (rsq < short_range.cutsq(type_i, type_j)) {
        *force_over_r +=
            factor_lj / rsq * short_range.force(type_i, type_j, rsq, 1 / rsq, &energy_lj);
        energy += factor_lj * energy_lj;
    }
    return energy;
}

} // namespace enuf
#endif
