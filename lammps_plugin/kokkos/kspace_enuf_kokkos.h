/*
 * kspace_enuf_kokkos.h - kspace_style enuf/kk: kspace_style enuf with its atoms in views of KOKKOS,
 * on the device or, as enuf/kk/host, on the host. SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_KSPACE_ENUF_KOKKOS_H
#define ENUF_KSPACE_ENUF_KOKKOS_H

#include "../kspace_enuf.h"
#include "sites_kokkos.h"
#include "stream.h"

#include <kokkos_type.h>

namespace enuf
{

template <class DeviceType> class KSpaceEnufKokkos : public KSpaceEnuf
{
  public:
    explicit KSpaceEnufKokkos(LAMMPS_NS::LAMMPS *lmp);
    ~KSpaceEnufKokkos() override;

    void init() override;
    void compute_group_group(int groupbit_a, int groupbit_b, int aa_flag) override;

  protected:
    void check_place_of_pairs() override;
    enuf_backend find_backend() override;
    void place(enuf_ewald_options *options) override;
    void add_fix() override;
    void has_begun() override;

  private:
    using AtSites = SitesKokkos<DeviceType>;

    KSpaceEnufKokkos(LAMMPS_NS::LAMMPS *lmp, std::unique_ptr<AtSites> sites);

    AtSites &sites_; /* the base owns them */
    Stream<DeviceType> stream_;
};

} // namespace enuf
#endif
