/* gathered_evaluator.cpp - all atoms on every task, or on the first. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "atom_exchange.h"
#include "evaluator.h"

#include <comm.h>
#include <lammps.h>

namespace enuf
{
namespace
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
    enuf_status verify() override;
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
    std::string who() const override;

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

GatheredEvaluator::GatheredEvaluator(LAMMPS_NS::LAMMPS *lmp, bool first_only)
    : lmp_(lmp), first_only_(first_only), first_(lmp->comm->me == 0),
      exchange_(new AtomExchange(lmp, first_only, &ewald_))
{
}

/* Arrays unlock their pages before the object for which they did it is gone. */
GatheredEvaluator::~GatheredEvaluator()
{
    finish();
    exchange_.reset();
    for (auto &array : results_) array.reset();
    enuf_ewald_destroy(&ewald_);
}

enuf_status GatheredEvaluator::create(const enuf_ewald_options &options)
{
    return first_only_ && !first_ ? ENUF_SUCCESS : enuf_ewald_create(&options, &ewald_);
}

/* The library ignores a cell that it has; setting charges costs it sums over all of them. */
enuf_status GatheredEvaluator::set_system(const double cell[9], const std::vector<double> &own)
{
    const bool failed_before = set_ != ENUF_SUCCESS;
    exchange_->gather(own);
    set_ = ENUF_SUCCESS;
    if (!ewald_) return set_;
    set_ = enuf_ewald_set_cell(ewald_, cell);
    if (set_ == ENUF_SUCCESS && (exchange_->charges_changed() || failed_before))
        set_ = enuf_ewald_set_charges(ewald_, exchange_->shares().total, exchange_->charges(),
                                      nullptr);
    return set_;
}

enuf_status GatheredEvaluator::tune(bool by_positions)
{
    if (!ewald_) return ENUF_SUCCESS;
    return enuf_ewald_tune(ewald_, by_positions ? exchange_->positions() : nullptr, 3);
}

enuf_status GatheredEvaluator::verify()
{
    if (!ewald_ || set_ != ENUF_SUCCESS) return set_;
    return enuf_ewald_verify(ewald_, exchange_->positions(), 3);
}

enuf_status GatheredEvaluator::reciprocal(int wanted)
{
    prepare(wanted);
    if (!ewald_ || set_ != ENUF_SUCCESS) return set_;
    return enuf_ewald_reciprocal(ewald_, exchange_->positions(), 3, wanted, &result_);
}

enuf_status GatheredEvaluator::begin(int wanted)
{
    prepare(wanted);
    if (!ewald_ || set_ != ENUF_SUCCESS) return set_;
    const enuf_status status =
        enuf_ewald_begin_reciprocal(ewald_, exchange_->positions(), 3, wanted, &result_);
    begun_ = status == ENUF_SUCCESS;
    return status;
}

enuf_status GatheredEvaluator::finish()
{
    if (!ewald_ || !begun_) return ENUF_SUCCESS;
    begun_ = false;
    return enuf_ewald_finish(ewald_);
}

enuf_status GatheredEvaluator::measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found)
{
    if (!first_) return ENUF_SUCCESS;
    return enuf_ewald_measure_error(ewald_, exchange_->positions(), 3, sample, seed, found);
}

enuf_status GatheredEvaluator::get_report(enuf_ewald_report *report)
{
    return ewald_ ? enuf_ewald_get_report(ewald_, report) : ENUF_SUCCESS;
}

double GatheredEvaluator::memory_usage() const
{
    enuf_ewald_report report;
    report.struct_size = sizeof report;
    double bytes = exchange_->memory_usage();
    for (const auto &array : results_)
        if (array) bytes += array->memory_usage();
    if (ewald_ && !begun_ && enuf_ewald_get_report(ewald_, &report) == ENUF_SUCCESS)
        bytes += static_cast<double>(report.bytes);
    return bytes;
}

std::string GatheredEvaluator::who() const
{
    return first_only_ ? "the first MPI task evaluates all atoms"
                       : "every MPI task evaluates all atoms";
}

double *GatheredEvaluator::room(Result which)
{
    if (!results_[which])
        results_[which].reset(new CommonArray(lmp_, WIDTH[which], first_only_, true, &ewald_));
    results_[which]->reserve(exchange_->shares());
    return results_[which]->all();
}

const double *GatheredEvaluator::own_part(Result which)
{
    return results_[which]->take();
}

} // namespace

std::unique_ptr<Evaluator> make_gathered_evaluator(LAMMPS_NS::LAMMPS *lmp, bool first_only)
{
    return std::make_unique<GatheredEvaluator>(lmp, first_only);
}

} // namespace enuf
