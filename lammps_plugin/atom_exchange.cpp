/* atom_exchange.cpp - positions and charges to those who evaluate. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "atom_exchange.h"

#include <comm.h>
#include <error.h>
#include <lammps.h>

#include <algorithm>

using namespace LAMMPS_NS;

namespace enuf
{

AtomExchange::AtomExchange(LAMMPS *lmp, bool first_only, enuf_ewald *const *ewald)
    : Pointers(lmp), positions_(lmp, 3, first_only, false, ewald),
      charges_(lmp, 1, first_only, false, ewald)
{
}

void AtomExchange::gather(const std::vector<double> &own)
{
    const size_t n = own.size() / 4;
    bool same = has_gathered_ && n == own_charges_.size();
    own_charges_.resize(n);
    for (size_t i = 0; i < n; i++) {
        same = same && own_charges_[i] == own[4 * i + 3];
        own_charges_[i] = own[4 * i + 3];
    }

    // of each task, its atoms and whether their charges are others; nobody reads the last ones now
    const int mine[2] = {static_cast<int>(n), !same};
    std::vector<int> told(2 * static_cast<size_t>(comm->nprocs));
    MPI_Allgather(mine, 2, MPI_INT, told.data(), 2, MPI_INT, world);
    shares_.counts.resize(comm->nprocs);
    shares_.offsets.resize(comm->nprocs);
    bigint total = 0;
    charges_changed_ = false;
    for (int task = 0; task < comm->nprocs; task++) {
        shares_.counts[task] = told[2 * task];
        shares_.offsets[task] = static_cast<int>(std::min<bigint>(total, MAXSMALLINT));
        total += told[2 * task];
        charges_changed_ = charges_changed_ || told[2 * task + 1];
    }
    if (total > MAXSMALLINT)
        error->all(FLERR, "kspace_style enuf: {} atoms, at most {} are served", total, MAXSMALLINT);
    shares_.total = static_cast<int>(total);
    has_gathered_ = true;

    positions_.reserve(shares_);
    double *x = positions_.own();
    for (size_t i = 0; i < n; i++) std::copy(&own[4 * i], &own[4 * i] + 3, x + 3 * i);
    positions_.bring();
    if (charges_changed_) {
        charges_.reserve(shares_);
        std::copy(own_charges_.begin(), own_charges_.end(), charges_.own());
        charges_.bring();
    }
    if (positions_.is_shared() || charges_.is_shared())
        MPI_Barrier(world); // all have written theirs
}

double AtomExchange::memory_usage() const
{
    return positions_.memory_usage() + charges_.memory_usage() +
           static_cast<double>(own_charges_.capacity() * sizeof(double));
}

} // namespace enuf
