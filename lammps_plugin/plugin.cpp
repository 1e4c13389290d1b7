/*
 * plugin.cpp - what LAMMPS calls when it loads enufplugin.so. SPDX-License-Identifier: GPL-2.0-only
 */
#include "host.h"
#include "kspace_enuf.h"

#include <error.h>
#include <lammps.h>

using namespace LAMMPS_NS;

namespace
{

/* The structure of LAMMPS' plugin interface, which no release installs a header for. */
struct Plugin {
    const char *version;
    const char *style;
    const char *name;
    const char *info;
    const char *author;
    union {
        void *(*v1)(LAMMPS *);
        void *(*v2)(LAMMPS *, int, char **);
    } creator;
    void *handle;
};
using Register = void (*)(Plugin *, void *);

std::string difference;

void *create(LAMMPS *lmp)
{
    return new enuf::KSpaceEnuf(lmp);
}

std::string refusal()
{
    return "enufplugin.so was compiled for another LAMMPS than this one: " + difference +
           ". Compile it for this one: make lammps LAMMPS=<its prefix or source tree>";
}

/* Stands in where the plugin does not fit: inputs that do not use the style go on. */
void *refuse(LAMMPS *lmp)
{
    lmp->error->all(FLERR, "kspace_style enuf: " + refusal());
    return nullptr;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void lammpsplugin_init(void *lammps, void *handle,
                                                                         void *regfunc)
{
    auto *lmp = static_cast<LAMMPS *>(lammps);
    difference = enuf::difference_of_host(lmp);
    if (!difference.empty()) lmp->error->warning(FLERR, refusal());

    Plugin plugin = {};
    plugin.version = ENUF_LAMMPS_DATE;
    plugin.style = "kspace";
    plugin.name = "enuf";
    plugin.info = "kspace_style enuf: Ewald sums through a non-uniform FFT, enuf " ENUF_VERSION;
    plugin.author = "the enuf developers";
    plugin.creator.v1 = difference.empty() ? create : refuse;
    plugin.handle = handle;
    reinterpret_cast<Register>(regfunc)(&plugin, lmp);
}
