/* kspace_enuf.cpp - what LAMMPS asks of a kspace style. SPDX-License-Identifier: GPL-2.0-only */
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
    // What is left of the fix does nothing without this style.
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

/* All tasks fail, with the text of the first that did, or all go on. */
void KSpaceEnuf::agree(enuf_status status, const std::string &text)
{
    int here = status == ENUF_SUCCESS ? comm->nprocs : comm->me, first;
    MPI_Allreduce(&here, &first, 1, MPI_INT, MPI_MIN, world);
    if (first == comm->nprocs) return;
    std::string told = comm->me == first ? text : "";
    int length = static_cast<int>(told.size());
    MPI_Bcast(&length, 1, MPI_INT, first, world);
    told.resize(length);
    MPI_Bcast(&told[0], length, MPI_CHAR, first, world);
    error->all(FLERR, "kspace_style enuf: {}", told);
}

/* The same for what an evaluator returned, which may have seen to it itself. */
void KSpaceEnuf::agree(const Evaluator &by, enuf_status status)
{
    if (!by.is_agreed())
        agree(status, enuf_last_error());
    else if (status != ENUF_SUCCESS)
        error->all(FLERR, "kspace_style enuf: {}", enuf_last_error());
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

/* Whether an object can be made, and its text if not. */
static enuf_status try_backend(enuf_backend backend)
{
    enuf_ewald_options o;
    enuf_ewald_options_init(&o);
    o.backend = backend;
    enuf_ewald *made = nullptr;
    const enuf_status status = enuf_ewald_create(&o, &made);
    enuf_ewald_destroy(&made);
    return status;
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

/* auto: the first task's GPU, where it has one and no atoms have to come from other machines. */
enuf_backend KSpaceEnuf::find_backend()
{
    int backend = keywords_.backend;
    if (keywords_.backend == ENUF_BACKEND_AUTO) {
        const bool near = on_one_machine(world);
        if (comm->me == 0)
            backend = near && try_backend(ENUF_BACKEND_CUDA) == ENUF_SUCCESS ? ENUF_BACKEND_CUDA
                                                                             : ENUF_BACKEND_CPU;
    } else {
        const enuf_status status = comm->me == 0 ? try_backend(keywords_.backend) : ENUF_SUCCESS;
        agree(status, enuf_last_error());
    }
    MPI_Bcast(&backend, 1, MPI_INT, 0, world);
    return static_cast<enuf_backend>(backend);
}

enuf_ewald_options KSpaceEnuf::options(enuf_backend backend) const
{
    // LAMMPS averages errors over all atoms, the library over those with a charge
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
    if (backend == ENUF_BACKEND_CPU && keywords_.early == Choice::yes)
        o.background_threads = comm->nthreads;
    return o;
}

/* What begins early can call no MPI, and on a GPU an early start hides more than a second GPU
 * saves; else each task does its part. */
Gather KSpaceEnuf::find_gather(enuf_backend backend, bool early) const
{
    if (keywords_.gather != Gather::automatic) return keywords_.gather;
    if (backend != ENUF_BACKEND_CPU) return Gather::first;
    return comm->nprocs == 1 || early ? Gather::all : Gather::none;
}

/* Makes evaluator_ for the system as it stands; tuned. */
void KSpaceEnuf::make_evaluator(const enuf_ewald_options &o)
{
    double cell[9];
    current_cell(cell);
    evaluator_ = enuf::make_evaluator(lmp, gather_);
    agree(*evaluator_, evaluator_->create(o));
    agree(*evaluator_, evaluator_->set_system(cell, own_));
    agree(*evaluator_, evaluator_->tune(keywords_.calibrate));
    // atoms may still be anywhere, some in one place: what cannot be compared is no error of the
    // run
    evaluator_->verify();
}

/* That of the first task, on all. */
enuf_ewald_report KSpaceEnuf::report()
{
    enuf_ewald_report r = {};
    r.struct_size = sizeof r;
    agree(*evaluator_, evaluator_->get_report(&r));
    MPI_Bcast(&r, sizeof r, MPI_BYTE, 0, world);
    return r;
}

/* Last of all fixes, so that those before it have set charges and positions. */
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
    const bool gpu = backend != ENUF_BACKEND_CPU;
    const bool early = keywords_.early == Choice::yes || (keywords_.early == Choice::automatic &&
                                                          gpu && keywords_.gather != Gather::none);
    gather_ = find_gather(backend, early);
    if (early && gather_ == Gather::none)
        error->all(FLERR,
                   "kspace_style enuf: early yes needs gather all or first: what each task does "
                   "with its own atoms begins when all have come");
    sites_.collect_atoms(own_);

    // The pair style reads the splitting once a run. An object that is given it keeps it, whatever
    // the cell does; grid, window and width still follow the accuracy.
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
    if (early) add_fix();
    print();
}

Splitting KSpaceEnuf::splitting() const
{
    return splitting_;
}

/* The box is looked at by each evaluation. */
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
