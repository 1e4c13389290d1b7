/*
 * evaluator.h - the library's object on the tasks of one LAMMPS: each task gives its own atoms and
 * gets their results. Functions are collective unless they say "local"; status and text are the
 * same on all tasks. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_EVALUATOR_H
#define ENUF_EVALUATOR_H

#include "enuf/ewald_mpi.h"

#include <string>
#include <vector>

namespace enuf
{

class Evaluator
{
  public:
    explicit Evaluator(MPI_Comm world);
    ~Evaluator();
    Evaluator(const Evaluator &) = delete;
    Evaluator &operator=(const Evaluator &) = delete;

    enuf_status create(const enuf_ewald_options &options);
    /** Cell, and the charges of this task: own [n][4] x, y, z, q. */
    enuf_status set_system(const double cell[9], const std::vector<double> &own);
    /** Chooses parameters, with or without the positions that are set. */
    enuf_status tune(bool by_positions);
    /** Verifies the choice once at the positions that are set; chooses again if the error is too
     * large. */
    enuf_status verify();
    /** Adds the modes left out to energy and virial, by the positions that are set. */
    enuf_status measure_tail();
    /** Sums the modes: energies in result(), arrays by forces(), ... */
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
    double memory_usage() const;
    /** Local, of the last report: a line for the log on the tasks that evaluate. */
    std::string who() const;

    /** Sums of the last evaluation. */
    const enuf_ewald_result &result() const
    {
        return result_;
    }
    /** Results of the atoms that set_system() was given, in their order; until the next call. */
    const double *forces() const
    {
        return result_.forces;
    }
    const double *atom_energy() const
    {
        return result_.atom_energy;
    }
    const double *atom_virial() const
    {
        return result_.atom_virial;
    }
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

    const MPI_Comm world_;
    enuf_ewald *ewald_ = nullptr;
    bool has_charges_ = false, has_cell_ = false;
    double cell_[9] = {};
    std::vector<double> positions_, charges_; /* [n][3], [n]: as set */
    std::vector<double> forces_, atom_energy_, atom_virial_, potential_, field_;
    enuf_ewald_result result_ = {};
    /* of the last report */
    double bytes_ = 0;
    int devices_ = 0, tasks_ = 1;
    std::string transport_;
};

} // namespace enuf
#endif
