/* kspace_enuf_report.cpp - lines for the log at the start of a run. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "kspace_enuf.h"

#include "fix_enuf_early.h"

#include <atom.h>
#include <comm.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <modify.h>
#include <update.h>
#include <utils.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

/* The lines of pppm, and the choice of enuf. */
void KSpaceEnuf::print()
{
    const enuf_ewald_report r = report();
    if (qsqsum == 0) return; // nothing is summed yet
    bigint charged = 0, own_charged = 0;
    for (int i = 0; i < atom->nlocal; i++) own_charged += atom->q[i] != 0;
    MPI_Allreduce(&own_charged, &charged, 1, MPI_LMP_BIGINT, MPI_SUM, world);
    const double n = static_cast<double>(atom->natoms);
    const double unit = r.f_ref * std::sqrt(static_cast<double>(charged) / n); // of all atoms' RMS
    const double own = r.predicted * unit;
    double estimate = own;
    if (!all_pairs_are_ours()) {
        const double volume = domain->xprd * domain->yprd * domain->zprd * slab_volfactor;
        const double q2_over_sqrt = q2 / std::sqrt(n * splitting_.cutoff * volume);
        estimate = std::hypot(own, estimate_table_accuracy(q2_over_sqrt, r.predicted_real * unit));
    }
    if (!gridflag) {
        nx_pppm = static_cast<int>(r.grid[0]);
        ny_pppm = static_cast<int>(r.grid[1]);
        nz_pppm = static_cast<int>(r.grid[2]);
    }
    warned_of_grid_ = own > 1.02 * accuracy; // below, by the first task
    if (comm->me != 0) return;
    if (r.split == ENUF_SPLIT_GAUSSIAN)
        utils::logmesg(lmp, "  G vector (1/distance) = {:.8g}\n", g_ewald);
    else
        utils::logmesg(lmp, "  prolate bandwidth c = {:.8g}\n", r.c);
    utils::logmesg(lmp, "  grid = {} {} {}, modes = {} {} {}\n", r.grid[0], r.grid[1], r.grid[2],
                   r.modes[0], r.modes[1], r.modes[2]);
    utils::logmesg(lmp, "  {} splitting, {} window of width {}, {} arithmetic{}{}\n",
                   enuf_split_name(r.split), enuf_window_name(r.window), r.width,
                   enuf_arithmetic_name(r.arithmetic),
                   keywords_.deterministic ? ", deterministic" : "",
                   by_positions_ ? ", chosen by the positions" : "");
    utils::logmesg(lmp, "  backend {}, {} OpenMP thread(s) per MPI task\n",
                   enuf_backend_name(r.backend), r.threads);
    if (modify->get_fix_by_id(FixEnufEarly::id))
        utils::logmesg(lmp, "  begins as soon as positions are known\n");
    utils::logmesg(lmp, "  estimated absolute RMS force accuracy = {:.8g}\n", estimate);
    utils::logmesg(lmp, "  estimated relative force accuracy = {:.8g}\n",
                   estimate / two_charge_force);
    utils::logmesg(lmp, "  predicted by enuf without the pair style's table = {:.8g}\n",
                   own / two_charge_force);
    if (!tail_due_) print_tail(r);
    if (slabflag == 1)
        utils::logmesg(lmp, "  the slab term counts in the pressure, which LAMMPS' own styles "
                            "leave out\n");
    if (std::fabs(qsum) > 1e-5)
        utils::logmesg(lmp, "  the background that neutralises the net charge counts in the "
                            "pressure, which LAMMPS' own styles leave out\n");
    if (comm->nprocs > 1) utils::logmesg(lmp, "  {}\n", evaluator_->who());
    if (!advice_.line.empty()) utils::logmesg(lmp, "  faster: {}\n", advice_.line);
    if (own > 1.02 * accuracy)
        error->warning(
            FLERR,
            "kspace_style enuf: the force error predicted is {:.3g}, more than the {:.3g} "
            "asked for: {}",
            own, accuracy,
            gewaldflag || is_grid_given() ? "leave gewald, mesh and grid to it"
                                          : "this precision reaches no less with this cutoff");
}

/* Energy and pressure of the modes left out, as far as they are known, and what may be missing. */
void KSpaceEnuf::print_tail(const enuf_ewald_report &r)
{
    if (comm->me != 0) return;
    const double to_pressure = force->nktv2p / (domain->xprd * domain->yprd * domain->zprd);
    if (r.energy_tail != 0)
        utils::logmesg(lmp, "  modes left out, by the positions: energy {:.4g}, pressure {:.4g}\n",
                       r.energy_tail,
                       (r.virial_tail[0] + r.virial_tail[1] + r.virial_tail[2]) / 3 * to_pressure);
    utils::logmesg(lmp, "  modes left out may bias the energy by {:.2g}, the pressure by {:.2g}\n",
                   r.energy_bias, r.virial_bias * to_pressure);
}

bool KSpaceEnuf::is_grid_given() const
{
    return gridflag || keywords_.grid[0] > 0;
}

/* An explicit grid stays, as in pppm, when the box grows. The error is checked in steps with
 * energies.
 */
void KSpaceEnuf::warn_of_grid()
{
    if (warned_of_grid_ || qsqsum == 0) return;
    const enuf_ewald_report r = report();
    warned_of_grid_ = r.predicted > 1.02 * r.requested;
    if (!warned_of_grid_ || comm->me != 0) return;
    error->warning(
        FLERR,
        "kspace_style enuf: step {}: the grid given, {} x {} x {}, has become too coarse: "
        "the force error predicted is {:.3g} times the one asked for",
        update->ntimestep, r.grid[0], r.grid[1], r.grid[2], r.predicted / r.requested);
}

} // namespace enuf
