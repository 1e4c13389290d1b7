/* distributed_evaluator.cpp - every task with its own atoms. SPDX-License-Identifier: GPL-2.0-only
 */
#include "evaluator.h"

#include "enuf/ewald_mpi.h"

#include <lammps.h>

#include <algorithm>

namespace enuf
{
namespace
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
    enuf_status verify() override;
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
    std::string who() const override;

  protected:
    double *room(Result which) override;
    const double *own_part(Result which) override;

  private:
    const MPI_Comm comm_;
    enuf_ewald_mpi *ewald_ = nullptr;
    bool has_charges_ = false, has_cell_ = false;
    double cell_[9] = {};
    std::vector<double> positions_, charges_; /* [n][3], [n]: as set */
    std::vector<double> results_[RESULTS];
    /* of the last report */
    double bytes_ = 0;
    int devices_ = 0;
    std::string transport_;
};

DistributedEvaluator::DistributedEvaluator(LAMMPS_NS::LAMMPS *lmp) : comm_(lmp->world)
{
}

/* LAMMPS deletes styles on all tasks alike, before it ends MPI. */
DistributedEvaluator::~DistributedEvaluator()
{
    enuf_ewald_mpi_destroy(&ewald_);
}

enuf_status DistributedEvaluator::create(const enuf_ewald_options &options)
{
    enuf_ewald_mpi_options o;
    enuf_ewald_mpi_options_init(&o);
    o.ewald = options;
    enuf_ewald_mpi_destroy(&ewald_);
    has_charges_ = has_cell_ = false;
    return enuf_ewald_mpi_create(comm_, &o, &ewald_);
}

/* Charges move with their atoms from task to task: where any task has others than before, all set
 * theirs; so with the cell. */
enuf_status DistributedEvaluator::set_system(const double cell[9], const std::vector<double> &own)
{
    const std::size_t n = own.size() / 4;
    int changed[2] = {!has_charges_ || charges_.size() != n,
                      !has_cell_ || !std::equal(cell, cell + 9, cell_)};
    charges_.resize(n);
    positions_.resize(3 * n);
    for (std::size_t i = 0; i < n; i++) {
        const double *site = &own[4 * i];
        changed[0] |= charges_[i] != site[3];
        charges_[i] = site[3];
        std::copy(site, site + 3, &positions_[3 * i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, changed, 2, MPI_INT, MPI_MAX, comm_);
    enuf_status status = ENUF_SUCCESS;
    if (changed[1]) status = enuf_ewald_mpi_set_cell(ewald_, cell);
    has_cell_ = status == ENUF_SUCCESS;
    std::copy(cell, cell + 9, cell_);
    if (status != ENUF_SUCCESS || !changed[0]) return status;
    status = enuf_ewald_mpi_set_charges(ewald_, static_cast<int64_t>(n), charges_.data(), nullptr);
    has_charges_ = status == ENUF_SUCCESS;
    return status;
}

enuf_status DistributedEvaluator::tune(bool by_positions)
{
    // a task without atoms has no array, but gives positions as the others do
    static const double none[3] = {0, 0, 0};
    const double *positions = positions_.empty() ? none : positions_.data();
    return enuf_ewald_mpi_tune(ewald_, by_positions ? positions : nullptr, 3);
}

enuf_status DistributedEvaluator::verify()
{
    return enuf_ewald_mpi_verify(ewald_, positions_.data(), 3);
}

enuf_status DistributedEvaluator::reciprocal(int wanted)
{
    prepare(wanted);
    return enuf_ewald_mpi_reciprocal(ewald_, positions_.data(), 3, wanted, &result_);
}

enuf_status DistributedEvaluator::measure_error(int64_t sample, uint64_t seed,
                                                enuf_ewald_error *found)
{
    return enuf_ewald_mpi_measure_error(ewald_, positions_.data(), 3, sample, seed, found);
}

enuf_status DistributedEvaluator::get_report(enuf_ewald_report *report)
{
    enuf_ewald_mpi_report r = {};
    r.struct_size = sizeof r;
    r.ewald.struct_size = sizeof r.ewald;
    const enuf_status status = enuf_ewald_mpi_get_report(ewald_, &r);
    if (status == ENUF_SUCCESS) {
        *report = r.ewald;
        bytes_ = static_cast<double>(r.ewald.bytes);
        devices_ = r.devices;
        transport_ = r.transport;
    }
    return status;
}

double DistributedEvaluator::memory_usage() const
{
    std::size_t numbers = positions_.capacity() + charges_.capacity();
    for (const auto &result : results_) numbers += result.capacity();
    return bytes_ + static_cast<double>(numbers * sizeof(double));
}

std::string DistributedEvaluator::who() const
{
    const std::string own = "every MPI task evaluates its own atoms";
    if (devices_ == 0) return own;
    return own + ", on " + std::to_string(devices_) + " GPU" + (devices_ > 1 ? "s" : "") +
           (devices_ > 1 ? ", between which arrays go by " + transport_ : "");
}

double *DistributedEvaluator::room(Result which)
{
    results_[which].resize(charges_.size() * WIDTH[which]);
    return results_[which].data();
}

const double *DistributedEvaluator::own_part(Result which)
{
    return results_[which].data();
}

} // namespace

std::unique_ptr<Evaluator> make_distributed_evaluator(LAMMPS_NS::LAMMPS *lmp)
{
    return std::make_unique<DistributedEvaluator>(lmp);
}

} // namespace enuf
