/*
 * atom_exchange.h - who evaluates, and how charges come to them and results back.
 *
 * Every task evaluates all charges (on CPUs, where the others would wait), or the first one does it
 * for all (on a GPU, which they would share).
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_ATOM_EXCHANGE_H
#define ENUF_ATOM_EXCHANGE_H

#include <pointers.h>

#include <mpi.h>

#include <vector>

namespace enuf
{

class AtomExchange : protected LAMMPS_NS::Pointers
{
  public:
    explicit AtomExchange(LAMMPS_NS::LAMMPS *lmp);
    ~AtomExchange() noexcept override;
    AtomExchange(const AtomExchange &) = delete;
    AtomExchange &operator=(const AtomExchange &) = delete;

    /** Chooses who evaluates: the first task alone, or all. */
    void set_first_only(bool first_only);
    bool evaluates() const;

    /** Brings charges together: own [n][4] x, y, z, q of each task. Collective. */
    void gather(const std::vector<double> &own);
    /** What gather() has brought, in the order of tasks: [n][4] and [n]. Empty where nothing is
     * evaluated. */
    const std::vector<double> &all() const
    {
        return all_;
    }
    const std::vector<double> &charges() const
    {
        return charges_;
    }

    /** This task's part of results [n][width] of all. Valid until the next call with this width.
     * Collective. */
    const double *own_part(const std::vector<double> &results, int width);

    double memory_usage() const;

  private:
    enum { MOST_WIDTH = 6 };
    MPI_Datatype type_of(int width);

    bool first_only_ = false;
    MPI_Datatype types_[MOST_WIDTH + 1];
    std::vector<int> counts_, offsets_;
    std::vector<double> all_, charges_, parts_[MOST_WIDTH + 1];
};

} // namespace enuf
#endif
