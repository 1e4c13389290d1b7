/* gathered_evaluator.h - all atoms on every task, or on the first. SPDX-License-Identifier:
 * GPL-2.0-only */
#ifndef ENUF_GATHERED_EVALUATOR_H
#define ENUF_GATHERED_EVALUATOR_H

#include "atom_exchange.h"
#include "evaluator.h"

namespace enuf
{

class GatheredEvaluator : public Evaluator
{
  public:
    GatheredEvaluator(LAMMPS_NS::LAMMPS *lmp, bool first_only);
    ~GatheredEvaluator() override;
    GatheredEvaluator(const GatheredEvaluator &) = delete;
    GatheredEvaluator &operator=(const GatheredEvaluator &) = delete;

    enuf_status create(const enuf_ewald_options &options) override;
    enuf_status set_system(const double cell[9], const std::vector<double> &own) override;
    enuf_status tune(bool by_positions) override;
    enuf_status reciprocal(int wanted) override;
    enuf_status begin(int wanted) override;
    enuf_status finish() override;
    bool can_begin() const override
    {
        return true;
    }
    bool is_agreed() const override
    {
        return false;
    }
    enuf_status measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found) override;
    enuf_status get_report(enuf_ewald_report *report) override;
    double memory_usage() const override;
    const char *who() const override;

  protected:
    double *room(Result which) override;
    const double *own_part(Result which) override;

  private:
    LAMMPS_NS::LAMMPS *const lmp_;
    const bool first_only_, first_; /* the first task evaluates for all; this is it */
    enuf_ewald *ewald_ = nullptr;   /* of those who evaluate */
    std::unique_ptr<AtomExchange> exchange_;
    std::unique_ptr<CommonArray> results_[RESULTS];
    enuf_status set_ = ENUF_SUCCESS; /* what came of set_system() */
    bool begun_ = false;
};

} // namespace enuf
#endif
