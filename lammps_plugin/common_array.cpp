/* common_array.cpp - rows of all atoms. SPDX-License-Identifier: GPL-2.0-only */
#include "common_array.h"

#include <comm.h>
#include <lammps.h>

#include <algorithm>

using namespace LAMMPS_NS;

namespace enuf
{

CommonArray::CommonArray(LAMMPS *lmp, int width, bool first_only, bool result,
                         enuf_ewald *const *ewald)
    : Pointers(lmp), width_(width), first_only_(first_only),
      may_share_(lmp->comm->nprocs > 1 && (first_only || !result)), ewald_(ewald), block_(lmp)
{
    MPI_Type_contiguous(width, MPI_DOUBLE, &row_);
    MPI_Type_commit(&row_);
}

CommonArray::~CommonArray() noexcept
{
    unlock();
    MPI_Type_free(&row_);
}

bool CommonArray::evaluates() const
{
    return !first_only_ || comm->me == 0;
}

/* Without locked pages everything works, and takes longer. */
void CommonArray::lock()
{
    if (!*ewald_ || !at_) return;
    const int64_t bytes = static_cast<int64_t>(sizeof(double)) * width_ * capacity_;
    locked_ = enuf_ewald_lock_pages(*ewald_, at_, bytes) == ENUF_SUCCESS;
}

void CommonArray::unlock()
{
    if (locked_ && *ewald_) enuf_ewald_unlock_pages(*ewald_, at_);
    locked_ = false;
}

void CommonArray::reserve(const Shares &shares)
{
    shares_ = &shares;
    if (shares.total <= capacity_ && capacity_ > 0) return;
    unlock();
    // numbers of atoms that grow once grow again
    const bigint more = static_cast<bigint>(shares.total) + (capacity_ ? shares.total / 8 : 0);
    capacity_ = static_cast<int>(std::min<bigint>(std::max<bigint>(more, 1), MAXSMALLINT));
    const size_t numbers = static_cast<size_t>(capacity_) * width_;
    at_ = nullptr;
    if (may_share_) may_share_ = block_.allocate(numbers * sizeof(double));
    if (may_share_)
        at_ = static_cast<double *>(block_.at());
    else if (evaluates()) {
        here_.assign(numbers, 0);
        at_ = here_.data();
    }
    lock();
}

double *CommonArray::own()
{
    const int me = comm->me;
    if (is_shared() || comm->nprocs == 1)
        return at_ + static_cast<size_t>(shares_->offsets[me]) * width_;
    part_.resize(static_cast<size_t>(shares_->counts[me]) * width_);
    return part_.data();
}

void CommonArray::bring()
{
    if (is_shared() || comm->nprocs == 1) return;
    const int n = shares_->counts[comm->me];
    const int *counts = shares_->counts.data(), *offsets = shares_->offsets.data();
    if (first_only_)
        MPI_Gatherv(part_.data(), n, row_, at_, counts, offsets, row_, 0, world);
    else
        MPI_Allgatherv(part_.data(), n, row_, at_, counts, offsets, row_, world);
}

const double *CommonArray::take()
{
    const int n = shares_->counts[comm->me];
    if (is_shared() || !first_only_ || comm->nprocs == 1)
        return at_ + static_cast<size_t>(shares_->offsets[comm->me]) * width_;
    part_.resize(static_cast<size_t>(n) * width_);
    MPI_Scatterv(at_, shares_->counts.data(), shares_->offsets.data(), row_, part_.data(), n, row_,
                 0, world);
    return part_.data();
}

double CommonArray::memory_usage() const
{
    // a shared one is the first task's
    const bool mine = comm->me == 0 && is_shared();
    const size_t shared = mine ? static_cast<size_t>(capacity_) * width_ : 0;
    return static_cast<double>((shared + here_.capacity() + part_.capacity()) * sizeof(double));
}

} // namespace enuf
