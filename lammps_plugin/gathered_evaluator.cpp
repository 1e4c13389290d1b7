/* gathered_evaluator.cpp - all atoms on every task, or on the first. SPDX-License-Identifier:
 * GPL-2.0-only */
#include "gathered_evaluator.h"

#include <comm.h>
#include <lammps.h>

namespace enuf
{

GatheredEvaluator::GatheredEvaluator(LAMMPS_NS::LAMMPS *lmp, bool first_only)
    : exchange_(lmp), first_only_(first_only), first_(lmp->comm->me == 0)
{
    exchange_.set_first_only(first_only);
}

GatheredEvaluator::~GatheredEvaluator()
{
    enuf_ewald_destroy(&ewald_);
}

enuf_status GatheredEvaluator::create(const enuf_ewald_options &options)
{
    enuf_ewald_destroy(&ewald_);
    charges_.clear();
    return exchange_.evaluates() ? enuf_ewald_create(&options, &ewald_) : ENUF_SUCCESS;
}

/* The library ignores a cell that it has; charges are compared, as setting them costs a sort. */
enuf_status GatheredEvaluator::set_system(const double cell[9], const std::vector<double> &own)
{
    exchange_.gather(own);
    if (!ewald_) return ENUF_SUCCESS;
    enuf_status status = enuf_ewald_set_cell(ewald_, cell);
    if (status != ENUF_SUCCESS || exchange_.charges() == charges_) return status;
    const auto &charges = exchange_.charges();
    status = enuf_ewald_set_charges(ewald_, static_cast<int64_t>(charges.size()), charges.data(),
                                    nullptr);
    if (status == ENUF_SUCCESS) charges_ = charges;
    return status;
}

enuf_status GatheredEvaluator::tune(bool by_positions)
{
    if (!ewald_) return ENUF_SUCCESS;
    return enuf_ewald_tune(ewald_, by_positions ? exchange_.all().data() : nullptr, 4);
}

enuf_status GatheredEvaluator::reciprocal(int wanted)
{
    prepare(wanted, exchange_.charges().size());
    if (!ewald_) return ENUF_SUCCESS;
    return enuf_ewald_reciprocal(ewald_, exchange_.all().data(), 4, wanted, &result_);
}

enuf_status GatheredEvaluator::begin(int wanted)
{
    prepare(wanted, exchange_.charges().size());
    if (!ewald_) return ENUF_SUCCESS;
    const enuf_status status =
        enuf_ewald_begin_reciprocal(ewald_, exchange_.all().data(), 4, wanted, &result_);
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
    return enuf_ewald_measure_error(ewald_, exchange_.all().data(), 4, sample, seed, found);
}

enuf_status GatheredEvaluator::get_report(enuf_ewald_report *report)
{
    return ewald_ ? enuf_ewald_get_report(ewald_, report) : ENUF_SUCCESS;
}

double GatheredEvaluator::memory_usage() const
{
    enuf_ewald_report report;
    report.struct_size = sizeof report;
    double bytes = Evaluator::memory_usage() + exchange_.memory_usage() +
                   static_cast<double>(charges_.capacity() * sizeof(double));
    if (ewald_ && !begun_ && enuf_ewald_get_report(ewald_, &report) == ENUF_SUCCESS)
        bytes += static_cast<double>(report.bytes);
    return bytes;
}

const char *GatheredEvaluator::who() const
{
    return first_only_ ? "the first MPI task evaluates all atoms"
                       : "every MPI task evaluates all atoms";
}

const double *GatheredEvaluator::own_part(const std::vector<double> &results, int width)
{
    return exchange_.own_part(results, width);
}

} // namespace enuf
