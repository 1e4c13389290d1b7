/* kspace_enuf_measure.cpp - measures the force error against exact sums during a run.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <error.h>
#include <update.h>
#include <utils.h>

#include <cstdint>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

enum { SAMPLE = 128 }; /* atoms; the error of all lies within some 6 % of theirs */

const bigint FIRST_WATCHED = 1000;

} // namespace

/* As accuracy A. Pairs are exact sums of the library: the error of the pair style's table or
 * polynomial is not included. */
double KSpaceEnuf::find_error()
{
    enuf_ewald_error found = {};
    found.struct_size = sizeof found;
    const auto seed = static_cast<uint64_t>(update->ntimestep) + 1;
    succeed(evaluator_->measure_error(SAMPLE, seed, &found));
    return found.accuracy;
}

/* At the first evaluation of a run and then at every so many steps. */
void KSpaceEnuf::measure_error()
{
    const bigint step = update->ntimestep;
    if (qsqsum == 0 || (measured_ && step % keywords_.measure != 0)) return;
    measured_ = true;
    const enuf_ewald_report r = report();
    const double found = find_error();
    // A, the library's accuracy, to LAMMPS' error relative to two unit charges
    const double unit = accuracy / two_charge_force / r.requested;
    if (comm->me == 0)
        utils::logmesg(lmp,
                       "enuf: step {}: relative force error measured = {:.3g}, predicted = "
                       "{:.3g}, asked for = {:.3g}\n",
                       step, found * unit, r.predicted * unit, r.requested * unit);
    if (found > r.requested) choose_anew(unit);
}

/* A choice that calibrate auto has made is measured at the thousandth evaluation of a run, the ten
 * thousandth, and so on: a measurement takes as long as 25 to 40 evaluations. */
void KSpaceEnuf::watch_error()
{
    if (!by_positions_ || keywords_.calibrate != Choice::automatic) return;
    if (evaluations_++ == 0) watched_at_ = FIRST_WATCHED;
    if (evaluations_ < watched_at_ || qsqsum == 0) return;
    watched_at_ *= 10;
    const enuf_ewald_report r = report();
    const double found = find_error(), unit = accuracy / two_charge_force / r.requested;
    if (found <= r.requested) return;
    if (comm->me == 0)
        utils::logmesg(
            lmp, "enuf: step {}: relative force error measured = {:.3g}, asked for = {:.3g}\n",
            update->ntimestep, found * unit, r.requested * unit);
    choose_anew(unit);
}

/* Splitting and cutoff stay, because pair styles keep theirs during a run. */
void KSpaceEnuf::choose_anew(double unit)
{
    succeed(evaluator_->tune(true));
    const double found = find_error();
    const enuf_ewald_report r = report();
    if (comm->me != 0) return;
    utils::logmesg(lmp,
                   "enuf: step {}: regridded to {} {} {}, width {}: relative force error "
                   "measured = {:.3g}\n",
                   update->ntimestep, r.grid[0], r.grid[1], r.grid[2], r.width, found * unit);
    if (found > r.requested)
        error->warning(FLERR,
                       "kspace_style enuf: the force error measured is {:.3g}, more than the "
                       "{:.3g} asked for: the splitting was chosen for another system; a new "
                       "run command chooses it anew",
                       found * unit, r.requested * unit);
}

} // namespace enuf
