/*
 * pair_enuf_kokkos.h - the pair styles coul/enuf/kk and lj/cut/coul/enuf/kk: settings and checks of
 * the styles without suffix, the loop of pair_kernel.h. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PAIR_ENUF_KOKKOS_H
#define ENUF_PAIR_ENUF_KOKKOS_H

#include "pair_kernel.h"

namespace enuf
{

/** Base: the style without suffix. */
template <class Base, class DeviceType> class PairEnufKokkos : public Base
{
  public:
    explicit PairEnufKokkos(LAMMPS_NS::LAMMPS *lmp);

    void init_style() override;
    void compute(int eflag, int vflag) override;

  private:
    using Energies = Kokkos::View<double *, DeviceType>;
    using Virials = Kokkos::View<double *[6], Kokkos::LayoutRight, DeviceType>;
    using Types = Kokkos::View<PairOfTypes *, DeviceType>;
    using Function = Kokkos::View<PairFunction *, DeviceType>;

    void copy_types();
    PairViews<DeviceType> views();
    template <int LIST> PairTotals sum(const PairViews<DeviceType> &views) const;
    void add_to_atoms(const PairViews<DeviceType> &views);

    int list_ = 0; /* kind of the neighbour list */
    Function function_on_device_;
    Types types_;
    typename Types::HostMirror types_on_host_; /* as they are on the device */
};

} // namespace enuf
#endif
