/* evaluator.cpp - what all ways of evaluating share. SPDX-License-Identifier: GPL-2.0-only */
#include "evaluator.h"

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

const int Evaluator::WIDTH[RESULTS] = {3, 1, 6, 1, 3};

void Evaluator::prepare(int wanted)
{
    const struct {
        int bit;
        double **at;
    } arrays[RESULTS] = {{ENUF_WANT_FORCES, &result_.forces},
                         {ENUF_WANT_ATOM_ENERGY, &result_.atom_energy},
                         {ENUF_WANT_ATOM_VIRIAL, &result_.atom_virial},
                         {ENUF_WANT_POTENTIAL, &result_.potential},
                         {ENUF_WANT_FIELD, &result_.field}};
    result_ = {};
    result_.struct_size = sizeof result_;
    for (int k = 0; k < RESULTS; k++)
        if (wanted & arrays[k].bit) *arrays[k].at = room(static_cast<Result>(k));
}

std::unique_ptr<Evaluator> make_evaluator(LAMMPS_NS::LAMMPS *lmp, Gather how)
{
    if (how == Gather::none) return make_distributed_evaluator(lmp);
    return make_gathered_evaluator(lmp, how == Gather::first);
}

} // namespace enuf
