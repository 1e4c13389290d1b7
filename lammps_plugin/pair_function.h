/*
 * pair_function.h - the part of 1/r that the mesh sums, as polynomials of r^2: the library's pair
 * functions, in an order for scalar evaluation. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PAIR_FUNCTION_H
#define ENUF_PAIR_FUNCTION_H

#include "enuf/ewald.h"

namespace enuf
{

class PairFunction
{
  public:
    /** Makes the pair functions of a splitting, accurate to rounding. */
    enuf_status make(enuf_split split, double parameter, double cutoff);

    /** Q/cutoff and R/cutoff^3 of enuf_pair_functions at r^2 <= cutoff^2. */
    void of_mesh(double rsq, double *energy, double *force_over_r) const
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

  private:
    int n_ = 1;
    double pieces_per_cutsq_ = 0;
    /* energy, force: the two chains of multiplications run side by side */
    double coefficients_[ENUF_PAIR_PIECES][ENUF_PAIR_COEFFICIENTS][2] = {};
};

} // namespace enuf
#endif
