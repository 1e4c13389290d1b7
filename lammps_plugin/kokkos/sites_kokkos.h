/*
 * sites_kokkos.h - the charges of this task's atoms in views of KOKKOS.
 *
 * A kernel copies positions and charges, in any precision and layout, to rows of doubles that stay
 * at one place, and compares them with those of the last step. The library reads them there, or,
 * where several tasks share a GPU, in a copy on the host. A kernel adds forces to KOKKOS' view.
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_SITES_KOKKOS_H
#define ENUF_SITES_KOKKOS_H

#include "../sites.h"

#include "enuf/ewald.h"

#include <kokkos_type.h>

#include <map>

namespace enuf
{

template <class DeviceType> class SitesKokkos : public Sites
{
  public:
    explicit SitesKokkos(LAMMPS_NS::LAMMPS *lmp);

    /** Where the library's object has its arrays. */
    void use(enuf_memory memory)
    {
        on_device_ = memory == ENUF_DEVICE;
    }
    bool on_device() const
    {
        return on_device_;
    }

    /** Whether the views hold what LAMMPS' own arrays hold: not if precision or layout of KOKKOS
     * differ from those of the headers. Local; both have to be up to date. */
    bool views_are_as_in_headers();

    void init() override
    {
    }
    bool tip4p() const override
    {
        return false; // KOKKOS has no such pair style
    }
    void collect_atoms() override;
    void collect() override;
    bool is_current() override;

    std::int64_t n() const override
    {
        return n_;
    }
    const double *positions() const override
    {
        return on_device_ ? positions_.device.data() : positions_.host.data();
    }
    const double *charges() const override
    {
        return on_device_ ? charges_.device.data() : charges_.host.data();
    }
    const double *charges_on_host() const override
    {
        if (on_device_) charges_.to_host(static_cast<std::size_t>(n_));
        return charges_.host.data();
    }
    double *room(int kind, std::size_t numbers) override;
    const double *on_host(int kind) override;

    void add_forces(int directions, double scale) override;
    void add_atom_energy(double scale, double *eatom) override;
    void add_atom_virial(double scale, double **vatom) override;
    double memory_usage() const override;

  private:
    using Numbers = Kokkos::View<double *, DeviceType>;

    /* Numbers on the device, and their place on the host: the same one if the device is the host.
     */
    struct Array {
        Numbers device;
        typename Numbers::HostMirror host;

        void make_room(std::size_t numbers);
        void to_host(std::size_t numbers) const;
        void to_device(std::size_t numbers) const;
    };
    struct Room {
        Array array;
        std::size_t numbers = 0;
    };

    void read_views();
    void refuse_first_infinite();

    bool on_device_ = false;
    int n_ = 0;
    Array positions_, charges_; /* [n][3], [n] */
    std::map<int, Room> rooms_;
};

} // namespace enuf
#endif
