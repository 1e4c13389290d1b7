/*
 * pair_function.h - the part of 1/r that the mesh sums, as polynomials of r^2: the library's pair
 * functions, in an order for scalar evaluation. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PAIR_FUNCTION_H
#define ENUF_PAIR_FUNCTION_H

#include "enuf/ewald.h"

#include <cmath>

/* Functions that kernels of KOKKOS call too. */
#ifdef __CUDACC__
#define ENUF_ON_DEVICE __host__ __device__
#else
#define ENUF_ON_DEVICE
#endif

namespace enuf
{

class PairFunction
{
  public:
    /** Makes the pair functions of a splitting, accurate to rounding. */
    enuf_status make(enuf_split split, double parameter, double cutoff);

    /** Q/cutoff and R/cutoff^3 of enuf_pair_functions at r^2 <= cutoff^2. */
    ENUF_ON_DEVICE void of_mesh(double rsq, double *energy, double *force_over_r) const
    {
        const double s = rsq * pieces_per_cutsq_;
        int piece = static_cast<int>(s);
        if (piece >= ENUF_PAIR_PIECES) piece = ENUF_PAIR_PIECES - 1;
        const double t = 2 * (s - piece) - 1;
        const double(*c)[2] = coefficients_[piece];
        double e = c[n_ - 1][0], f = c[n_ - 1][1];
        for (int k = n_ - 2; k >= 0; k--) {
            e = e * t + c[k][0];
            f = f * t + c[k][1];
        }
        *energy = e;
        *force_over_r = f;
    }

    /** Coulomb energy of two charges at rsq < cutoff^2 and their force over r, both times C. share:
     * the weight of 1/r by special_bonds. */
    ENUF_ON_DEVICE double coulomb(double qq, double rsq, double share, double *force_over_r) const
    {
        const double r2inv = 1 / rsq, rinv = std::sqrt(r2inv);
        double mesh_energy, mesh_force;
        of_mesh(rsq, &mesh_energy, &mesh_force);
        *force_over_r = qq * (share * rinv * r2inv - mesh_force);
        return qq * (share * rinv - mesh_energy);
    }

  private:
    int n_ = 1;
    double pieces_per_cutsq_ = 0;
    /* energy, force: the two chains of multiplications run side by side */
    double coefficients_[ENUF_PAIR_PIECES][ENUF_PAIR_COEFFICIENTS][2] = {};
};

} // namespace enuf
#endif
