/* styles_kokkos.cpp - see styles_kokkos.h. SPDX-License-Identifier: GPL-2.0-only */
#include "styles_kokkos.h"

#include "kspace_enuf_kokkos.h"

#include <error.h>

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

template <class DeviceType> void *create_kspace(LAMMPS *lmp)
{
    if (!lmp->kokkos)
        lmp->error->all(FLERR, "kspace_style enuf/kk needs KOKKOS switched on: start lmp with "
                               "-k on, or use kspace_style enuf");
    return static_cast<KSpace *>(new KSpaceEnufKokkos<DeviceType>(lmp));
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
    const char *info = "kspace_style enuf " ENUF_VERSION ": atoms in views of KOKKOS";
    return {{"kspace", "enuf/kk", info, create_kspace<LMPDeviceType>},
            {"kspace", "enuf/kk/device", info, create_kspace<LMPDeviceType>},
            {"kspace", "enuf/kk/host", info, create_kspace<LMPHostType>}};
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
