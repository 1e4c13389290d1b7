/* distributed_evaluator.h - every task with its own atoms, through the library's MPI layer.
 * SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_DISTRIBUTED_EVALUATOR_H
#define ENUF_DISTRIBUTED_EVALUATOR_H

#include "evaluator.h"
#include <mpi.h>

#include "enuf/ewald_mpi.h"

namespace enuf
{

class DistributedEvaluator : public Evaluator
{
  public:
    explicit DistributedEvaluator(LAMMPS_NS::LAMMPS *lmp);
    ~DistributedEvaluator() override;
    DistributedEvaluator(const DistributedEvaluator &) = delete;
    DistributedEvaluator &operator=(const DistributedEvaluator &) = delete;

    enuf_status create(const enuf_ewald_options &options) override;
    enuf_status set_system(const double cell[9], const std::vector<double> &own) override;
    enuf_status tune(bool by_positions) override;
    enuf_status reciprocal(int wanted) override;
    bool can_begin() const override
    {
        return false;
    }
    bool is_agreed() const override
    {
        return true;
    }
    enuf_status measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found) override;
    enuf_status get_report(enuf_ewald_report *report) override;
    double memory_usage() const override;
    const char *who() const override;

  protected:
    double *room(Result which) override;
    const double *own_part(Result which) override;

  private:
    const MPI_Comm comm_;
    enuf_ewald_mpi *ewald_ = nullptr;
    bool has_charges_ = false;
    std::vector<double> own_, charges_; /* [n][4], [n]: as set */
    std::vector<double> results_[RESULTS];
    double bytes_ = 0; /* of the last report */
};

} // namespace enuf
#endif
