/*
 * atom_exchange.h - positions and charges of all tasks, for those who evaluate: every task (on
 * CPUs, where the others would wait), or the first for all (on a GPU, which they would share).
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_ATOM_EXCHANGE_H
#define ENUF_ATOM_EXCHANGE_H

#include "common_array.h"

#include <vector>

namespace enuf
{

class AtomExchange : protected LAMMPS_NS::Pointers
{
  public:
    AtomExchange(LAMMPS_NS::LAMMPS *lmp, bool first_only, enuf_ewald *const *ewald);

    /** Brings charges together: own [n][4] x, y, z, q of each task. Nobody may be evaluating the
     * last ones. Collective. */
    void gather(const std::vector<double> &own);
    /** What gather() has brought, for those who evaluate: [n][3] and [n]. */
    const double *positions()
    {
        return positions_.all();
    }
    const double *charges()
    {
        return charges_.all();
    }
    /** Whether the charges are others than those of the call before, on any task. */
    bool charges_changed() const
    {
        return charges_changed_;
    }
    const Shares &shares() const
    {
        return shares_;
    }
    double memory_usage() const;

  private:
    Shares shares_;
    CommonArray positions_, charges_;
    std::vector<double> own_charges_;
    bool charges_changed_ = true, has_gathered_ = false;
};

} // namespace enuf
#endif
