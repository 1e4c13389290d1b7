/* kspace_enuf_choice.cpp - options and choice of parameters at the start of a run.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <force.h>
#include <modify.h>
#include <update.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

static bool has_gpu()
{
    enuf_ewald_options o;
    enuf_ewald_options_init(&o);
    o.backend = ENUF_BACKEND_CUDA;
    enuf_ewald *made = nullptr;
    const bool is_made = enuf_ewald_create(&o, &made) == ENUF_SUCCESS;
    enuf_ewald_destroy(&made);
    return is_made;
}

static bool on_one_machine(MPI_Comm world)
{
    MPI_Comm machine;
    int here, all;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_size(world, &all);
    MPI_Comm_free(&machine);
    return here == all;
}

/* GPUs, if the first task has one and all tasks run on one machine. */
enuf_backend KSpaceEnuf::find_backend()
{
    int backend = ENUF_BACKEND_CPU;
    const bool near = on_one_machine(world);
    if (comm->me == 0 && near && has_gpu()) backend = ENUF_BACKEND_CUDA;
    MPI_Bcast(&backend, 1, MPI_INT, 0, world);
    return static_cast<enuf_backend>(backend);
}

enuf_ewald_options KSpaceEnuf::options(enuf_backend backend)
{
    // LAMMPS averages errors over all atoms, the library over charged atoms
    bigint n_charged = 0, own = 0;
    for (int i = 0; i < atom->nlocal; i++) own += atom->q[i] != 0;
    MPI_Allreduce(&own, &n_charged, 1, MPI_LMP_BIGINT, MPI_SUM, world);
    const double atoms_each =
        n_charged ? static_cast<double>(atom->natoms) / static_cast<double>(n_charged) : 1;

    enuf_ewald_options o;
    enuf_ewald_options_init(&o);
    o.accuracy = 0;
    o.force_error = accuracy * std::sqrt(atoms_each);
    o.coulomb = qqrd2e;
    o.split = keywords_.split == ENUF_SPLIT_AUTO && needs_gaussian() ? ENUF_SPLIT_GAUSSIAN
                                                                     : keywords_.split;
    o.cutoff = splitting_.cutoff;
    o.alpha = gewaldflag ? g_ewald : 0;
    if (o.alpha > 0) o.split = ENUF_SPLIT_GAUSSIAN;
    if (gridflag) {
        o.grid[0] = nx_pppm;
        o.grid[1] = ny_pppm;
        o.grid[2] = nz_pppm;
    }
    if (keywords_.grid[0] > 0) std::copy(keywords_.grid, keywords_.grid + 3, o.grid);
    o.window = keywords_.window;
    o.slab = slabflag == 1 ? slab_volfactor : 0;
    o.arithmetic = keywords_.arithmetic;
    // integers of deterministic sums have the digits of double
    if (keywords_.deterministic && o.arithmetic == ENUF_ARITHMETIC_BY_ACCURACY)
        o.arithmetic = ENUF_ARITHMETIC_AUTO;
    o.deterministic = keywords_.deterministic;
    o.backend = backend;
    o.threads = comm->nthreads;
    // one GPU for all tasks of a machine: an early start hides more than a second GPU saves
    if (comm->nprocs > 1 && backend != ENUF_BACKEND_CPU && keywords_.gather != Gather::none)
        o.device = 0;
    place(&o);
    return o;
}

/* LAMMPS' own arrays are on the host. */
void KSpaceEnuf::place(enuf_ewald_options *options)
{
    options->memory = ENUF_HOST;
}

/* Pair styles of LAMMPS have the erfc of the Gaussian splitting; compute group/group needs its self
 * energies. */
bool KSpaceEnuf::needs_gaussian() const
{
    return !all_pairs_are_ours() || !modify->get_compute_by_style("^group/group").empty();
}

/* Makes evaluator_ for the present system, and tunes it. */
void KSpaceEnuf::make_evaluator(const enuf_ewald_options &o)
{
    double cell[9];
    current_cell(cell);
    evaluator_ = std::make_unique<Evaluator>(world, *sites_);
    succeed(evaluator_->create(o));
    succeed(evaluator_->set_system(cell));
    succeed(evaluator_->tune(keywords_.calibrate == Choice::yes));
    // its errors are ignored: before the run starts, two atoms may still be at one place
    evaluator_->verify();
}

/* A choice by the positions takes as long as some hundred evaluations of few charges, whose errors
 * scatter much. */
static const int FEWEST_STEPS = 100;
static const bigint FEWEST_CHARGES = 1000;

/* Fixes that change charges, and with them the error that was measured. */
static const char *const CHANGE_CHARGES[] = {
    "^qeq", "^acks2", "^qtpie", "^adapt", "^set$", "^bond/react", "^charge/regulation"};

/*
 * calibrate auto: not where another start must give equal bits; not for TIP4P, whose sites are not
 * known before the run; not for a grid that is given, of which only the width is left to choose;
 * and only in runs of steps that move atoms by thermal forces.
 */
bool KSpaceEnuf::may_calibrate() const
{
    if (keywords_.calibrate != Choice::automatic || keywords_.deterministic || sites_->tip4p() ||
        is_grid_given() || qsqsum == 0)
        return false;
    if (update->whichflag != 1 || update->nsteps < FEWEST_STEPS) return false;
    for (const char *styles : CHANGE_CHARGES)
        if (!modify->get_fix_by_style(styles).empty()) return false;
    bigint charged = 0, own = 0;
    for (int i = 0; i < atom->nlocal; i++) own += atom->q[i] != 0;
    MPI_Allreduce(&own, &charged, 1, MPI_LMP_BIGINT, MPI_SUM, world);
    return charged >= FEWEST_CHARGES;
}

/* The least RMS Coulomb force of a liquid, in F_ref: sodium chloride has 0.2 (300 K) to 0.42 (1500
 * K) as a crystal and 0.75 molten, water 3.5. */
static const double OF_LIQUIDS = 0.5;

/* Of charges on a lattice the forces cancel, and so do their errors. Charges may leave their
 * lattice, so that what is measured there says nothing about the run. */
bool KSpaceEnuf::is_ordered()
{
    double rms = 0;
    return evaluator_->rms_force(&rms) != ENUF_SUCCESS || rms < OF_LIQUIDS * report().f_ref;
}

/*
 * The pair style reads the splitting once a run. So the final object gets the splitting as explicit
 * options, which a change of the cell does not change; grid, window and width may change. With
 * calibrate auto the splitting serves charges without correlation, so that grid, window and width
 * can be repaired when the positions lose theirs.
 */
void KSpaceEnuf::choose(const enuf_ewald_options &of_keywords)
{
    enuf_ewald_options o = of_keywords;
    if (o.alpha == 0) {
        make_evaluator(o);
        const enuf_ewald_report r = report();
        o.split = r.split;
        o.alpha = r.alpha;
        o.c = r.c;
    }
    make_evaluator(o);
    options_ = o;
    succeed(evaluator_->predict_seconds(&seconds_predicted_));
    by_positions_ = keywords_.calibrate == Choice::yes;
    // after an error the choice is as before
    if (may_calibrate() && !is_ordered()) by_positions_ = evaluator_->tune(true) == ENUF_SUCCESS;
    tail_due_ = keywords_.calibrate == Choice::automatic && !by_positions_ && qsqsum != 0;
    // the sites of TIP4P are known in compute()
    if (!sites_->tip4p()) add_tail();
}

/* calibrate auto: energy and pressure have the modes left out in every run, so that short and long
 * runs agree. An error leaves them out, and the log has no line about them. */
void KSpaceEnuf::add_tail()
{
    if (tail_due_) evaluator_->measure_tail();
    tail_due_ = false;
}

} // namespace enuf
