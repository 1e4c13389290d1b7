/* pair_function.cpp - lays the library's polynomials out. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_function.h"

#include <algorithm>

namespace enuf
{

enuf_status PairFunction::make(enuf_split split, double parameter, double cutoff)
{
    enuf_pair_functions made = {};
    made.struct_size = sizeof made;
    const enuf_status status = enuf_pair_functions_make(split, parameter, cutoff, 0, &made);
    if (status != ENUF_SUCCESS) return status;
    n_ = std::max(made.n_energy, made.n_force);
    pieces_per_cutsq_ = ENUF_PAIR_PIECES / (cutoff * cutoff);
    for (int piece = 0; piece < ENUF_PAIR_PIECES; piece++)
        for (int k = 0; k < n_; k++) {
            double *c = coefficients_[piece][k];
            c[0] = k < made.n_energy ? made.energy[k][piece] / cutoff : 0;
            c[1] = k < made.n_force ? made.force[k][piece] / (cutoff * cutoff * cutoff) : 0;
        }
    return ENUF_SUCCESS;
}

} // namespace enuf
