/*
 * plugin_interface.h - the structure that LAMMPS' plugins register; no release installs its header.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_PLUGIN_INTERFACE_H
#define ENUF_PLUGIN_INTERFACE_H

#include <lammps.h>

namespace enuf
{

using Create = void *(*)(LAMMPS_NS::LAMMPS *);
using CreateWithArguments = void *(*)(LAMMPS_NS::LAMMPS *, int, char **);
struct Plugin {
    const char *version;
    const char *style;
    const char *name;
    const char *info;
    const char *author;
    union {
        Create v1;
        CreateWithArguments v2;
    } creator;
    void *handle;
};
using Register = void (*)(Plugin *, void *);

/** A kspace or pair style to register; LAMMPS keeps the pointers. */
struct Style {
    const char *style, *name, *info;
    Create create;
};

} // namespace enuf
#endif
