/*
 * evaluator.h - the library on the tasks of one LAMMPS: which of them evaluate, and how charges
 * come to them and results back.
 *
 *   every task with its own atoms, through the library's MPI layer   (CPUs; GPUs where asked for)
 *   every task with all atoms                                        (one task; begun early)
 *   the first task with all atoms                                    (one GPU for all)
 *
 * A status is this task's: callers agree on it, at the latest before they look at results. All
 * functions but those that say otherwise are collective. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_EVALUATOR_H
#define ENUF_EVALUATOR_H

#include "enuf/ewald.h"

#include <memory>
#include <string>
#include <vector>

namespace LAMMPS_NS
{
class LAMMPS;
}

namespace enuf
{

enum class Gather { automatic, none, all, first };

class Evaluator
{
  public:
    virtual ~Evaluator() = default;

    virtual enuf_status create(const enuf_ewald_options &options) = 0;
    /** Cell, and the charges of this task: own [n][4] x, y, z, q. */
    virtual enuf_status set_system(const double cell[9], const std::vector<double> &own) = 0;
    /** Chooses parameters, by the positions set or without. */
    virtual enuf_status tune(bool by_positions) = 0;
    /** Verifies the choice at the positions set, once; chooses anew where it errs by more. */
    virtual enuf_status verify() = 0;
    /** What the modes give: sums in result(), arrays by forces(), ... */
    virtual enuf_status reciprocal(int wanted) = 0;
    /** The same in two halves; the second is local. ENUF_UNSUPPORTED where can_begin() is false.
     * May be called whatever came of set_system(), whose status it returns then. */
    virtual enuf_status begin(int wanted);
    virtual enuf_status finish();
    virtual bool can_begin() const = 0;
    /** True where statuses, and their texts, are the same on all tasks already. */
    virtual bool is_agreed() const = 0;
    /** What is found, and the report, are meant for the first task. */
    virtual enuf_status measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found) = 0;
    virtual enuf_status get_report(enuf_ewald_report *report) = 0;
    /** Local. */
    virtual double memory_usage() const = 0;
    /** Who evaluates, for the log. */
    virtual std::string who() const = 0;

    /** Sums of the last evaluation, on the first task. */
    const enuf_ewald_result &result() const
    {
        return result_;
    }
    /** Results of the atoms that set_system() was given, in their order; until the next call. */
    const double *forces()
    {
        return own_part(FORCES);
    }
    const double *atom_energy()
    {
        return own_part(ATOM_ENERGY);
    }
    const double *atom_virial()
    {
        return own_part(ATOM_VIRIAL);
    }
    const double *potential()
    {
        return own_part(POTENTIAL);
    }
    const double *field()
    {
        return own_part(FIELD);
    }

  protected:
    enum Result { FORCES, ATOM_ENERGY, ATOM_VIRIAL, POTENTIAL, FIELD, RESULTS };
    static const int WIDTH[RESULTS]; /* numbers of an atom */

    /** Points result_ to room for what is wanted. Collective. */
    void prepare(int wanted);
    /** Room for a result of the atoms that are evaluated here. Collective. */
    virtual double *room(Result which) = 0;
    virtual const double *own_part(Result which) = 0;

    enuf_ewald_result result_ = {};
};

/** Every task with its own atoms, through the library's MPI layer. */
std::unique_ptr<Evaluator> make_distributed_evaluator(LAMMPS_NS::LAMMPS *lmp);
/** All atoms on every task, or on the first for all. */
std::unique_ptr<Evaluator> make_gathered_evaluator(LAMMPS_NS::LAMMPS *lmp, bool first_only);

/** One of these; `how` is none, all or first. */
std::unique_ptr<Evaluator> make_evaluator(LAMMPS_NS::LAMMPS *lmp, Gather how);

} // namespace enuf
#endif
