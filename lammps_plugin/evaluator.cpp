/* evaluator.cpp - see evaluator.h. SPDX-License-Identifier: GPL-2.0-only */
#include "evaluator.h"

#include <algorithm>
#include <cmath>

namespace enuf
{

Evaluator::Evaluator(MPI_Comm world, Sites &sites) : world_(world), sites_(sites)
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

enuf_status Evaluator::set_charges()
{
    version_ = sites_.version_of_charges();
    return enuf_ewald_set_charges(ewald_, sites_.n(), sites_.charges(), nullptr);
}

/* If the charges of one task have changed, which also happens when atoms change tasks, all tasks
 * set their charges. The same holds for the cell. */
enuf_status Evaluator::set_system(const double cell[9])
{
    int changed[2] = {!has_charges_ || version_ != sites_.version_of_charges(),
                      !has_cell_ || !std::equal(cell, cell + 9, cell_)};
    MPI_Allreduce(MPI_IN_PLACE, changed, 2, MPI_INT, MPI_MAX, world_);
    enuf_status status = ENUF_SUCCESS;
    if (changed[1]) status = enuf_ewald_set_cell(ewald_, cell);
    has_cell_ = status == ENUF_SUCCESS;
    std::copy(cell, cell + 9, cell_);
    if (status != ENUF_SUCCESS || !changed[0]) return status;
    status = set_charges();
    has_charges_ = status == ENUF_SUCCESS;
    return status;
}

enuf_status Evaluator::tune(bool by_positions)
{
    return enuf_ewald_tune(ewald_, by_positions ? sites_.positions() : nullptr, 3);
}

enuf_status Evaluator::verify()
{
    return enuf_ewald_verify(ewald_, sites_.positions(), 3);
}

enuf_status Evaluator::measure_tail()
{
    return enuf_ewald_measure_tail(ewald_, sites_.positions(), 3);
}

/* Sets pointers of result_ to rooms for the wanted results. */
void Evaluator::prepare(int wanted)
{
    const struct {
        int bit, width;
        double **at;
    } arrays[] = {{ENUF_WANT_FORCES, 3, &result_.forces},
                  {ENUF_WANT_ATOM_ENERGY, 1, &result_.atom_energy},
                  {ENUF_WANT_ATOM_VIRIAL, 6, &result_.atom_virial},
                  {ENUF_WANT_POTENTIAL, 1, &result_.potential},
                  {ENUF_WANT_FIELD, 3, &result_.field}};
    result_ = {};
    result_.struct_size = sizeof result_;
    for (const auto &array : arrays)
        if (wanted & array.bit)
            *array.at = sites_.room(array.bit, static_cast<std::size_t>(sites_.n()) * array.width);
}

enuf_status Evaluator::reciprocal(int wanted)
{
    prepare(wanted);
    return enuf_ewald_reciprocal(ewald_, sites_.positions(), 3, wanted, &result_);
}

enuf_status Evaluator::begin(int wanted)
{
    prepare(wanted);
    return enuf_ewald_begin_reciprocal(ewald_, sites_.positions(), 3, wanted, &result_);
}

enuf_status Evaluator::finish()
{
    return enuf_ewald_finish(ewald_);
}

enuf_status Evaluator::measure_error(int64_t sample, uint64_t seed, enuf_ewald_error *found)
{
    return enuf_ewald_measure_error(ewald_, sites_.positions(), 3, sample, seed, found);
}

enuf_status Evaluator::rms_force(double *rms)
{
    prepare(ENUF_WANT_FORCES);
    const enuf_status status =
        enuf_ewald_compute(ewald_, sites_.positions(), 3, ENUF_WANT_FORCES, &result_);
    const double *charges = sites_.charges_on_host(), *forces = sites_.on_host(ENUF_WANT_FORCES);
    double sums[2] = {0, 0}; /* of squares; charges */
    for (std::int64_t i = 0; i < sites_.n(); i++) {
        if (charges[i] == 0) continue;
        const double *f = forces + 3 * i;
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

std::string Evaluator::who() const
{
    if (devices_ == 0) return "every MPI task evaluates its own atoms";
    if (devices_ == 1) return std::to_string(tasks_) + " MPI tasks share one GPU";
    return std::to_string(tasks_) + " MPI tasks share " + std::to_string(devices_) +
           " GPUs, between which arrays go by " + transport_;
}

} // namespace enuf
