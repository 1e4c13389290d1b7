/* lane_charges.cuh - the charges of an atom in all sets. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_EWALD_CUDA_LANE_CHARGES_CUH
#define ENUF_EWALD_CUDA_LANE_CHARGES_CUH

/** In as few loads as there can be. */
template <class Real, int LANES>
struct alignas(LANES * sizeof(Real) < 16 ? LANES * sizeof(Real) : 16) lane_charges {
    Real of[LANES];
};

#endif
