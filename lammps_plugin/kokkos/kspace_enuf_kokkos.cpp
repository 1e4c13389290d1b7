/* kspace_enuf_kokkos.cpp - see kspace_enuf_kokkos.h. SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf_kokkos.h"

#include "../fix_enuf_early.h"

#include <atom_kokkos.h>
#include <atom_masks.h>
#include <comm.h>
#include <error.h>
#include <fix.h>
#include <force.h>
#include <kokkos.h>
#include <modify.h>
#include <pair.h>
#include <utils.h>

#include <type_traits>
#include <utility>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

#ifdef KOKKOS_ENABLE_CUDA
template <class DeviceType> constexpr bool on_gpu = std::is_same_v<DeviceType, Kokkos::Cuda>;
#else
template <class> constexpr bool on_gpu = false;
#endif

} // namespace

template <class DeviceType>
KSpaceEnufKokkos<DeviceType>::KSpaceEnufKokkos(LAMMPS *lmp)
    : KSpaceEnufKokkos(lmp, std::make_unique<AtSites>(lmp))
{
}

template <class DeviceType>
KSpaceEnufKokkos<DeviceType>::KSpaceEnufKokkos(LAMMPS *lmp, std::unique_ptr<AtSites> sites)
    : KSpaceEnuf(lmp, std::move(sites)), sites_(static_cast<AtSites &>(KSpaceEnuf::sites()))
{
    execution_space = ExecutionSpaceFromDevice<DeviceType>::space;
    datamask_read = X_MASK | Q_MASK | F_MASK;
    datamask_modify = F_MASK;
}

/* The stream ends after what runs on it. */
template <class DeviceType> KSpaceEnufKokkos<DeviceType>::~KSpaceEnufKokkos()
{
    forget();
}

/* What is done once a run goes through the host. */
template <class DeviceType> void KSpaceEnufKokkos<DeviceType>::init()
{
    static_cast<AtomKokkos *>(atom)->sync(Host, X_MASK | Q_MASK);
    int same = !atom->q_flag || sites_.views_are_as_in_headers();
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, world);
    if (!same)
        error->all(FLERR,
                   "kspace_style enuf/kk: the views of this KOKKOS have another precision or "
                   "layout than those that the plugin was compiled for: make lammps "
                   "LAMMPS=<build folder of this LAMMPS>");
    KSpaceEnuf::init();
    if (comm->me == 0)
        utils::logmesg(
            lmp, "  atoms in KOKKOS' views on the {}{}\n", on_gpu<DeviceType> ? "GPU" : "host",
            on_gpu<DeviceType> && !sites_.on_device() ? ", copied through the host" : "");
}

template <class DeviceType>
void KSpaceEnufKokkos<DeviceType>::compute_group_group(int groupbit_a, int groupbit_b, int aa_flag)
{
    static_cast<AtomKokkos *>(atom)->sync(Host, X_MASK | Q_MASK | MASK_MASK);
    KSpaceEnuf::compute_group_group(groupbit_a, groupbit_b, aa_flag);
}

/* LAMMPS would copy the atoms there and back in each step, without a word. */
template <class DeviceType> void KSpaceEnufKokkos<DeviceType>::check_place_of_pairs()
{
    for (const Pair *pair : pair_styles())
        if (!pair->kokkosable || pair->execution_space != execution_space)
            error->all(FLERR,
                       "kspace_style enuf/kk has its atoms in views of KOKKOS on the {}, but "
                       "pair_style {} has not: use a pair style with the same suffix, such as "
                       "lj/cut/coul/long/kk, or kspace_style enuf",
                       execution_space == Device ? "device" : "host", force->pair_style);
}

/* Where KOKKOS has a GPU, all tasks have. */
template <class DeviceType> enuf_backend KSpaceEnufKokkos<DeviceType>::find_backend()
{
    return on_gpu<DeviceType> ? ENUF_BACKEND_CUDA : KSpaceEnuf::find_backend();
}

/*
 * Arrays are in device memory where each task has a GPU of its own, which the library tells when
 * its object is made. Else they go through the host.
 */
template <class DeviceType> void KSpaceEnufKokkos<DeviceType>::place(enuf_ewald_options *options)
{
    options->memory = ENUF_HOST;
    if (on_gpu<DeviceType> && options->backend == ENUF_BACKEND_CUDA) {
        options->stream = stream_.handle();
        if (keywords_.gather != Gather::first) options->device = Stream<DeviceType>::device();
        options->memory = ENUF_DEVICE;
        if (Evaluator(world, sites_).create(*options) == ENUF_BAD_MEMORY)
            options->memory = ENUF_HOST;
    }
    sites_.use(options->memory);
}

/* Reads and writes nothing that LAMMPS would have to copy for it. */
template <class DeviceType> void KSpaceEnufKokkos<DeviceType>::add_fix()
{
    KSpaceEnuf::add_fix();
    Fix *fix = modify->get_fix_by_id(FixEnufEarly::id);
    fix->kokkosable = 1;
    fix->execution_space = execution_space;
    fix->datamask_read = fix->datamask_modify = EMPTY_MASK;
}

template <class DeviceType> void KSpaceEnufKokkos<DeviceType>::has_begun()
{
    if (sites_.on_device()) stream_.goes_first();
}

template class KSpaceEnufKokkos<LMPDeviceType>;
#ifdef LMP_KOKKOS_GPU
template class KSpaceEnufKokkos<LMPHostType>;
#endif

} // namespace enuf
