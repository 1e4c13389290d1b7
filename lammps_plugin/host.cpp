/*
 * host.cpp - compares the running LAMMPS with the headers. It reads no member of a LAMMPS class,
 * because their places may differ.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host.h"

#include <kspace.h>
#include <pair.h>

#include <mpi.h>

#include <cstddef>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <vector>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

#if defined(OMPI_MAJOR_VERSION)
const char *const mpi_of_plugin = "Open MPI";
#elif defined(MPICH_VERSION)
const char *const mpi_of_plugin = "MPICH";
#else
const char *const mpi_of_plugin = "";
#endif

/* Both families export the same names with other types: the text tells them apart before any
 * handle is passed. */
std::string mpi_of_host()
{
    std::vector<char> text(65536);
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string version(text.data());
    if (version.find("Open MPI") != std::string::npos) return "Open MPI";
    // these follow MPICH's binary interface
    for (const char *name : {"MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH"})
        if (version.find(name) != std::string::npos) return "MPICH";
    return version.substr(0, 60);
}

struct BarePair : Pair {
    explicit BarePair(LAMMPS *lmp) : Pair(lmp)
    {
    }
    void compute(int, int) override
    {
    }
    void settings(int, char **) override
    {
    }
    void coeff(int, char **) override
    {
    }
    /* the constructor writes the last member */
    bool as_in_headers(std::size_t end) const
    {
        return end + alignof(Pair) > sizeof(Pair) && tip4pflag == 0 && ewaldflag == 0 &&
               copymode == 0;
    }
};

struct BareKSpace : KSpace {
    explicit BareKSpace(LAMMPS *lmp) : KSpace(lmp)
    {
    }
    void init() override
    {
    }
    void setup() override
    {
    }
    void compute(int, int) override
    {
    }
    /* the last members stay as they were: values instead, from all over the class */
    bool as_in_headers(std::size_t) const
    {
        return order == 5 && slab_volfactor == 1 && accuracy_absolute == -1 && compute_flag == 1 &&
               splittol == 1e-6 && minorder == 2 && gcons && dgcons && maxeatom == 0 &&
               maxvatom == 0 && kewaldflag == 0;
    }
};

/* Calls the host's constructor in a large patterned buffer, and checks how far it writes and which
 * values the headers read there. The host's constructor and destructor know their own layout. */
template <class Bare> bool same_layout(LAMMPS *lmp)
{
    const unsigned char pattern = 0xa5;
    const std::size_t room = sizeof(Bare) + 16384;
    std::vector<unsigned char> memory(room + alignof(std::max_align_t), pattern);
    void *at = memory.data();
    std::size_t space = memory.size();
    if (!std::align(alignof(std::max_align_t), room, at, space)) return false;
    const auto *bytes = static_cast<unsigned char *>(at);
    Bare *bare = new (at) Bare(lmp);
    std::size_t end = room;
    while (end > 0 && bytes[end - 1] == pattern) end--;
    const bool same = end <= sizeof(Bare) && bare->as_in_headers(end);
    bare->~Bare();
    return same;
}

int setting(LAMMPS *lmp, const char *name)
{
    using Function = int (*)(void *, const char *);
    const auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "lammps_extract_setting"));
    return function ? function(lmp, name) : -1;
}

} // namespace

bool speaks(LAMMPS *lmp)
{
    return setting(lmp, "world_rank") <= 0;
}

std::string difference_of_host(LAMMPS *lmp)
{
    if (mpi_of_host() != mpi_of_plugin)
        return "its MPI is " + mpi_of_host() + ", the plugin's is " + mpi_of_plugin;

    // not every LAMMPS has its C interface linked in
    using Version = int (*)(void *);
    const auto version = reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "lammps_version"));
    if (!version) return "it does not export lammps_version(), so that nothing can be compared";
    if (version(lmp) != ENUF_LAMMPS_VERSION)
        return "its version is " + std::to_string(version(lmp)) + ", the plugin's is " +
               std::to_string(ENUF_LAMMPS_VERSION);

    const struct {
        const char *name;
        std::size_t bytes;
    } integers[] = {
        {"bigint", sizeof(bigint)}, {"tagint", sizeof(tagint)}, {"imageint", sizeof(imageint)}};
    for (const auto &integer : integers)
        if (setting(lmp, integer.name) != static_cast<int>(integer.bytes))
            return std::string("its ") + integer.name + " has " +
                   std::to_string(setting(lmp, integer.name)) + " bytes, the plugin's " +
                   std::to_string(integer.bytes);

    const char *update = ": another update of version ";
    if (!same_layout<BarePair>(lmp))
        return std::string("its class Pair has another layout than the plugin's") + update +
               std::to_string(ENUF_LAMMPS_VERSION);
    if (!same_layout<BareKSpace>(lmp))
        return std::string("its class KSpace has another layout than the plugin's") + update +
               std::to_string(ENUF_LAMMPS_VERSION);
    return "";
}

} // namespace enuf
