/*
 * pair_kernel.h - the loop over KOKKOS' neighbour lists: Coulomb pairs of a splitting and a
 * Lennard-Jones term. A thread sums the neighbours of one atom.
 *
 * Lists are of three kinds: FULL holds every pair twice, and a thread writes its own atom only;
 * HALF is for one thread; HALFTHREAD adds to the other atom of a pair atomically.
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PAIR_KERNEL_H
#define ENUF_PAIR_KERNEL_H

#include "../lennard_jones.h"
#include "../pair_function.h"

#include <atom_kokkos.h>
#include <kokkos_type.h>
#include <neigh_list_kokkos.h>

#include <type_traits>
#include <utility>

namespace enuf
{

/** Sums over pairs: both energies; virial xx, yy, zz, xy, xz, yz. */
struct PairTotals {
    double lj, coulomb, virial[6];

    KOKKOS_INLINE_FUNCTION PairTotals() : lj(0), coulomb(0), virial{0, 0, 0, 0, 0, 0}
    {
    }
    KOKKOS_INLINE_FUNCTION void operator+=(const PairTotals &other)
    {
        lj += other.lj;
        coulomb += other.coulomb;
        for (int c = 0; c < 6; c++) virial[c] += other.virial[c];
    }
};

/** What two types have together. */
struct PairOfTypes {
    LennardJonesTerm lj;
    double scale; /* of the Coulomb term */
};

/** Views and numbers that the loop reads and writes. */
template <class DeviceType> struct PairViews {
    template <class Dual>
    using ViewOf = std::decay_t<decltype(std::declval<Dual &>().template view<DeviceType>())>;
    using List = LAMMPS_NS::NeighListKokkos<DeviceType>;
    using Atoms = LAMMPS_NS::AtomKokkos;

    ViewOf<decltype(Atoms::k_x)> x;
    ViewOf<decltype(Atoms::k_f)> f;
    ViewOf<decltype(Atoms::k_q)> q;
    ViewOf<decltype(Atoms::k_type)> type;
    decltype(List::d_ilist) atoms;
    decltype(List::d_numneigh) counts;
    decltype(List::d_neighbors) neighbours;
    Kokkos::View<const PairFunction *, DeviceType> function; /* [1] */
    Kokkos::View<const PairOfTypes *, DeviceType> types;     /* [n_types][n_types] */
    Kokkos::View<double *, DeviceType> energies;             /* of atoms; empty: not wanted */
    Kokkos::View<double *[6], Kokkos::LayoutRight, DeviceType> virials;
    int n_types, nlocal, newton;
    double cut_coulsq, qqrd2e, special_coul[4], special_lj[4];
};

template <class DeviceType, int LIST> struct PairKernel {
    using value_type = PairTotals;
    PairViews<DeviceType> v;

    KOKKOS_INLINE_FUNCTION void operator()(int ii) const
    {
        PairTotals none;
        sum<false>(ii, none);
    }
    KOKKOS_INLINE_FUNCTION void operator()(int ii, PairTotals &totals) const
    {
        sum<true>(ii, totals);
    }

  private:
    template <class Number> KOKKOS_INLINE_FUNCTION static void add(Number &to, double value)
    {
        if constexpr (LIST == HALFTHREAD)
            Kokkos::atomic_add(&to, static_cast<Number>(value));
        else
            to += static_cast<Number>(value);
    }

    /* Half of a pair belongs to each of its atoms. */
    KOKKOS_INLINE_FUNCTION void share(int atom, double energy, const double virial[6]) const
    {
        if (v.energies.extent(0)) add(v.energies(atom), energy / 2);
        if (v.virials.extent(0))
            for (int c = 0; c < 6; c++) add(v.virials(atom, c), virial[c] / 2);
    }

    template <bool TALLY> KOKKOS_INLINE_FUNCTION void sum(int ii, PairTotals &totals) const
    {
        const int i = v.atoms(ii), type_i = v.type(i), n = v.counts(i);
        const double x = v.x(i, 0), y = v.x(i, 1), z = v.x(i, 2);
        const double q = v.qqrd2e * static_cast<double>(v.q(i));
        double fx = 0, fy = 0, fz = 0;
        for (int jj = 0; jj < n; jj++) {
            const int neighbour = v.neighbours(i, jj);
            const int j = neighbour & NEIGHMASK, kind = neighbour >> SBBITS & 3;
            const double dx = x - v.x(j, 0), dy = y - v.x(j, 1), dz = z - v.x(j, 2);
            const double rsq = dx * dx + dy * dy + dz * dz;
            const PairOfTypes &types = v.types(type_i * v.n_types + v.type(j));
            double force = 0, lj = 0, coulomb = 0;
            const double qq = q * static_cast<double>(v.q(j)) * types.scale;
            if (rsq < v.cut_coulsq && qq != 0)
                coulomb = v.function(0).coulomb(qq, rsq, v.special_coul[kind], &force);
            if (rsq < types.lj.cutsq) {
                const double r2inv = 1 / rsq;
                force += v.special_lj[kind] * r2inv * types.lj.force(r2inv, &lj);
                lj *= v.special_lj[kind];
            }
            fx += dx * force;
            fy += dy * force;
            fz += dz * force;
            const bool both = LIST != FULL && (v.newton || j < v.nlocal);
            if (both) {
                add(v.f(j, 0), -dx * force);
                add(v.f(j, 1), -dy * force);
                add(v.f(j, 2), -dz * force);
            }
            if constexpr (TALLY) {
                const double weight = both ? 1 : 0.5;
                const double virial[6] = {dx * dx * force, dy * dy * force, dz * dz * force,
                                          dx * dy * force, dx * dz * force, dy * dz * force};
                totals.lj += weight * lj;
                totals.coulomb += weight * coulomb;
                for (int c = 0; c < 6; c++) totals.virial[c] += weight * virial[c];
                share(i, lj + coulomb, virial);
                if (both) share(j, lj + coulomb, virial);
            }
        }
        add(v.f(i, 0), fx);
        add(v.f(i, 1), fy);
        add(v.f(i, 2), fz);
    }
};

} // namespace enuf
#endif
