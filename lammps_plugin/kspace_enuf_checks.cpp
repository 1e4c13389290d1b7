/* kspace_enuf_checks.cpp - refuses systems and options that kspace_style enuf cannot serve.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include "pair_enuf.h"

#include <atom.h>
#include <comm.h>
#include <domain.h>
#include <error.h>
#include <force.h>
#include <modify.h>
#include <pair.h>
#include <utils.h>

#include <string>

using namespace LAMMPS_NS;

namespace enuf
{

void KSpaceEnuf::check_system()
{
    if (!atom->q_flag)
        error->all(FLERR,
                   "kspace_style enuf needs charges: an atom_style with attribute q, such as "
                   "charge or full");
    if (domain->dimension == 2)
        error->all(FLERR, "kspace_style enuf is for dimension 3; for a layer use "
                          "boundary p p f and kspace_modify slab 3.0");
    if (slabflag == 0 && domain->nonperiodic > 0)
        error->all(FLERR, "kspace_style enuf needs boundary p p p, or p p f with "
                          "kspace_modify slab 3.0");
    if (slabflag != 0 && (domain->xperiodic != 1 || domain->yperiodic != 1 ||
                          domain->boundary[2][0] != 1 || domain->boundary[2][1] != 1))
        error->all(FLERR, "kspace_modify slab needs boundary p p f");
    if (slabflag == 1 && domain->triclinic && (domain->xz != 0 || domain->yz != 0))
        error->all(FLERR,
                   "kspace_modify slab {} needs a box whose third edge is along z: xz is {} and yz "
                   "is {}, only xy may differ from 0",
                   slab_volfactor, domain->xz, domain->yz);
}

std::vector<Pair *> KSpaceEnuf::pair_styles() const
{
    if (!utils::strmatch(force->pair_style, "^hybrid")) return {force->pair};
    std::vector<Pair *> found;
    // match n of all names except hybrid; if there is one match only, LAMMPS returns it for every n
    for (int n = 1;; n++) {
        Pair *pair = force->pair_match("^[^h]", 0, n);
        if (!pair || (!found.empty() && pair == found.back())) return found;
        found.push_back(pair);
    }
}

bool KSpaceEnuf::all_pairs_are_ours() const
{
    for (Pair *pair : pair_styles())
        if (pair->ewaldflag && !dynamic_cast<PairEnuf *>(pair)) return false;
    return true;
}

void KSpaceEnuf::check_place_of_pairs()
{
    for (const Pair *pair : pair_styles())
        if (pair->kokkosable)
            error->all(FLERR,
                       "kspace_style enuf works on LAMMPS' own arrays, but pair_style {} keeps its "
                       "atoms in views of KOKKOS: use kspace_style enuf/kk, or the pair style "
                       "without /kk (suffix off)",
                       force->pair_style);
}

/* Called before check_system(): for an input without charges the error then names the kspace style
 * that its pair style needs. */
void KSpaceEnuf::check_pair_style()
{
    if (!force->pair) error->all(FLERR, "kspace_style enuf needs a pair style with coul/long");
    const Pair *pair = force->pair;
    const std::string style = force->pair_style;
    auto refuse = [&](const char *what, const char *instead) {
        error->all(FLERR, "kspace_style enuf does not serve {} (pair_style {}): use {}", what,
                   style, instead);
    };
    if (pair->dispersionflag)
        refuse("long-range dispersion", "kspace_style pppm/disp, or a pair style whose dispersion "
                                        "ends at the cutoff, such as lj/cut/coul/long");
    if (pair->spinflag) refuse("magnetic spins", "kspace_style ewald/dipole/spin");
    if (pair->dipoleflag) refuse("point dipoles", "kspace_style ewald/dipole or ewald/disp");
    if (force->pair_match("/dielectric", 0, 1))
        refuse("charges in a medium whose dielectric constant varies",
               "kspace_style pppm/dielectric");
    check_place_of_pairs();
    if (!pair->ewaldflag)
        refuse("this pair style",
               "one of the coul/long family, such as lj/cut/coul/long, or one of "
               "coul/enuf");
    const bool prolate = keywords_.split == ENUF_SPLIT_PROLATE;
    if (prolate && !all_pairs_are_ours())
        error->all(FLERR,
                   "kspace_style enuf: split prolate needs a pair style that knows it: coul/enuf, "
                   "lj/cut/coul/enuf or lj/charmm/coul/enuf, not {}, whose erfc goes with split "
                   "gaussian",
                   style);
    if (prolate && gewaldflag)
        error->all(FLERR,
                   "kspace_modify gewald is the parameter of the Gaussian splitting: leave it "
                   "out with split prolate, or use split gaussian");
    tip4pflag = pair->tip4pflag;
    pair_check();
}

/* kspace_modify reads its own keywords itself: check the values that they have set. */
void KSpaceEnuf::check_modified()
{
    auto refuse = [&](const char *keyword, const char *instead) {
        error->all(FLERR, "kspace_style enuf cannot honour kspace_modify {}: {}", keyword, instead);
    };
    if (keywords_.deterministic && keywords_.calibrate == Choice::yes)
        error->all(FLERR,
                   "kspace_style enuf: with calibrate yes parameters depend on the positions, with "
                   "deterministic yes they must not: leave out one of the two");
    if (wireflag) refuse("wire", "it sums over boxes periodic in three directions, or two (slab)");
    if (slabflag < 0 || slabflag > 2) refuse("slab ew2d", "use slab 3.0 (EW3DC)");
    if (slabflag == 1 && slab_volfactor <= 1) refuse("slab auto", "use slab 3.0 (EW3DC)");
    if (gewaldflag && g_ewald < 0)
        error->all(FLERR,
                   "kspace_modify gewald is {}: it has to be more than 0, or 0 for the one "
                   "that the accuracy asks for",
                   g_ewald);
    if (kewaldflag)
        refuse("kmax/ewald", "modes are chosen by the accuracy; mesh sets its fine grid");
    if (gridflag_6 || gewaldflag_6 || auto_disp_flag || accuracy_real_6 >= 0 ||
        accuracy_kspace_6 >= 0 || mixflag)
        refuse("mesh/disp, gewald/disp, force/disp, mix/disp or disp/auto",
               "they belong to dispersion styles such as pppm/disp");

    std::string tuning;
    auto note = [&](const char *keyword, bool set) {
        if (set) tuning += std::string(tuning.empty() ? "" : ", ") + keyword;
    };
    note("order", order != untouched_.order);
    note("minorder", minorder != untouched_.minorder);
    note("overlap", overlap_allowed != untouched_.overlap);
    note("diff", differentiation_flag != untouched_.differentiation);
    note("cutoff/adjust", adjust_cutoff_flag != untouched_.adjust_cutoff);
    note("collective", collective_flag != untouched_.collective);
    note("fftbench", fftbench != untouched_.fftbench);
    note("pressure/scalar", scalar_pressure_flag != untouched_.scalar);
    note("eigtol", splittol != untouched_.splittol);
    if (!tuning.empty() && comm->me == 0)
        error->warning(FLERR, "kspace_modify {}: of no effect with kspace_style enuf", tuning);
}

/* Fixes that know LAMMPS' own styles only. */
void KSpaceEnuf::check_fixes()
{
    if (comm->me == 0 && !modify->get_fix_by_style("^tune/kspace").empty())
        error->warning(FLERR,
                       "fix tune/kspace replaces kspace_style enuf by ewald, pppm or msm, and "
                       "pair styles of enuf by none that exists: leave it out, enuf chooses "
                       "its parameters itself");
}

double KSpaceEnuf::pair_cutoff()
{
    int dim = 0;
    const auto *cutoff = static_cast<double *>(force->pair->extract("cut_coul", dim));
    if (!cutoff)
        error->all(FLERR,
                   "kspace_style enuf: pair_style {} names no Coulomb cutoff; use one of the "
                   "coul/long family, or one of coul/enuf",
                   force->pair_style);
    return *cutoff;
}

} // namespace enuf
