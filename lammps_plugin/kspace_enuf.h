/*
 * kspace_enuf.h - kspace_style enuf: the reciprocal part of LAMMPS' Coulomb sums by libenuf.
 *
 *   kspace_enuf.cpp            settings, init, setup
 *   kspace_enuf_choice.cpp     options and choice of parameters at the start of a run
 *   kspace_enuf_faster.cpp     the line about settings that would be faster
 *   kspace_enuf_checks.cpp     refuses systems and options that it cannot serve
 *   kspace_enuf_report.cpp     lines for the log
 *   kspace_enuf_compute.cpp    one evaluation, started early or not
 *   kspace_enuf_measure.cpp    measures the error during a run
 *   kspace_enuf_groups.cpp     compute group/group
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_KSPACE_ENUF_H
#define ENUF_KSPACE_ENUF_H

#include "charge_sites.h"
#include "evaluator.h"
#include "keywords.h"

#include "enuf/ewald.h"
#include <kspace.h>

#include <memory>
#include <string>
#include <vector>

namespace LAMMPS_NS
{
class Pair;
}

namespace enuf
{

/** How 1/r is shared between pairs and modes. */
struct Splitting {
    enuf_split kind;
    double parameter; /* alpha or c */
    double cutoff;
};

class KSpaceEnuf : public LAMMPS_NS::KSpace
{
  public:
    explicit KSpaceEnuf(LAMMPS_NS::LAMMPS *lmp);
    /** Of charges that are elsewhere than in LAMMPS' own arrays. */
    KSpaceEnuf(LAMMPS_NS::LAMMPS *lmp, std::unique_ptr<Sites> sites);
    ~KSpaceEnuf() override;
    KSpaceEnuf(const KSpaceEnuf &) = delete;
    KSpaceEnuf &operator=(const KSpaceEnuf &) = delete;

    void settings(int narg, char **arg) override;
    int modify_param(int narg, char **arg) override;
    void init() override;
    void setup() override;
    void compute(int eflag, int vflag) override;
    void compute_group_group(int groupbit_a, int groupbit_b, int aa_flag) override;
    double memory_usage() override;

    /** The splitting for the pair style: chosen by init(), constant during a run. */
    Splitting splitting() const;

    /** Begins the evaluation of this step as soon as positions are known. compute() begins it again
     * if positions, charges, box or the wanted results have changed. Collective. */
    void begin_early(int vflag);
    /** Number of evaluations of this run that were started early. */
    LAMMPS_NS::bigint begun_early() const
    {
        return early_.served;
    }

  protected:
    /** Refuses pair styles that keep their atoms elsewhere than this style. */
    virtual void check_place_of_pairs();
    /** The backend of `backend auto`. Collective. */
    virtual enuf_backend find_backend();
    /** Sets the options that go by the place of the charges. Collective. */
    virtual void place(enuf_ewald_options *options);
    /** Adds the fix of the early start, the last of all fixes, so that the others have set charges
     * and positions. */
    virtual void add_fix();
    /** After the early begin of an evaluation. */
    virtual void has_begun();
    /** The pair style, or the sub-styles of a hybrid style. */
    std::vector<LAMMPS_NS::Pair *> pair_styles() const;
    Sites &sites()
    {
        return *sites_;
    }
    /** Ends the use of the library. */
    void forget();

    Keywords keywords_;

  private:
    /* Defaults of LAMMPS' constructor for values that kspace_modify sets itself. */
    struct Untouched {
        int order, minorder, overlap, differentiation, adjust_cutoff, collective, fftbench, scalar;
        double splittol;
    };

    /* An evaluation that begin_early() has started. */
    struct Early {
        bool begun = false;
        int wanted = 0;
        double cell[9];
        LAMMPS_NS::bigint served = 0;
    };

    /* kspace_enuf_checks.cpp */
    void check_system();
    void check_pair_style();
    void check_modified();
    void check_fixes();
    bool all_pairs_are_ours() const;
    double pair_cutoff();

    /* What was found about other settings. */
    struct Advice {
        std::string settings; /* empty: nothing is known yet */
        double cutoff = 0, accuracy = 0;
        std::string line; /* empty: not faster */
    };

    /* kspace_enuf_choice.cpp */
    enuf_ewald_options options(enuf_backend backend);
    bool needs_gaussian() const;
    void make_evaluator(const enuf_ewald_options &options);
    void choose(const enuf_ewald_options &options);
    bool may_calibrate() const;
    bool is_ordered();
    void add_tail();

    /* kspace_enuf_faster.cpp */
    void find_faster(const enuf_ewald_options &present);
    std::string faster_options(enuf_ewald_options *options) const;

    /* kspace_enuf.cpp */
    void find_accuracy();
    bool begins_early();
    void current_cell(double cell[9]) const;
    enuf_ewald_report report();
    void succeed(enuf_status status);

    /* kspace_enuf_report.cpp */
    void print();
    void print_tail(const enuf_ewald_report &r);
    bool is_grid_given() const;
    void warn_of_grid();

    /* kspace_enuf_compute.cpp */
    int wanted_now() const;
    void evaluate(int wanted);
    bool finish_early(int wanted);
    void drop_early();
    void add_results();

    /* kspace_enuf_measure.cpp */
    void measure_error();
    void watch_error();
    double find_error();
    void choose_anew(double unit);

    Untouched untouched_;
    std::unique_ptr<Sites> sites_;
    ChargeSites group_sites_;
    Splitting splitting_;
    enuf_ewald_options options_;                             /* as chosen by init() */
    std::unique_ptr<Evaluator> evaluator_, group_evaluator_; /* of all charges, of a group's */
    Early early_;
    bool by_positions_ = false;    /* the choice in use */
    bool tail_due_ = false;        /* the modes left out are to be measured in this run */
    double seconds_predicted_ = 0; /* of the modes, of the choice before positions change it */
    Advice advice_;
    LAMMPS_NS::bigint evaluations_ = 0, watched_at_ = 0; /* since init(); the next to be watched */
    bool measured_ = false;
    bool warned_of_grid_ = false; /* in this run */
};

} // namespace enuf
#endif
