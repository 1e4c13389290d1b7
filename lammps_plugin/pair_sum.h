/*
 * pair_sum.h - the loop over LAMMPS' half neighbour list, for any term beside the Coulomb one.
 *
 * ShortRange has, for types i, j:
 *   double cutsq(i, j)   square of its cutoff, 0 where there is none
 *   double force(i, j, rsq, r2inv, double *energy)   force times r, and the energy
 *   double scale(i, j)   of the Coulomb term
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PAIR_SUM_H
#define ENUF_PAIR_SUM_H

#include <lmptype.h>

#include <cstddef>
#include <vector>

/* The loop is compiled for several processors where the compiler can do so. */
#ifndef ENUF_PAIR_CLONES
#define ENUF_PAIR_CLONES
#endif

namespace enuf
{

/** Arrays of LAMMPS that the loop reads and writes. */
struct PairArrays {
    double **x, **f, *q;
    int *type, nlocal, newton_pair;
    const double *special_coul, *special_lj;
    double qqrd2e;
    double **cutsq;
    int n, *atoms, *counts, **neighbours;
};

/** A neighbour inside the cutoff. */
struct PairHit {
    double dx, dy, dz, rsq;
    int j, kind; /* of special_bonds */
};

/* Neighbours of atom i inside the cutoff. Every neighbour is written, and counted only if it is
 * inside: an unpredictable branch would cost more than the work. */
inline int find_hits(const PairArrays &p, int i, PairHit *hits)
{
    const double x = p.x[i][0], y = p.x[i][1], z = p.x[i][2], *within = p.cutsq[p.type[i]];
    const int *neighbours = p.neighbours[i];
    int n = 0;
    for (int jj = 0; jj < p.counts[i]; jj++) {
        const int j = neighbours[jj] & NEIGHMASK;
        const double dx = x - p.x[j][0], dy = y - p.x[j][1], dz = z - p.x[j][2];
        const double rsq = dx * dx + dy * dy + dz * dz;
        hits[n] = {dx, dy, dz, rsq, j, neighbours[jj] >> SBBITS & 3};
        n += rsq < within[p.type[j]];
    }
    return n;
}

/**
 * Calls tally(i, j, energy_lj, energy_coulomb, force_over_r, dx, dy, dz) for every pair inside a
 * cutoff; coulomb(qq, rsq, share, &force_over_r) gives the Coulomb energy. `hits` is scratch.
 * Static, because g++ 13 does not compile clones of a function that several files may hold.
 */
template <bool TALLY, class ShortRange, class Coulomb, class Tally>
static ENUF_PAIR_CLONES void sum_pairs(const PairArrays &p, double cut_coulsq,
                                       const ShortRange &short_range, const Coulomb &coulomb,
                                       const Tally &tally, std::vector<PairHit> &hits)
{
    for (int ii = 0; ii < p.n; ii++) {
        const int i = p.atoms[ii], type_i = p.type[i];
        const double q = p.qqrd2e * p.q[i];
        double fx = 0, fy = 0, fz = 0;
        if (hits.size() <= static_cast<std::size_t>(p.counts[i])) hits.resize(2 * p.counts[i] + 16);
        const int n = find_hits(p, i, hits.data());
        for (int h = 0; h < n; h++) {
            const PairHit &hit = hits[h];
            const int j = hit.j, type_j = p.type[j];
            double force = 0, energy_lj = 0, energy_coulomb = 0;
            const double qq = q * p.q[j];
            if (hit.rsq < cut_coulsq && qq != 0)
                energy_coulomb = coulomb(short_range.scale(type_i, type_j) * qq, hit.rsq,
                                         p.special_coul[hit.kind], &force);
            if (hit.rsq < short_range.cutsq(type_i, type_j)) {
                const double r2inv = 1 / hit.rsq;
                force += p.special_lj[hit.kind] * r2inv *
                         short_range.force(type_i, type_j, hit.rsq, r2inv, &energy_lj);
                energy_lj *= p.special_lj[hit.kind];
            }
            fx += hit.dx * force;
            fy += hit.dy * force;
            fz += hit.dz * force;
            if (p.newton_pair || j < p.nlocal) {
                p.f[j][0] -= hit.dx * force;
                p.f[j][1] -= hit.dy * force;
                p.f[j][2] -= hit.dz * force;
            }
            if (TALLY) tally(i, j, energy_lj, energy_coulomb, force, hit.dx, hit.dy, hit.dz);
        }
        p.f[i][0] += fx;
        p.f[i][1] += fy;
        p.f[i][2] += fz;
    }
}

} // namespace enuf
#endif
