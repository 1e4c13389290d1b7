/* sites_kokkos.cpp - see sites_kokkos.h. SPDX-License-Identifier: GPL-2.0-only */
#include "sites_kokkos.h"

#include <atom_kokkos.h>
#include <atom_masks.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

/* What a thread has seen, by weight: the greatest counts. */
enum { NOTHING_NEW = 0, NEW_CHARGE = 1, NOT_FINITE = 2 };

/* A thread copies one atom. */
template <class Positions, class Charges, class Numbers> struct CopyAtoms {
    Positions x;
    Charges q;
    Numbers positions, charges;

    KOKKOS_INLINE_FUNCTION void operator()(int i, int &seen) const
    {
        double sum = 0;
        for (int d = 0; d < 3; d++) {
            positions(3 * i + d) = x(i, d);
            sum += positions(3 * i + d);
        }
        const double charge = q(i);
        if (charges(i) != charge && seen < NEW_CHARGE) seen = NEW_CHARGE;
        charges(i) = charge;
        if (!Kokkos::isfinite(sum + charge)) seen = NOT_FINITE;
    }
};

/* A thread compares one atom with its copy. */
template <class Positions, class Charges, class Numbers> struct CompareAtoms {
    Positions x;
    Charges q;
    Numbers positions, charges;

    KOKKOS_INLINE_FUNCTION void operator()(int i, int &differs) const
    {
        for (int d = 0; d < 3; d++)
            if (!(positions(3 * i + d) == static_cast<double>(x(i, d)))) differs = 1;
        if (!(charges(i) == static_cast<double>(q(i)))) differs = 1;
    }
};

/* A thread adds the force of one atom. */
template <class Forces, class Numbers> struct AddForces {
    Forces f;
    Numbers forces;
    double scale;
    int directions;

    KOKKOS_INLINE_FUNCTION void operator()(int i) const
    {
        for (int d = 0; d < directions; d++) f(i, d) += scale * forces(3 * i + d);
    }
};

/* The greatest value over this task's atoms. The host gets it, so that all kernels before it on
 * KOKKOS' instance have ended, and another stream may go on from there. */
template <class DeviceType, template <class, class, class> class Kernel, class Positions,
          class Charges, class Numbers>
int greatest(int n, const Positions &x, const Charges &q, const Numbers &positions,
             const Numbers &charges)
{
    int value = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<DeviceType>(0, n),
                            Kernel<Positions, Charges, Numbers>{x, q, positions, charges},
                            Kokkos::Max<int>(value));
    return std::max(value, 0); // of no atoms: the least integer
}

/* Rows that LAMMPS' arrays of atoms have to spare too. */
std::size_t with_spare(std::size_t numbers)
{
    return numbers + numbers / 8 + 64;
}

} // namespace

template <class DeviceType> void SitesKokkos<DeviceType>::Array::make_room(std::size_t numbers)
{
    if (numbers <= device.extent(0) && device.extent(0) > 0) return;
    device = Numbers("enuf:array", with_spare(numbers));
    host = Kokkos::create_mirror_view(device);
}

template <class DeviceType> void SitesKokkos<DeviceType>::Array::to_host(std::size_t numbers) const
{
    const auto part = Kokkos::make_pair(std::size_t(0), numbers);
    Kokkos::deep_copy(DeviceType(), Kokkos::subview(host, part), Kokkos::subview(device, part));
    DeviceType().fence("enuf: numbers for the host");
}

template <class DeviceType>
void SitesKokkos<DeviceType>::Array::to_device(std::size_t numbers) const
{
    const auto part = Kokkos::make_pair(std::size_t(0), numbers);
    Kokkos::deep_copy(DeviceType(), Kokkos::subview(device, part), Kokkos::subview(host, part));
}

template <class DeviceType> SitesKokkos<DeviceType>::SitesKokkos(LAMMPS *lmp) : Sites(lmp)
{
    // a task without atoms has to pass arrays
    positions_.make_room(0);
    charges_.make_room(0);
}

/* Brings the views up to date. Between steps LAMMPS' own arrays count. */
template <class DeviceType> void SitesKokkos<DeviceType>::read_views()
{
    static_cast<AtomKokkos *>(atom)->sync(ExecutionSpaceFromDevice<DeviceType>::space,
                                          X_MASK | Q_MASK);
}

/* The first atom alone: with another layout others may lie outside the memory. */
template <class DeviceType> bool SitesKokkos<DeviceType>::views_are_as_in_headers()
{
    if (atom->nlocal == 0) return true;
    read_views();
    auto *kokkos = static_cast<AtomKokkos *>(atom);
    Array position, charge;
    position.make_room(3);
    charge.make_room(1);
    greatest<DeviceType, CopyAtoms>(1, kokkos->k_x.template view<DeviceType>(),
                                    kokkos->k_q.template view<DeviceType>(), position.device,
                                    charge.device);
    position.to_host(3);
    charge.to_host(1);
    const double rounding = 1e-6; // of float, with a margin
    const auto agree = [&](double a, double b) {
        return std::isnan(b) || std::fabs(a - b) <= rounding * std::fabs(b);
    };
    bool same = agree(charge.host(0), atom->q[0]);
    for (int d = 0; d < 3; d++) same = same && agree(position.host(d), atom->x[0][d]);
    return same;
}

template <class DeviceType> void SitesKokkos<DeviceType>::collect_atoms()
{
    collect();
}

template <class DeviceType> void SitesKokkos<DeviceType>::collect()
{
    read_views();
    auto *kokkos = static_cast<AtomKokkos *>(atom);
    const auto n = static_cast<std::size_t>(atom->nlocal);
    const bool others = atom->nlocal != n_;
    n_ = atom->nlocal;
    positions_.make_room(3 * n);
    charges_.make_room(n);
    const int seen = greatest<DeviceType, CopyAtoms>(n_, kokkos->k_x.template view<DeviceType>(),
                                                     kokkos->k_q.template view<DeviceType>(),
                                                     positions_.device, charges_.device);
    if (seen == NOT_FINITE) refuse_first_infinite();
    if (!on_device_) positions_.to_host(3 * n);
    if (seen == NOTHING_NEW && !others) return;
    if (!on_device_) charges_.to_host(n);
    charges_have_changed();
}

template <class DeviceType> void SitesKokkos<DeviceType>::refuse_first_infinite()
{
    static_cast<AtomKokkos *>(atom)->sync(Host, TAG_MASK);
    positions_.to_host(3 * static_cast<std::size_t>(n_));
    charges_.to_host(static_cast<std::size_t>(n_));
    for (int i = 0; i < n_; i++)
        refuse_infinite(i, &positions_.host(3 * static_cast<std::size_t>(i)), charges_.host(i));
}

template <class DeviceType> bool SitesKokkos<DeviceType>::is_current()
{
    if (atom->nlocal != n_) return false;
    read_views();
    auto *kokkos = static_cast<AtomKokkos *>(atom);
    return greatest<DeviceType, CompareAtoms>(n_, kokkos->k_x.template view<DeviceType>(),
                                              kokkos->k_q.template view<DeviceType>(),
                                              positions_.device, charges_.device) == 0;
}

template <class DeviceType> double *SitesKokkos<DeviceType>::room(int kind, std::size_t numbers)
{
    Room &room = rooms_[kind];
    room.numbers = numbers;
    room.array.make_room(numbers);
    return on_device_ ? room.array.device.data() : room.array.host.data();
}

template <class DeviceType> const double *SitesKokkos<DeviceType>::on_host(int kind)
{
    const Room &room = rooms_[kind];
    if (on_device_) room.array.to_host(room.numbers);
    return room.array.host.data();
}

template <class DeviceType> void SitesKokkos<DeviceType>::add_forces(int directions, double scale)
{
    const Room &room = rooms_[ENUF_WANT_FORCES];
    if (!on_device_) room.array.to_device(room.numbers);
    const auto f = static_cast<AtomKokkos *>(atom)->k_f.template view<DeviceType>();
    Kokkos::parallel_for(
        Kokkos::RangePolicy<DeviceType>(0, n_),
        AddForces<std::decay_t<decltype(f)>, Numbers>{f, room.array.device, scale, directions});
}

/* Computes of LAMMPS read energies and virials of atoms on the host. */
template <class DeviceType>
void SitesKokkos<DeviceType>::add_atom_energy(double scale, double *eatom)
{
    const double *energy = on_host(ENUF_WANT_ATOM_ENERGY);
    for (int i = 0; i < n_; i++) eatom[i] += scale * energy[i];
}

template <class DeviceType>
void SitesKokkos<DeviceType>::add_atom_virial(double scale, double **vatom)
{
    const double *virial = on_host(ENUF_WANT_ATOM_VIRIAL);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); i++)
        for (std::size_t c = 0; c < 6; c++) vatom[i][c] += scale * virial[6 * i + c];
}

template <class DeviceType> double SitesKokkos<DeviceType>::memory_usage() const
{
    std::size_t numbers = positions_.host.extent(0) + charges_.host.extent(0);
    for (const auto &room : rooms_) numbers += room.second.array.host.extent(0);
    return static_cast<double>(numbers * sizeof(double));
}

template class SitesKokkos<LMPDeviceType>;
#ifdef LMP_KOKKOS_GPU
template class SitesKokkos<LMPHostType>;
#endif

} // namespace enuf
