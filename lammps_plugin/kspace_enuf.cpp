/* kspace_enuf.cpp - what LAMMPS asks of a kspace style. SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <pair.h>
#include <utils.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

KSpaceEnuf::KSpaceEnuf(LAMMPS *lmp) : KSpace(lmp)
{
    ewaldflag = 1; // every pair style that kspace_style ewald accepts
    group_group_enable = 0;
    triclinic_support = 1;
    accuracy_relative = 0;
    // some releases leave these as they find them
    scale = 1;
    qqrd2e = force->qqrd2e;
    g_ewald = 0;
    accuracy = 0;
    nx_pppm = ny_pppm = nz_pppm = 0;
    untouched_ = {order,
                  minorder,
                  overlap_allowed,
                  differentiation_flag,
                  adjust_cutoff_flag,
                  collective_flag,
                  fftbench,
                  scalar_pressure_flag,
                  splittol};
    MPI_Type_contiguous(4, MPI_DOUBLE, &atom_type_);
    MPI_Type_commit(&atom_type_);
}

KSpaceEnuf::~KSpaceEnuf()
{
    MPI_Type_free(&atom_type_);
}

void KSpaceEnuf::settings(int narg, char **arg)
{
    if (narg < 1)
        error->all(FLERR, "kspace_style enuf: the accuracy is missing: kspace_style enuf 1.0e-5");
    if (narg > 1)
        error->all(FLERR,
                   "kspace_style enuf: unknown keyword '{}': this version takes the accuracy only",
                   arg[1]);
    accuracy_relative = std::fabs(utils::numeric(FLERR, arg[0], false, lmp));
}

int KSpaceEnuf::modify_param(int, char **arg)
{
    error->all(FLERR,
               "kspace_modify: kspace_style enuf does not know '{}'; it takes force, gewald, mesh, "
               "slab and compute",
               arg[0]);
    return 0;
}

void KSpaceEnuf::check_system()
{
    if (!atom->q_flag)
        error->all(FLERR, "kspace_style enuf needs charges: an atom_style with attribute q");
    if (domain->dimension == 2)
        error->all(FLERR, "kspace_style enuf is for dimension 3; for a layer use "
                          "boundary p p f and kspace_modify slab 3.0");
    if (slabflag == 0 && domain->nonperiodic > 0)
        error->all(FLERR, "kspace_style enuf needs boundary p p p, or p p f with "
                          "kspace_modify slab 3.0");
    if (slabflag != 0 && (domain->xperiodic != 1 || domain->yperiodic != 1 ||
                          domain->boundary[2][0] != 1 || domain->boundary[2][1] != 1))
        error->all(FLERR, "kspace_modify slab needs boundary p p f");
    if (slabflag == 1 && domain->triclinic && (domain->xz != 0 || domain->yz != 0))
        error->all(FLERR,
                   "kspace_modify slab {} needs a box whose third edge is along z: xz is {} and yz "
                   "is {}, only xy may differ from 0",
                   slab_volfactor, domain->xz, domain->yz);
}

void KSpaceEnuf::check_pair_style()
{
    if (!force->pair) error->all(FLERR, "kspace_style enuf needs a pair style with coul/long");
    const Pair *pair = force->pair;
    const std::string style = force->pair_style;
    auto refuse = [&](const char *what, const char *instead) {
        error->all(FLERR, "kspace_style enuf does not serve {} (pair_style {}): use {}", what,
                   style, instead);
    };
    if (pair->tip4pflag) refuse("TIP4P pair styles yet", "kspace_style pppm/tip4p");
    if (pair->dispersionflag)
        refuse("long-range dispersion", "kspace_style pppm/disp, or a pair style whose dispersion "
                                        "ends at the cutoff, such as lj/cut/coul/long");
    if (pair->dipoleflag || pair->spinflag)
        refuse("point dipoles", "kspace_style ewald/dipole, ewald/dipole/spin or ewald/disp");
    for (const char *package : {"/kk", "/gpu"})
        if (force->pair_match(package, 0, 1))
            refuse("pair styles that keep their own copy of the atoms",
                   "the style without /kk or /gpu (suffix off); /omp works");
    if (!pair->ewaldflag)
        refuse("this pair style", "one of the coul/long family, such as lj/cut/coul/long");
    pair_check();
}

/* kspace_modify keeps its own keywords to itself: what they have set is looked at here. */
void KSpaceEnuf::check_modified()
{
    auto refuse = [&](const char *keyword, const char *instead) {
        error->all(FLERR, "kspace_style enuf cannot honour kspace_modify {}: {}", keyword, instead);
    };
    if (wireflag) refuse("wire", "it sums over boxes periodic in three directions, or two (slab)");
    if (slabflag < 0 || slabflag > 2) refuse("slab ew2d", "use slab 3.0 (EW3DC)");
    if (slabflag == 1 && slab_volfactor <= 1) refuse("slab auto", "use slab 3.0 (EW3DC)");
    if (kewaldflag)
        refuse("kmax/ewald", "modes are chosen by the accuracy; mesh sets its fine grid");
    if (gridflag_6 || gewaldflag_6 || auto_disp_flag || accuracy_real_6 >= 0 ||
        accuracy_kspace_6 >= 0 || mixflag)
        refuse("mesh/disp, gewald/disp, force/disp, mix/disp or disp/auto",
               "they belong to dispersion styles such as pppm/disp");

    std::string tuning;
    auto note = [&](const char *keyword, bool set) {
        if (set) tuning += std::string(tuning.empty() ? "" : ", ") + keyword;
    };
    note("order", order != untouched_.order);
    note("minorder", minorder != untouched_.minorder);
    note("overlap", overlap_allowed != untouched_.overlap);
    note("diff", differentiation_flag != untouched_.differentiation);
    note("cutoff/adjust", adjust_cutoff_flag != untouched_.adjust_cutoff);
    note("collective", collective_flag != untouched_.collective);
    note("fftbench", fftbench != untouched_.fftbench);
    note("pressure/scalar", scalar_pressure_flag != untouched_.scalar);
    note("splittol", splittol != untouched_.splittol);
    if (!tuning.empty() && comm->me == 0)
        error->warning(FLERR, "kspace_modify {}: of no effect with kspace_style enuf", tuning);
}

double KSpaceEnuf::pair_cutoff()
{
    int dim = 0;
    const auto *cutoff = static_cast<double *>(force->pair->extract("cut_coul", dim));
    if (!cutoff)
        error->all(FLERR,
                   "kspace_style enuf: pair_style {} names no Coulomb cutoff; use one of the "
                   "coul/long family",
                   force->pair_style);
    return *cutoff;
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

enuf_ewald_options KSpaceEnuf::options(double cutoff) const
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
    o.split = ENUF_SPLIT_GAUSSIAN;
    o.cutoff = cutoff;
    o.alpha = gewaldflag ? g_ewald : 0;
    if (gridflag) {
        o.grid[0] = nx_pppm;
        o.grid[1] = ny_pppm;
        o.grid[2] = nz_pppm;
    }
    o.slab = slabflag == 1 ? slab_volfactor : 0;
    o.backend = ENUF_BACKEND_CPU;
    o.threads = comm->nthreads;
    return o;
}

KSpaceEnuf::Ewald KSpaceEnuf::make_ewald(const enuf_ewald_options &o)
{
    enuf_ewald *made = nullptr;
    double cell[9];
    current_cell(cell);
    enuf_status status = enuf_ewald_create(&o, &made);
    Ewald ewald(made);
    const auto n = static_cast<int64_t>(charges_.size());
    if (status == ENUF_SUCCESS) status = enuf_ewald_set_cell(made, cell);
    if (status == ENUF_SUCCESS) status = enuf_ewald_set_charges(made, n, charges_.data(), nullptr);
    if (status == ENUF_SUCCESS) status = enuf_ewald_tune(made, nullptr, 0);
    agree(status);
    set_charges_ = charges_;
    note_edges(cell);
    return ewald;
}

void KSpaceEnuf::init()
{
    if (comm->me == 0) utils::logmesg(lmp, "enuf initialization ...\n");
    triclinic_check();
    check_system();
    check_pair_style();
    check_modified();
    const double cutoff = pair_cutoff();
    find_accuracy();
    gather_atoms();

    // The pair style reads g_ewald once a run. An object that is given it keeps it, whatever the
    // cell does; grid, window and width still follow the accuracy.
    enuf_ewald_options o = options(cutoff);
    if (!gewaldflag) {
        enuf_ewald_report report;
        report.struct_size = sizeof report;
        ewald_ = make_ewald(o);
        agree(enuf_ewald_get_report(ewald_.get(), &report));
        g_ewald = report.alpha;
        MPI_Bcast(&g_ewald, 1, MPI_DOUBLE, 0, world);
        o.alpha = g_ewald;
    }
    ewald_ = make_ewald(o);
    print(cutoff);
}

/* What pppm prints, and what enuf has chosen besides. */
void KSpaceEnuf::print(double cutoff)
{
    enuf_ewald_report r;
    r.struct_size = sizeof r;
    agree(enuf_ewald_get_report(ewald_.get(), &r));
    if (qsqsum == 0) return; // nothing is summed yet
    const auto charged = static_cast<double>(
        std::count_if(charges_.begin(), charges_.end(), [](double q) { return q != 0; }));
    const double volume = domain->xprd * domain->yprd * domain->zprd * slab_volfactor;
    const double n = static_cast<double>(atom->natoms);
    const double q2_over_sqrt = q2 / std::sqrt(n * cutoff * volume);
    const double own = r.predicted * r.f_ref * std::sqrt(charged / n);
    const double table =
        estimate_table_accuracy(q2_over_sqrt, r.predicted_real * r.f_ref * std::sqrt(charged / n));
    const double estimate = std::hypot(own, table);
    if (!gridflag) {
        nx_pppm = static_cast<int>(r.grid[0]);
        ny_pppm = static_cast<int>(r.grid[1]);
        nz_pppm = static_cast<int>(r.grid[2]);
    }
    if (comm->me != 0) return;
    utils::logmesg(lmp, "  G vector (1/distance) = {:.8g}\n", g_ewald);
    utils::logmesg(lmp, "  grid = {} {} {}, modes = {} {} {}\n", r.grid[0], r.grid[1], r.grid[2],
                   r.modes[0], r.modes[1], r.modes[2]);
    utils::logmesg(lmp, "  {} splitting, {} window of width {}, {} arithmetic\n",
                   enuf_split_name(r.split), enuf_window_name(r.window), r.width,
                   enuf_arithmetic_name(r.arithmetic));
    utils::logmesg(lmp, "  backend {}, {} OpenMP thread(s) per MPI task\n",
                   enuf_backend_name(r.backend), r.threads);
    utils::logmesg(lmp, "  estimated absolute RMS force accuracy = {:.8g}\n", estimate);
    utils::logmesg(lmp, "  estimated relative force accuracy = {:.8g}\n",
                   estimate / two_charge_force);
    utils::logmesg(lmp, "  predicted by enuf without the pair style's table = {:.8g}\n",
                   own / two_charge_force);
    if (slabflag == 1)
        utils::logmesg(lmp, "  the slab term counts in the pressure, which LAMMPS' own styles "
                            "leave out\n");
    if (comm->nprocs > 1)
        utils::logmesg(lmp, "  every MPI task evaluates all atoms: more tasks do not make this "
                            "part faster\n");
    if (own > 1.02 * accuracy)
        error->warning(
            FLERR,
            "kspace_style enuf: the force error predicted is {:.3g}, more than the {:.3g} "
            "asked for: {}",
            own, accuracy,
            gewaldflag || gridflag ? "leave gewald and mesh to it"
                                   : "double precision reaches no less with this cutoff");
}

/* Edges of the box as LAMMPS has them now; the library looks itself whether they have changed. */
void KSpaceEnuf::setup()
{
    double cell[9];
    current_cell(cell);
    agree(enuf_ewald_set_cell(ewald_.get(), cell));
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

static double length(const double edge[3])
{
    return std::sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
}

void KSpaceEnuf::note_edges(const double cell[9])
{
    for (int d = 0; d < 3; d++) chosen_edges_[d] = length(&cell[3 * d]);
}

/* In a box that grows, the modes needed come close to the edge of a grid that stays. There the
 * library's estimate is too low: 1.3 times where edges have grown by 5 %, 1.6 at 10 %, up to 2.7
 * (random charges). So the grid is chosen anew before. */
bool KSpaceEnuf::edge_has_grown(const double cell[9]) const
{
    const double most = 1.05;
    for (int d = 0; d < 3; d++)
        if (length(&cell[3 * d]) > most * chosen_edges_[d]) return true;
    return false;
}

double KSpaceEnuf::memory_usage()
{
    enuf_ewald_report report;
    report.struct_size = sizeof report;
    double bytes = 0;
    if (ewald_ && enuf_ewald_get_report(ewald_.get(), &report) == ENUF_SUCCESS)
        bytes += static_cast<double>(report.bytes);
    for (const auto *array :
         {&own_, &all_, &charges_, &set_charges_, &forces_, &atom_energy_, &atom_virial_})
        bytes += static_cast<double>(array->capacity() * sizeof(double));
    return bytes + maxeatom * sizeof(double) + maxvatom * 6.0 * sizeof(double);
}

} // namespace enuf
