/* evaluator.cpp - what all ways of evaluating share. SPDX-License-Identifier: GPL-2.0-only */
#include "evaluator.h"

#include "distributed_evaluator.h"
#include "gathered_evaluator.h"

namespace enuf
{

enuf_status Evaluator::begin(int)
{
    return ENUF_UNSUPPORTED; // asked for only where can_begin()
}

enuf_status Evaluator::finish()
{
    return ENUF_UNSUPPORTED;
}

void Evaluator::prepare(int wanted, std::size_t n)
{
    const struct {
        int bit;
        std::vector<double> *array;
        std::size_t width;
        double **at;
    } arrays[] = {{ENUF_WANT_FORCES, &forces_, 3, &result_.forces},
                  {ENUF_WANT_ATOM_ENERGY, &atom_energy_, 1, &result_.atom_energy},
                  {ENUF_WANT_ATOM_VIRIAL, &atom_virial_, 6, &result_.atom_virial},
                  {ENUF_WANT_POTENTIAL, &potential_, 1, &result_.potential},
                  {ENUF_WANT_FIELD, &field_, 3, &result_.field}};
    result_ = {};
    result_.struct_size = sizeof result_;
    for (const auto &array : arrays) {
        if (wanted & array.bit) array.array->resize(n * array.width);
        *array.at = array.array->data();
    }
}

double Evaluator::memory_usage() const
{
    std::size_t numbers = 0;
    for (const auto *array : {&forces_, &atom_energy_, &atom_virial_, &potential_, &field_})
        numbers += array->capacity();
    return static_cast<double>(numbers * sizeof(double));
}

std::unique_ptr<Evaluator> make_evaluator(LAMMPS_NS::LAMMPS *lmp, Gather how)
{
    if (how == Gather::none) return std::make_unique<DistributedEvaluator>(lmp);
    return std::make_unique<GatheredEvaluator>(lmp, how == Gather::first);
}

} // namespace enuf
