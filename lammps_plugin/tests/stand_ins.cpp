/*
 * stand_ins.cpp - a LAMMPS plugin with the pair styles coul/long/kk and coul/long/gpu, for the test
 * that kspace_style enuf refuses pair styles of the KOKKOS package and serves those of the GPU
 * package. Ready-made LAMMPS is hardly ever compiled with these packages.
 *
 * These stand-ins take a cutoff, say that they go with Ewald sums, and compute nothing. The real
 * coul/long/kk is tested by tests/lammps_plugin/test_kokkos.py. Pair styles of the GPU package
 * compute what those without suffix do and add forces to LAMMPS' own arrays, as enuf does.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plugin_interface.h"

#include <atom.h>
#include <memory.h>
#include <neighbor.h>
#include <pair.h>
#include <utils.h>

using namespace LAMMPS_NS;

namespace
{

class StandIn : public Pair
{
  public:
    StandIn(LAMMPS *lmp, int of_kokkos) : Pair(lmp)
    {
        ewaldflag = 1;
        kokkosable = of_kokkos;
    }
    ~StandIn() override
    {
        if (!allocated) return;
        memory->destroy(setflag);
        memory->destroy(cutsq);
    }
    void settings(int, char **arg) override
    {
        cutoff_ = utils::numeric(FLERR, arg[0], false, lmp);
    }
    void coeff(int, char **) override
    {
        const int n = atom->ntypes + 1;
        if (!allocated) {
            memory->create(setflag, n, n, "pair:setflag");
            memory->create(cutsq, n, n, "pair:cutsq");
            allocated = 1;
        }
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++) setflag[i][j] = 1;
    }
    void init_style() override
    {
        neighbor->add_request(this);
    }
    double init_one(int, int) override
    {
        return cutoff_;
    }
    void compute(int eflag, int vflag) override
    {
        ev_init(eflag, vflag);
    }
    void *extract(const char *name, int &dimension) override
    {
        dimension = 0;
        return name == std::string("cut_coul") ? &cutoff_ : nullptr;
    }

  private:
    double cutoff_ = 0;
};

template <int of_kokkos> void *create(LAMMPS *lmp)
{
    return static_cast<Pair *>(new StandIn(lmp, of_kokkos));
}

} // namespace

extern "C" __attribute__((visibility("default"))) void lammpsplugin_init(void *lammps, void *handle,
                                                                         void *regfunc)
{
    enuf::Plugin plugin = {};
    plugin.version = ENUF_LAMMPS_DATE;
    plugin.style = "pair";
    plugin.info = "stands in for a style of an accelerator package";
    plugin.author = "the enuf developers";
    plugin.handle = handle;
    const auto add = [&](const char *name, enuf::Create creator) {
        plugin.name = name;
        plugin.creator.v1 = creator;
        reinterpret_cast<enuf::Register>(regfunc)(&plugin, lammps);
    };
    add("coul/long/kk", create<1>);
    add("coul/long/gpu", create<0>);
}
