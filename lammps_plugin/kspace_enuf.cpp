/* kspace_enuf.cpp - the functions of a kspace style. SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include "fix_enuf_early.h"

#include <atom.h>
#include <comm.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <modify.h>
#include <pair.h>
#include <update.h>
#include <utils.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

KSpaceEnuf::KSpaceEnuf(LAMMPS *lmp) : KSpaceEnuf(lmp, std::make_unique<ChargeSites>(lmp))
{
}

KSpaceEnuf::KSpaceEnuf(LAMMPS *lmp, std::unique_ptr<Sites> sites)
    : KSpace(lmp), sites_(std::move(sites)), group_sites_(lmp)
{
    ewaldflag = 1; // every pair style that kspace_style ewald accepts
    group_group_enable = 1;
    triclinic_support = 1;
    accuracy_relative = 0;
    // some releases leave these as they find them
    scale = 1;
    qqrd2e = force->qqrd2e;
    g_ewald = 0;
    accuracy = 0;
    nx_pppm = ny_pppm = nz_pppm = 0;
    splitting_ = {ENUF_SPLIT_GAUSSIAN, 0, 0};
    untouched_ = {order,
                  minorder,
                  overlap_allowed,
                  differentiation_flag,
                  adjust_cutoff_flag,
                  collective_flag,
                  fftbench,
                  scalar_pressure_flag,
                  splittol};
}

KSpaceEnuf::~KSpaceEnuf()
{
    // When LAMMPS ends, modify deletes its fixes itself; during a run it is going through them.
    // The fix does nothing without this style.
    if (update && modify && update->whichflag == 0 && modify->get_fix_by_id(FixEnufEarly::id))
        modify->delete_fix(FixEnufEarly::id);
}

void KSpaceEnuf::forget()
{
    evaluator_.reset();
    group_evaluator_.reset();
}

void KSpaceEnuf::settings(int narg, char **arg)
{
    if (narg < 1)
        error->all(FLERR, "kspace_style enuf: the accuracy is missing: kspace_style enuf 1.0e-5");
    accuracy_relative = std::fabs(utils::numeric(FLERR, arg[0], false, lmp));
    if (accuracy_relative > 1)
        error->all(FLERR,
                   "kspace_style enuf: the accuracy is {}: it has to be at most 1, the force of "
                   "two unit charges at unit distance; kspace_modify force takes an absolute error",
                   arg[0]);
    keywords_ = Keywords();
    advice_ = Advice();
    for (int at = 1; at < narg;)
        at += keywords_.read(lmp, "kspace_style enuf", narg - at, arg + at);
}

int KSpaceEnuf::modify_param(int narg, char **arg)
{
    if (std::string(arg[0]).compare(0, 5, "enuf/") != 0)
        error->all(
            FLERR,
            "kspace_modify: kspace_style enuf does not know '{}'; it takes force, gewald, "
            "mesh, slab, compute and its own keywords after enuf/, such as enuf/split prolate",
            arg[0]);
    advice_ = Advice();
    return keywords_.read(lmp, "kspace_modify", narg, arg);
}

/* All tasks have the same status and text. */
void KSpaceEnuf::succeed(enuf_status status)
{
    if (status != ENUF_SUCCESS) error->all(FLERR, "kspace_style enuf: {}", enuf_last_error());
}

void KSpaceEnuf::find_accuracy()
{
    two_charge();
    scale = 1;
    qqrd2e = force->qqrd2e;
    qsum_qsq();
    accuracy = accuracy_absolute >= 0 ? accuracy_absolute : accuracy_relative * two_charge_force;
    if (!(accuracy > 0))
        error->all(FLERR, "kspace_style enuf: the accuracy is {}: it has to be more than 0",
                   accuracy_absolute >= 0 ? accuracy_absolute : accuracy_relative);
    if (qsqsum == 0 && !gewaldflag)
        error->all(FLERR, "kspace_style enuf: all charges are 0, nothing to choose the splitting "
                          "by: set charges first, or give kspace_modify gewald");
}

enuf_ewald_report KSpaceEnuf::report()
{
    enuf_ewald_report r = {};
    r.struct_size = sizeof r;
    succeed(evaluator_->get_report(&r));
    return r;
}

/* Work on one GPU needs no messages between tasks. */
bool KSpaceEnuf::begins_early()
{
    report();
    const bool gains = evaluator_->devices() == 1;
    if (keywords_.early == Choice::automatic) return gains;
    if (keywords_.early == Choice::yes && !gains && comm->me == 0)
        error->warning(FLERR, "kspace_style enuf: early yes gains nothing without one GPU for all "
                              "MPI tasks: the work is done where LAMMPS asks for it");
    return keywords_.early == Choice::yes;
}

void KSpaceEnuf::add_fix()
{
    modify->add_fix(std::string(FixEnufEarly::id) + " all " + FixEnufEarly::style);
}

void KSpaceEnuf::init()
{
    if (comm->me == 0) utils::logmesg(lmp, "enuf initialization ...\n");
    triclinic_check();
    check_pair_style();
    check_system();
    check_modified();
    check_fixes();
    splitting_.cutoff = pair_cutoff();
    find_accuracy();
    sites_->init();
    if (keywords_.calibrate == Choice::yes && sites_->tip4p())
        error->all(FLERR, "kspace_style enuf: calibrate yes looks at the charges before the run, "
                          "when the sites of TIP4P water are not known yet: use calibrate auto, or "
                          "measure, which looks at them during the run");
    early_ = Early();
    measured_ = false;
    evaluations_ = 0;

    const enuf_backend backend =
        keywords_.backend == ENUF_BACKEND_AUTO ? find_backend() : keywords_.backend;
    if (keywords_.gather == Gather::first && backend == ENUF_BACKEND_CPU)
        error->all(FLERR, "kspace_style enuf: gather first needs backend cuda: on CPUs every MPI "
                          "task evaluates its own atoms");
    sites_->collect_atoms();
    const enuf_ewald_options present = options(backend);
    choose(present);
    group_evaluator_.reset();
    const enuf_ewald_options &o = options_;
    splitting_.kind = o.split;
    splitting_.parameter = o.split == ENUF_SPLIT_PROLATE ? o.c : o.alpha;
    g_ewald = o.alpha; // 0 with the prolate splitting, which has none
    group_group_enable = o.split == ENUF_SPLIT_GAUSSIAN && !sites_->tip4p();
    if (modify->get_fix_by_id(FixEnufEarly::id)) modify->delete_fix(FixEnufEarly::id);
    if (begins_early()) add_fix();
    find_faster(present);
    print();
}

Splitting KSpaceEnuf::splitting() const
{
    return splitting_;
}

/* Each evaluation reads the box. */
void KSpaceEnuf::setup()
{
    drop_early();
}

void KSpaceEnuf::current_cell(double cell[9]) const
{
    const double edges[9] = {domain->xprd, 0, 0, 0, domain->yprd, 0, 0, 0, domain->zprd};
    std::copy(edges, edges + 9, cell);
    if (domain->triclinic) {
        cell[3] = domain->xy;
        cell[6] = domain->xz;
        cell[7] = domain->yz;
    }
    // nozforce has no dipole term and leaves the room that an earlier slab keyword made
    if (slabflag == 2)
        for (int d = 6; d < 9; d++) cell[d] *= slab_volfactor;
}

double KSpaceEnuf::memory_usage()
{
    double bytes = maxeatom * sizeof(double) + maxvatom * 6.0 * sizeof(double);
    for (const auto *evaluator : {evaluator_.get(), group_evaluator_.get()})
        if (evaluator) bytes += evaluator->memory_usage();
    return bytes + sites_->memory_usage() + group_sites_.memory_usage();
}

} // namespace enuf
