/*
 * evaluator.h - the library's object on the tasks of one LAMMPS: each task gives its own atoms and
 * gets their results. Functions are collective unless they say "local"; status and text are the
 * same on all tasks. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_EVALUATOR_H
#define ENUF_EVALUATOR_H

#include "sites.h"

#include "enuf/ewald_mpi.h"

#include <cstdint>
#include <string>

namespace enuf
{

class Evaluator
{
  public:
    /** `sites`, which outlive it: the charges, and where results go. */
    Evaluator(MPI_Comm world, Sites &sites);
    ~Evaluator();
    Evaluator(const Evaluator &) = delete;
    Evaluator &operator=(const Evaluator &) = delete;

    enuf_status create(const enuf_ewald_options &options);
    /** Cell, and the charges of this task as they were collected last. */
    enuf_status set_system(const double cell[9]);
    /** Chooses parameters, with or without the positions that are set. */
    enuf_status tune(bool by_positions);
    /** Verifies the choice once at the positions that are set; chooses again if the error is too
     * large. */
    enuf_status verify();
    /** Adds the modes left out to energy and virial, by the positions that are set. */
    enuf_status measure_tail();
    /** Sums the modes: energies in result(), arrays in the rooms of the sites. */
    enuf_status reciprocal(int wanted);
    /** The same in two halves. Tasks that share one GPU do something else between them. */
    enuf_status begin(int wanted);
    enuf_status finish();
    enuf_status measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found);
    enuf_status get_report(enuf_ewald_report *report);
    /** RMS of the Coulomb force on all charges, pairs included. */
    enuf_status rms_force(double *rms);
    /** Seconds of the modes, by the cost model for one core or the GPU. */
    enuf_status predict_seconds(double *seconds);
    /** Local, of the last report: GPUs that all tasks work on; 0: CPUs. */
    int devices() const
    {
        return devices_;
    }
    /** Local: bytes, of the last report. */
    double memory_usage() const
    {
        return bytes_;
    }
    /** Local, of the last report: a line for the log on the tasks that evaluate. */
    std::string who() const;

    /** Sums of the last evaluation. */
    const enuf_ewald_result &result() const
    {
        return result_;
    }
    /** Results of sites that live on the host; until the next call. */
    const double *potential() const
    {
        return result_.potential;
    }
    const double *field() const
    {
        return result_.field;
    }

  private:
    void prepare(int wanted);
    enuf_status set_charges();

    const MPI_Comm world_;
    Sites &sites_;
    enuf_ewald *ewald_ = nullptr;
    bool has_charges_ = false, has_cell_ = false;
    double cell_[9] = {};
    std::int64_t version_ = 0; /* of the charges as set */
    enuf_ewald_result result_ = {};
    /* of the last report */
    double bytes_ = 0;
    int devices_ = 0, tasks_ = 1;
    std::string transport_;
};

} // namespace enuf
#endif
