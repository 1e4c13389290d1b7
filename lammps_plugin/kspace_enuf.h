/*
 * kspace_enuf.h - kspace_style enuf: the reciprocal part of LAMMPS' Coulomb sums by libenuf.
 *
 * Gaussian splitting, so that the coul/long pair styles do the pairs. Every rank holds all charges
 * and evaluates all of them: the same at any number of ranks, and not faster with more.
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_KSPACE_ENUF_H
#define ENUF_KSPACE_ENUF_H

#include "enuf/ewald.h"
#include <kspace.h>

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace enuf
{

class KSpaceEnuf : public LAMMPS_NS::KSpace
{
  public:
    explicit KSpaceEnuf(LAMMPS_NS::LAMMPS *lmp);
    ~KSpaceEnuf() override;
    KSpaceEnuf(const KSpaceEnuf &) = delete;
    KSpaceEnuf &operator=(const KSpaceEnuf &) = delete;

    void settings(int narg, char **arg) override;
    int modify_param(int narg, char **arg) override;
    void init() override;
    void setup() override;
    void compute(int eflag, int vflag) override;
    double memory_usage() override;

  private:
    struct Destroy {
        void operator()(enuf_ewald *ewald) const
        {
            enuf_ewald_destroy(&ewald);
        }
    };
    using Ewald = std::unique_ptr<enuf_ewald, Destroy>;

    /* What kspace_modify sets without asking the style, as LAMMPS' constructor leaves it. */
    struct Untouched {
        int order, minorder, overlap, differentiation, adjust_cutoff, collective, fftbench, scalar;
        double splittol;
    };

    void check_system();
    void check_pair_style();
    void check_modified();
    double pair_cutoff();
    void find_accuracy();
    enuf_ewald_options options(double cutoff) const;
    Ewald make_ewald(const enuf_ewald_options &options);
    void print(double cutoff);
    void current_cell(double cell[9]) const;
    bool edge_has_grown(const double cell[9]) const;
    void note_edges(const double cell[9]);
    void gather_atoms();
    void agree(enuf_status status);
    void add_results(const enuf_ewald_result &result);

    Untouched untouched_;
    Ewald ewald_;
    double chosen_edges_[3]; /* of the box that grid and window were chosen for */
    MPI_Datatype atom_type_; /* x, y, z, q */
    std::vector<int> counts_, offsets_;
    std::vector<double> own_, all_, charges_, set_charges_; /* [n][4], [n][4], [n], [n] */
    std::vector<double> forces_, atom_energy_, atom_virial_;
};

} // namespace enuf
#endif
