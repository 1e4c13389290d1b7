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

KSpaceEnuf::KSpaceEnuf(LAMMPS *lmp) : KSpace(lmp), sites_(lmp)
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

void KSpaceEnuf::settings(int narg, char **arg)
{
    if (narg < 1)
        error->all(FLERR, "kspace_style enuf: the accuracy is missing: kspace_style enuf 1.0e-5");
    accuracy_relative = std::fabs(utils::numeric(FLERR, arg[0], false, lmp));
    keywords_ = Keywords();
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

/* auto: GPUs, if the first task has one and all tasks run on one machine. */
enuf_backend KSpaceEnuf::find_backend()
{
    if (keywords_.backend != ENUF_BACKEND_AUTO) return keywords_.backend;
    int backend = ENUF_BACKEND_CPU;
    const bool near = on_one_machine(world);
    if (comm->me == 0 && near && has_gpu()) backend = ENUF_BACKEND_CUDA;
    MPI_Bcast(&backend, 1, MPI_INT, 0, world);
    return static_cast<enuf_backend>(backend);
}

enuf_ewald_options KSpaceEnuf::options(enuf_backend backend) const
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
    // auto means prolate only where every pair style can do it
    o.split = keywords_.split == ENUF_SPLIT_AUTO && !all_pairs_are_ours() ? ENUF_SPLIT_GAUSSIAN
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
    o.deterministic = keywords_.deterministic;
    o.backend = backend;
    o.threads = comm->nthreads;
    // one GPU for all tasks of a machine: an early start hides more than a second GPU saves
    if (comm->nprocs > 1 && backend != ENUF_BACKEND_CPU && keywords_.gather != Gather::none)
        o.device = 0;
    return o;
}

/* Makes evaluator_ for the present system, and tunes it. */
void KSpaceEnuf::make_evaluator(const enuf_ewald_options &o)
{
    double cell[9];
    current_cell(cell);
    evaluator_ = std::make_unique<Evaluator>(world);
    succeed(evaluator_->create(o));
    succeed(evaluator_->set_system(cell, own_));
    succeed(evaluator_->tune(keywords_.calibrate));
    // its errors are ignored: before the run starts, two atoms may still be at one place
    evaluator_->verify();
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

/* The last of all fixes, so that the other fixes have set charges and positions. */
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
    sites_.init();
    early_ = Early();
    measured_ = false;

    const enuf_backend backend = find_backend();
    if (keywords_.gather == Gather::first && backend == ENUF_BACKEND_CPU)
        error->all(FLERR, "kspace_style enuf: gather first needs backend cuda: on CPUs every MPI "
                          "task evaluates its own atoms");
    sites_.collect_atoms(own_);

    // The pair style reads the splitting once a run. So the final object gets the splitting as
    // explicit options, which a change of the cell does not change; grid, window and width may
    // change.
    enuf_ewald_options o = options(backend);
    if (o.alpha == 0) {
        make_evaluator(o);
        const enuf_ewald_report r = report();
        o.split = r.split;
        o.alpha = r.alpha;
        o.c = r.c;
    }
    make_evaluator(o);
    group_evaluator_.reset();
    options_ = o;
    splitting_.kind = o.split;
    splitting_.parameter = o.split == ENUF_SPLIT_PROLATE ? o.c : o.alpha;
    g_ewald = o.alpha; // 0 with the prolate splitting, which has none
    group_group_enable = o.split == ENUF_SPLIT_GAUSSIAN && !sites_.tip4p();
    if (modify->get_fix_by_id(FixEnufEarly::id)) modify->delete_fix(FixEnufEarly::id);
    if (begins_early()) add_fix();
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
    for (const auto *array : {&own_, &early_.own})
        bytes += static_cast<double>(array->capacity() * sizeof(double));
    return bytes;
}

} // namespace enuf
