/* evaluator.cpp - see evaluator.h. SPDX-License-Identifier: GPL-2.0-only */
#include "evaluator.h"

#include <algorithm>
#include <cmath>

namespace enuf
{

Evaluator::Evaluator(MPI_Comm world) : world_(world)
{
}

/* LAMMPS deletes styles on all tasks alike, before it ends MPI. */
Evaluator::~Evaluator()
{
    enuf_ewald_destroy(&ewald_);
}

enuf_status Evaluator::create(const enuf_ewald_options &options)
{
    enuf_ewald_destroy(&ewald_);
    has_charges_ = has_cell_ = false;
    return enuf_ewald_create_mpi(world_, &options, &ewald_);
}

/* If the charges of one task have changed, which also happens when atoms change tasks, all tasks
 * set their charges. The same holds for the cell. */
enuf_status Evaluator::set_system(const double cell[9], const std::vector<double> &own)
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
    MPI_Allreduce(MPI_IN_PLACE, changed, 2, MPI_INT, MPI_MAX, world_);
    enuf_status status = ENUF_SUCCESS;
    if (changed[1]) status = enuf_ewald_set_cell(ewald_, cell);
    has_cell_ = status == ENUF_SUCCESS;
    std::copy(cell, cell + 9, cell_);
    if (status != ENUF_SUCCESS || !changed[0]) return status;
    status = enuf_ewald_set_charges(ewald_, static_cast<int64_t>(n), charges_.data(), nullptr);
    has_charges_ = status == ENUF_SUCCESS;
    return status;
}

enuf_status Evaluator::tune(bool by_positions)
{
    // a task without atoms has no array, but has to pass positions
    static const double none[3] = {0, 0, 0};
    const double *positions = positions_.empty() ? none : positions_.data();
    return enuf_ewald_tune(ewald_, by_positions ? positions : nullptr, 3);
}

enuf_status Evaluator::verify()
{
    return enuf_ewald_verify(ewald_, positions_.data(), 3);
}

enuf_status Evaluator::measure_tail()
{
    return enuf_ewald_measure_tail(ewald_, positions_.data(), 3);
}

/* Sets pointers of result_ to arrays for the wanted results. */
void Evaluator::prepare(int wanted)
{
    const struct {
        int bit, width;
        std::vector<double> *room;
        double **at;
    } arrays[] = {{ENUF_WANT_FORCES, 3, &forces_, &result_.forces},
                  {ENUF_WANT_ATOM_ENERGY, 1, &atom_energy_, &result_.atom_energy},
                  {ENUF_WANT_ATOM_VIRIAL, 6, &atom_virial_, &result_.atom_virial},
                  {ENUF_WANT_POTENTIAL, 1, &potential_, &result_.potential},
                  {ENUF_WANT_FIELD, 3, &field_, &result_.field}};
    result_ = {};
    result_.struct_size = sizeof result_;
    for (const auto &array : arrays) {
        if (!(wanted & array.bit)) continue;
        array.room->resize(charges_.size() * array.width);
        *array.at = array.room->data();
    }
}

enuf_status Evaluator::reciprocal(int wanted)
{
    prepare(wanted);
    return enuf_ewald_reciprocal(ewald_, positions_.data(), 3, wanted, &result_);
}

enuf_status Evaluator::begin(int wanted)
{
    prepare(wanted);
    return enuf_ewald_begin_reciprocal(ewald_, positions_.data(), 3, wanted, &result_);
}

enuf_status Evaluator::finish()
{
    return enuf_ewald_finish(ewald_);
}

enuf_status Evaluator::measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found)
{
    return enuf_ewald_measure_error(ewald_, positions_.data(), 3, sample, seed, found);
}

enuf_status Evaluator::rms_force(double *rms)
{
    prepare(ENUF_WANT_FORCES);
    const enuf_status status =
        enuf_ewald_compute(ewald_, positions_.data(), 3, ENUF_WANT_FORCES, &result_);
    double sums[2] = {0, 0}; /* of squares; charges */
    for (std::size_t i = 0; i < charges_.size(); i++) {
        if (charges_[i] == 0) continue;
        const double *f = &forces_[3 * i];
        sums[0] += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        sums[1]++;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, world_);
    *rms = sums[1] > 0 ? std::sqrt(sums[0] / sums[1]) : 0;
    return status;
}

enuf_status Evaluator::predict_seconds(double *seconds)
{
    enuf_ewald_candidate in_use = {};
    in_use.struct_size = sizeof in_use;
    int64_t n = 0;
    const enuf_status status = enuf_ewald_list_candidates(ewald_, 1, 1, &in_use, &n);
    *seconds = n > 0 ? in_use.seconds_reciprocal : 0;
    return status;
}

enuf_status Evaluator::get_report(enuf_ewald_report *report)
{
    enuf_ewald_mpi_report r = {};
    r.struct_size = sizeof r;
    enuf_status status = enuf_ewald_get_report(ewald_, report);
    if (status == ENUF_SUCCESS) status = enuf_ewald_get_mpi_report(ewald_, &r);
    if (status != ENUF_SUCCESS) return status;
    bytes_ = static_cast<double>(report->bytes);
    devices_ = r.devices;
    tasks_ = r.ranks;
    transport_ = r.transport;
    return ENUF_SUCCESS;
}

double Evaluator::memory_usage() const
{
    std::size_t numbers = 0;
    for (const auto *array :
         {&positions_, &charges_, &forces_, &atom_energy_, &atom_virial_, &potential_, &field_})
        numbers += array->capacity();
    return bytes_ + static_cast<double>(numbers * sizeof(double));
}

std::string Evaluator::who() const
{
    if (devices_ == 0) return "every MPI task evaluates its own atoms";
    if (devices_ == 1) return std::to_string(tasks_) + " MPI tasks share one GPU";
    return std::to_string(tasks_) + " MPI tasks share " + std::to_string(devices_) +
           " GPUs, between which arrays go by " + transport_;
}

} // namespace enuf
