/*
 * kspace_enuf_groups.cpp - energy and force between the charges of two groups, for compute
 * group/group. SPDX-License-Identifier: GPL-2.0-only
 */
#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <error.h>

#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

/*
 * The energy of the modes is a quadratic form in the charges: e2group is its value for the charges
 * of A and of B, f2group is the force of B on A. Both exclude self energies and the background; the
 * compute subtracts them itself, with g_ewald. With aa_flag only atoms in both groups count.
 */
void KSpaceEnuf::compute_group_group(int groupbit_a, int groupbit_b, int aa_flag)
{
    drop_early();
    const int n = atom->nlocal;
    auto counts = [&](int i, int groupbit) {
        const int both = groupbit_a | groupbit_b;
        return aa_flag ? (atom->mask[i] & both) == both : (atom->mask[i] & groupbit) != 0;
    };
    group_sites_.collect_some([&](int i) { return counts(i, groupbit_b); });
    const double *charges_of_b = group_sites_.charges();
    double cell[9];
    current_cell(cell);
    if (!group_evaluator_) {
        // a separate evaluator: the grid of the other one is chosen for all charges
        group_evaluator_ = std::make_unique<Evaluator>(world, group_sites_);
        enuf_ewald_options o = options_;
        o.memory = ENUF_HOST;
        succeed(group_evaluator_->create(o));
    }
    succeed(group_evaluator_->set_system(cell));
    succeed(group_evaluator_->reciprocal(ENUF_WANT_POTENTIAL | ENUF_WANT_FIELD));
    const double *own_potential = group_evaluator_->potential();
    const double *own_field = group_evaluator_->field();

    double net = 0, net_of_b = 0;
    for (int i = 0; i < n; i++) net += charges_of_b[i];
    MPI_Allreduce(&net, &net_of_b, 1, MPI_DOUBLE, MPI_SUM, world);
    const double pi = 3.14159265358979323846;
    const double volume =
        std::fabs(cell[0] * cell[4] * cell[8]) * (slabflag == 1 ? slab_volfactor : 1);
    const double self = 2 * g_ewald / std::sqrt(pi) * qqrd2e;
    const double background = -pi / (g_ewald * g_ewald * volume) * net_of_b * qqrd2e;
    double own[4] = {}, sums[4];
    for (int i = 0; i < n; i++) {
        if (!counts(i, groupbit_a)) continue;
        const double q = atom->q[i], q_b = charges_of_b[i];
        own[0] += 0.5 * q * (own_potential[i] + self * q_b - background);
        for (int d = 0; d < 3; d++) own[1 + d] += q * own_field[3 * static_cast<size_t>(i) + d];
    }
    MPI_Allreduce(own, sums, 4, MPI_DOUBLE, MPI_SUM, world);
    e2group = scale * sums[0];
    for (int d = 0; d < 3; d++) f2group[d] = d == 2 && slabflag == 2 ? 0 : scale * sums[1 + d];
}

} // namespace enuf
