/* kspace_enuf_measure.cpp - measures the force error against exact sums during a run.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <error.h>
#include <update.h>
#include <utils.h>

#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

enum { SAMPLE = 128 }; /* atoms; the error of all lies within some 6 % of theirs */

} // namespace

/* At the first evaluation of a run and then at every so many steps. Pairs are exact sums of the
 * library: the error of the pair style's table or polynomial is not included. */
void KSpaceEnuf::measure_error()
{
    const bigint step = update->ntimestep;
    if (qsqsum == 0 || (measured_ && step % keywords_.measure != 0)) return;
    measured_ = true;
    auto measure = [&](double *accuracy_found) {
        enuf_ewald_error found = {};
        found.struct_size = sizeof found;
        succeed(evaluator_->measure_error(SAMPLE, static_cast<uint64_t>(step) + 1, &found));
        *accuracy_found = found.accuracy;
    };
    double found, found_anew;
    enuf_ewald_report r = report();
    measure(&found);
    // A, the library's accuracy, to LAMMPS' error relative to two unit charges
    const double unit = accuracy / two_charge_force / r.requested;
    if (comm->me == 0)
        utils::logmesg(lmp,
                       "enuf: step {}: relative force error measured = {:.3g}, predicted = "
                       "{:.3g}, asked for = {:.3g}\n",
                       step, found * unit, r.predicted * unit, r.requested * unit);
    if (found <= r.requested) return;

    // splitting and cutoff stay, because pair styles keep theirs during a run
    succeed(evaluator_->tune(true));
    measure(&found_anew);
    r = report();
    if (comm->me != 0) return;
    utils::logmesg(lmp,
                   "enuf: step {}: regridded to {} {} {}, width {}: relative force error "
                   "measured = {:.3g}\n",
                   step, r.grid[0], r.grid[1], r.grid[2], r.width, found_anew * unit);
    if (found_anew > r.requested)
        error->warning(FLERR,
                       "kspace_style enuf: the force error measured is {:.3g}, more than the "
                       "{:.3g} asked for: the splitting was chosen for another system; a new "
                       "run command chooses it anew",
                       found_anew * unit, r.requested * unit);
}

} // namespace enuf
