/* atom_exchange.cpp - charges to those who evaluate, results back. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "atom_exchange.h"

#include <comm.h>
#include <error.h>
#include <lammps.h>

#include <algorithm>

using namespace LAMMPS_NS;

namespace enuf
{

AtomExchange::AtomExchange(LAMMPS *lmp) : Pointers(lmp)
{
    std::fill(types_, types_ + MOST_WIDTH + 1, MPI_DATATYPE_NULL);
}

AtomExchange::~AtomExchange() noexcept
{
    for (auto &type : types_)
        if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
}

/* Counts of MPI are ints: of atoms, not of numbers. */
MPI_Datatype AtomExchange::type_of(int width)
{
    MPI_Datatype &type = types_[width];
    if (type == MPI_DATATYPE_NULL) {
        MPI_Type_contiguous(width, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
    }
    return type;
}

void AtomExchange::set_first_only(bool first_only)
{
    first_only_ = first_only;
}

bool AtomExchange::evaluates() const
{
    return !first_only_ || comm->me == 0;
}

void AtomExchange::gather(const std::vector<double> &own)
{
    const int n = static_cast<int>(own.size() / 4);
    counts_.resize(comm->nprocs);
    offsets_.resize(comm->nprocs);
    MPI_Allgather(&n, 1, MPI_INT, counts_.data(), 1, MPI_INT, world);
    bigint total = 0;
    for (int rank = 0; rank < comm->nprocs; rank++) {
        offsets_[rank] = static_cast<int>(std::min<bigint>(total, MAXSMALLINT));
        total += counts_[rank];
    }
    if (total > MAXSMALLINT)
        error->all(FLERR, "kspace_style enuf: {} atoms, at most {} are served", total, MAXSMALLINT);

    all_.resize(evaluates() ? 4 * static_cast<size_t>(total) : 0);
    if (first_only_)
        MPI_Gatherv(own.data(), n, type_of(4), all_.data(), counts_.data(), offsets_.data(),
                    type_of(4), 0, world);
    else
        MPI_Allgatherv(own.data(), n, type_of(4), all_.data(), counts_.data(), offsets_.data(),
                       type_of(4), world);
    charges_.resize(all_.size() / 4);
    for (size_t i = 0; i < charges_.size(); i++) charges_[i] = all_[4 * i + 3];
}

const double *AtomExchange::own_part(const std::vector<double> &results, int width)
{
    if (!first_only_) return results.data() + static_cast<size_t>(offsets_[comm->me]) * width;
    std::vector<double> &part = parts_[width];
    const int n = counts_[comm->me];
    part.resize(static_cast<size_t>(n) * width);
    MPI_Scatterv(results.data(), counts_.data(), offsets_.data(), type_of(width), part.data(), n,
                 type_of(width), 0, world);
    return part.data();
}

double AtomExchange::memory_usage() const
{
    size_t numbers = all_.capacity() + charges_.capacity();
    for (const auto &part : parts_) numbers += part.capacity();
    return static_cast<double>(numbers * sizeof(double));
}

} // namespace enuf
