/*
 * stand_ins.cpp - a LAMMPS plugin with the pair styles coul/long/kk and coul/long/gpu, for the test
 * that kspace_style enuf refuses pair styles of the KOKKOS and GPU packages. Ready-made LAMMPS is
 * hardly ever compiled with these packages.
 *
 * These stand-ins take a cutoff, say that they go with Ewald sums, and compute nothing. The real
 * coul/long/kk (LAMMPS 4 Feb 2025 with KOKKOS 4.5.01, one and two tasks, November 2026) is refused
 * with the same message. In that LAMMPS, a run of coul/long with -k on agrees to all digits with a
 * run without.
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
    explicit StandIn(LAMMPS *lmp) : Pair(lmp)
    {
        ewaldflag = 1;
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

void *create(LAMMPS *lmp)
{
    return static_cast<Pair *>(new StandIn(lmp));
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
    plugin.creator.v1 = create;
    plugin.handle = handle;
    for (const char *name : {"coul/long/kk", "coul/long/gpu"}) {
        plugin.name = name;
        reinterpret_cast<enuf::Register>(regfunc)(&plugin, lammps);
    }
}
