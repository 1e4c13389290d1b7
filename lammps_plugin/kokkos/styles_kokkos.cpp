/* styles_kokkos.cpp - see styles_kokkos.h. SPDX-License-Identifier: GPL-2.0-only */
#include "styles_kokkos.h"

#include "../pair_coul_enuf.h"
#include "../pair_lj_cut_coul_enuf.h"
#include "kspace_enuf_kokkos.h"
#include "pair_enuf_kokkos.h"

#include <error.h>

#include <array>
#include <dlfcn.h>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

#if defined(LMP_KOKKOS_SINGLE_SINGLE)
const char *const precision = "single";
#elif defined(LMP_KOKKOS_SINGLE_DOUBLE)
const char *const precision = "mixed";
#else
const char *const precision = "double";
#endif

void need_kokkos(LAMMPS *lmp, const char *style)
{
    if (!lmp->kokkos)
        lmp->error->all(FLERR,
                        "{} needs KOKKOS switched on: start lmp with -k on, or use the style "
                        "without /kk",
                        style);
}

template <class DeviceType> void *create_kspace(LAMMPS *lmp)
{
    need_kokkos(lmp, "kspace_style enuf/kk");
    return static_cast<KSpace *>(new KSpaceEnufKokkos<DeviceType>(lmp));
}

template <class Base, class DeviceType> void *create_pair(LAMMPS *lmp)
{
    need_kokkos(lmp, "a pair style of enuf with suffix kk");
    return static_cast<Pair *>(new PairEnufKokkos<Base, DeviceType>(lmp));
}

const char *const kspace_info = "kspace_style enuf " ENUF_VERSION ": atoms in views of KOKKOS";
const char *const coul_info =
    "pair_style coul/enuf " ENUF_VERSION ": exact Coulomb pairs, atoms in views of KOKKOS";
const char *const lj_info = "pair_style lj/cut/coul/enuf " ENUF_VERSION
                            ": exact Coulomb pairs and Lennard-Jones, atoms in views of KOKKOS";

template <class DeviceType>
void add(std::vector<Style> *styles, const std::array<const char *, 3> &names)
{
    styles->push_back({"kspace", names[0], kspace_info, create_kspace<DeviceType>});
    styles->push_back({"pair", names[1], coul_info, create_pair<PairCoulEnuf, DeviceType>});
    styles->push_back({"pair", names[2], lj_info, create_pair<PairLJCutCoulEnuf, DeviceType>});
}

/* A feature of the package that the running LAMMPS names. */
bool has_feature(const char *category, const char *setting)
{
    using Function = int (*)(const char *, const char *, const char *);
    const auto function =
        reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "lammps_config_accelerator"));
    return function && function("KOKKOS", category, setting) != 0;
}

} // namespace

std::vector<Style> kokkos_styles()
{
    std::vector<Style> styles;
    add<LMPDeviceType>(&styles, {"enuf/kk", "coul/enuf/kk", "lj/cut/coul/enuf/kk"});
    add<LMPDeviceType>(&styles,
                       {"enuf/kk/device", "coul/enuf/kk/device", "lj/cut/coul/enuf/kk/device"});
    add<LMPHostType>(&styles, {"enuf/kk/host", "coul/enuf/kk/host", "lj/cut/coul/enuf/kk/host"});
    return styles;
}

std::string difference_of_kokkos()
{
    if (!has_feature("precision", precision))
        return std::string("its KOKKOS has not the plugin's precision, ") + precision;
#ifdef KOKKOS_ENABLE_CUDA
    if (!has_feature("api", "cuda")) return "its KOKKOS has no CUDA, the plugin's has";
#else
    if (has_feature("api", "cuda")) return "its KOKKOS has CUDA, the plugin's has none";
#endif
#ifdef KOKKOS_ENABLE_OPENMP
    if (!has_feature("api", "openmp")) return "its KOKKOS has no OpenMP, the plugin's has";
#else
    if (has_feature("api", "openmp")) return "its KOKKOS has OpenMP, the plugin's has none";
#endif
    return "";
}

} // namespace enuf
