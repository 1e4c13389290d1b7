/* pair_enuf_kokkos.cpp - see pair_enuf_kokkos.h. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_enuf_kokkos.h"

#include "../pair_coul_enuf.h"
#include "../pair_lj_cut_coul_enuf.h"

#include <atom_masks.h>
#include <force.h>
#include <kokkos.h>
#include <neigh_request.h>
#include <neighbor.h>

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

namespace enuf
{

template <class Base, class DeviceType>
PairEnufKokkos<Base, DeviceType>::PairEnufKokkos(LAMMPS *lmp) : Base(lmp)
{
    this->kokkosable = 1;
    this->execution_space = ExecutionSpaceFromDevice<DeviceType>::space;
    this->datamask_read = X_MASK | F_MASK | TYPE_MASK | Q_MASK;
    this->datamask_modify = F_MASK;
    this->no_virial_fdotr_compute = 1; // the loop sums the virial itself
}

template <class Base, class DeviceType> void PairEnufKokkos<Base, DeviceType>::init_style()
{
    Base::init_style();
    list_ = this->lmp->kokkos->neighflag;
    NeighRequest *request = this->neighbor->find_request(this);
    const bool on_device = std::is_same_v<DeviceType, LMPDeviceType>;
    request->set_kokkos_host(!on_device);
    request->set_kokkos_device(on_device);
    if (list_ == FULL) request->enable_full();

    function_on_device_ = Function("enuf:pair_function", 1);
    const auto on_host = Kokkos::create_mirror_view(function_on_device_);
    on_host(0) = this->function_;
    Kokkos::deep_copy(function_on_device_, on_host);
}

/* Coefficients may change between two steps, by fix adapt. */
template <class Base, class DeviceType> void PairEnufKokkos<Base, DeviceType>::copy_types()
{
    const int n = this->atom->ntypes + 1;
    const auto short_range = this->short_range();
    std::vector<PairOfTypes> now(static_cast<std::size_t>(n) * n, PairOfTypes());
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            now[static_cast<std::size_t>(i) * n + j] = {short_range.term(i, j),
                                                        short_range.scale(i, j)};
    const std::size_t bytes = now.size() * sizeof now[0];
    if (types_.extent(0) == now.size() && !std::memcmp(types_on_host_.data(), now.data(), bytes))
        return;
    types_ = Types("enuf:types", now.size());
    types_on_host_ = Kokkos::create_mirror_view(types_);
    std::memcpy(types_on_host_.data(), now.data(), bytes);
    Kokkos::deep_copy(types_, types_on_host_);
}

template <class Base, class DeviceType>
PairViews<DeviceType> PairEnufKokkos<Base, DeviceType>::views()
{
    auto *atoms = static_cast<AtomKokkos *>(this->atom);
    const auto *list = static_cast<NeighListKokkos<DeviceType> *>(this->list);
    PairViews<DeviceType> v;
    v.x = atoms->k_x.template view<DeviceType>();
    v.f = atoms->k_f.template view<DeviceType>();
    v.q = atoms->k_q.template view<DeviceType>();
    v.type = atoms->k_type.template view<DeviceType>();
    v.atoms = list->d_ilist;
    v.counts = list->d_numneigh;
    v.neighbours = list->d_neighbors;
    v.function = function_on_device_;
    v.types = types_;
    v.n_types = atoms->ntypes + 1;
    v.nlocal = atoms->nlocal;
    v.newton = this->force->newton_pair;
    v.cut_coulsq = this->cut_coulsq_;
    v.qqrd2e = this->force->qqrd2e;
    std::copy_n(this->force->special_coul, 4, v.special_coul);
    std::copy_n(this->force->special_lj, 4, v.special_lj);
    const auto n = static_cast<std::size_t>(atoms->nlocal + (v.newton ? atoms->nghost : 0));
    if (this->eflag_atom) v.energies = Energies("enuf:energies", n);
    if (this->vflag_atom) v.virials = Virials("enuf:virials", n);
    return v;
}

template <class Base, class DeviceType>
template <int LIST>
PairTotals PairEnufKokkos<Base, DeviceType>::sum(const PairViews<DeviceType> &views) const
{
    const Kokkos::RangePolicy<DeviceType> range(0, this->list->inum);
    const PairKernel<DeviceType, LIST> kernel = {views};
    PairTotals totals;
    if (this->evflag)
        Kokkos::parallel_reduce(range, kernel, totals);
    else
        Kokkos::parallel_for(range, kernel);
    return totals;
}

/* Computes of LAMMPS read energies and virials of atoms on the host. */
template <class Base, class DeviceType>
void PairEnufKokkos<Base, DeviceType>::add_to_atoms(const PairViews<DeviceType> &views)
{
    const auto energies = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), views.energies);
    const auto virials = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), views.virials);
    for (std::size_t i = 0; i < energies.extent(0); i++) this->eatom[i] += energies(i);
    for (std::size_t i = 0; i < virials.extent(0); i++)
        for (int c = 0; c < 6; c++) this->vatom[i][c] += virials(i, c);
}

template <class Base, class DeviceType>
void PairEnufKokkos<Base, DeviceType>::compute(int eflag, int vflag)
{
    this->ev_init(eflag, vflag);
    auto *atoms = static_cast<AtomKokkos *>(this->atom);
    atoms->sync(this->execution_space, this->datamask_read);
    atoms->modified(this->execution_space, F_MASK);
    copy_types();
    const PairViews<DeviceType> v = views();
    const PairTotals totals = list_ == FULL   ? sum<FULL>(v)
                              : list_ == HALF ? sum<HALF>(v)
                                              : sum<HALFTHREAD>(v);
    if (this->eflag_global) {
        this->eng_vdwl += totals.lj;
        this->eng_coul += totals.coulomb;
    }
    for (int c = 0; c < 6 && this->vflag_global; c++) this->virial[c] += totals.virial[c];
    if (this->eflag_atom || this->vflag_atom) add_to_atoms(v);
}

template class PairEnufKokkos<PairCoulEnuf, LMPDeviceType>;
template class PairEnufKokkos<PairLJCutCoulEnuf, LMPDeviceType>;
#ifdef LMP_KOKKOS_GPU
template class PairEnufKokkos<PairCoulEnuf, LMPHostType>;
template class PairEnufKokkos<PairLJCutCoulEnuf, LMPHostType>;
#endif

} // namespace enuf
