/*
 * common_array.h - rows of numbers of all atoms, those of the first task first.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_COMMON_ARRAY_H
#define ENUF_COMMON_ARRAY_H

#include "shared_block.h"

#include "enuf/ewald.h"
#include <mpi.h>

#include <vector>

namespace enuf
{

/** Which rows are whose: counts and offsets of the tasks. */
struct Shares {
    std::vector<int> counts, offsets;
    int total = 0;
};

/**
 * Who has the array: all tasks together, where they are on one machine and evaluate it once; else
 * each that evaluates has one of its own, and MPI moves rows. What a task has written into a shared
 * array others may read behind the next collective call.
 */
class CommonArray : protected LAMMPS_NS::Pointers
{
  public:
    /** The pages of an array that a GPU reads or writes are locked for `ewald`, while it is there.
     * `first_only`: the first task evaluates for all. `result`: rows are written by whoever
     * evaluates, else each task brings its own. */
    CommonArray(LAMMPS_NS::LAMMPS *lmp, int width, bool first_only, bool result,
                enuf_ewald *const *ewald);
    ~CommonArray() noexcept override;
    CommonArray(const CommonArray &) = delete;
    CommonArray &operator=(const CommonArray &) = delete;

    /** Room for the rows of `shares`; what the array held is lost where it grows. Collective. */
    void reserve(const Shares &shares);
    /** All rows, for those who evaluate. */
    double *all()
    {
        return at_;
    }
    /** Where this task writes its own rows; bring() hands them to those who evaluate. */
    double *own();
    void bring();
    /** This task's rows of a result; until the next call. Collective. */
    const double *take();
    bool is_shared() const
    {
        return block_.at() != nullptr;
    }
    double memory_usage() const;

  private:
    bool evaluates() const;
    void lock();
    void unlock();

    const int width_;
    const bool first_only_;
    bool may_share_;
    enuf_ewald *const *ewald_;
    MPI_Datatype row_; /* counts of MPI are ints: of rows, not of numbers */
    const Shares *shares_ = nullptr;
    SharedBlock block_;
    std::vector<double> here_, part_; /* where nothing is shared: all rows, this task's */
    double *at_ = nullptr;
    int capacity_ = 0; /* rows; the same on all tasks */
    bool locked_ = false;
};

} // namespace enuf
#endif
