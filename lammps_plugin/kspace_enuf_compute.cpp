/* kspace_enuf_compute.cpp - one evaluation, started early or not. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "kspace_enuf.h"

#include <comm.h>
#include <error.h>
#include <update.h>

#include <algorithm>

using namespace LAMMPS_NS;

namespace enuf
{

/* Of the flags that ev_init() has set. */
int KSpaceEnuf::wanted_now() const
{
    return ENUF_WANT_FORCES | (eflag_global ? ENUF_WANT_ENERGY : 0) |
           (vflag_global ? ENUF_WANT_VIRIAL : 0) | (eflag_atom ? ENUF_WANT_ATOM_ENERGY : 0) |
           (vflag_atom ? ENUF_WANT_ATOM_VIRIAL : 0);
}

/* Box and charges can change without setup(): both are set in each evaluation. */
void KSpaceEnuf::evaluate(int wanted)
{
    double cell[9];
    current_cell(cell);
    sites_->collect();
    succeed(evaluator_->set_system(cell));
    succeed(evaluator_->reciprocal(wanted));
}

void KSpaceEnuf::begin_early(int vflag)
{
    drop_early();
    // update holds the flags of this step's compute() before the step
    const bigint step = update->ntimestep;
    const Update *wishes = update;
    int wanted = ENUF_WANT_FORCES;
    if (wishes->whichflag == 2 || wishes->eflag_global == step) wanted |= ENUF_WANT_ENERGY;
    if (wishes->eflag_atom == step) wanted |= ENUF_WANT_ATOM_ENERGY;
    if (vflag & 3) wanted |= ENUF_WANT_VIRIAL;
    if (vflag & 12) wanted |= ENUF_WANT_ATOM_VIRIAL;

    sites_->collect();
    current_cell(early_.cell);
    succeed(evaluator_->set_system(early_.cell));
    succeed(evaluator_->begin(wanted));
    has_begun();
    early_.wanted = wanted;
    early_.begun = true;
}

void KSpaceEnuf::has_begun()
{
}

void KSpaceEnuf::drop_early()
{
    if (early_.begun) evaluator_->finish(); // its results and errors are not needed
    early_.begun = false;
}

/* True if the evaluation that was started early is the one wanted now, on all tasks. Collective. */
bool KSpaceEnuf::finish_early(int wanted)
{
    if (!early_.begun) return false;
    double cell[9];
    current_cell(cell);
    int same = sites_->is_current() && std::equal(cell, cell + 9, early_.cell) &&
               (early_.wanted & wanted) == wanted;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, world);
    if (!same) {
        drop_early();
        return false;
    }
    early_.begun = false;
    early_.served++;
    succeed(evaluator_->finish());
    return true;
}

void KSpaceEnuf::compute(int eflag, int vflag)
{
    ev_init(eflag, vflag);
    if (tail_due_) { // the first evaluation of TIP4P; none was started early before it
        double cell[9];
        current_cell(cell);
        sites_->collect();
        succeed(evaluator_->set_system(cell));
        add_tail();
        print_tail(report());
    }
    const int wanted = wanted_now();
    if (!finish_early(wanted)) evaluate(wanted);
    add_results();
    if (eflag_global && is_grid_given()) warn_of_grid();
    if (keywords_.measure > 0)
        measure_error();
    else
        watch_error();
}

void KSpaceEnuf::add_results()
{
    if (eflag_global) energy = scale * evaluator_->result().energy;
    for (int c = 0; c < 6 && vflag_global; c++) virial[c] = scale * evaluator_->result().virial[c];

    const int directions = slabflag == 2 ? 2 : 3; // nozforce
    sites_->add_forces(directions, scale);
    if (eflag_atom) sites_->add_atom_energy(scale, eatom);
    if (vflag_atom) sites_->add_atom_virial(scale, vatom);
}

} // namespace enuf
