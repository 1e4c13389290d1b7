/* pair_enuf.cpp - the common part of enuf's pair styles. SPDX-License-Identifier: GPL-2.0-only */
#include "pair_enuf.h"

#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <error.h>
#include <force.h>
#include <kspace.h>
#include <memory.h>
#include <neigh_list.h>
#include <neighbor.h>
#include <utils.h>

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

namespace enuf
{

PairEnuf::PairEnuf(LAMMPS *lmp, const char *style) : Pair(lmp), style_(style)
{
    ewaldflag = pppmflag = 1;
    respa_enable = 0;
    // else LAMMPS adds the error of a table to the error that kspace styles print
    ncoultablebits = 0;
}

PairEnuf::~PairEnuf()
{
    if (!allocated) return;
    memory->destroy(setflag);
    memory->destroy(cutsq);
}

void PairEnuf::allocate_types()
{
    const int n = atom->ntypes + 1;
    allocated = 1;
    memory->create(setflag, n, n, "pair:setflag");
    memory->create(cutsq, n, n, "pair:cutsq");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            setflag[i][j] = 0;
            cutsq[i][j] = 0;
        }
}

double PairEnuf::cutoff_argument(const char *text, const char *what)
{
    const double value = utils::numeric(FLERR, text, false, lmp);
    if (!(value > 0))
        error->all(FLERR, "pair_style {}: the {} cutoff is {}: it has to be more than 0", style_,
                   what, text);
    return value;
}

void PairEnuf::check_coefficients(int narg, int least, int most, const char *form)
{
    if (narg < least || narg > most)
        error->all(FLERR, "pair_coeff for pair_style {}: {} arguments, it takes {}", style_, narg,
                   form);
    if (!allocated) allocate();
}

void PairEnuf::set_types(char **arg, const std::vector<double **> &arrays, const double *values)
{
    int from_i, to_i, from_j, to_j, count = 0;
    utils::bounds(FLERR, arg[0], 1, atom->ntypes, from_i, to_i, error);
    utils::bounds(FLERR, arg[1], 1, atom->ntypes, from_j, to_j, error);
    for (int i = from_i; i <= to_i; i++)
        for (int j = std::max(from_j, i); j <= to_j; j++, count++) {
            for (std::size_t k = 0; k < arrays.size(); k++) arrays[k][i][j] = values[k];
            setflag[i][j] = 1;
        }
    if (count == 0) error->all(FLERR, "pair_coeff {} {}: no pair of types I <= J", arg[0], arg[1]);
}

void PairEnuf::mix(int i, int j, double **epsilon, double **sigma)
{
    epsilon[i][j] = mix_energy(epsilon[i][i], epsilon[j][j], sigma[i][i], sigma[j][j]);
    sigma[i][j] = mix_distance(sigma[i][i], sigma[j][j]);
}

void PairEnuf::write_types(std::FILE *file, bool pairs, const std::vector<double **> &arrays) const
{
    for (int i = 1; i <= atom->ntypes; i++)
        for (int j = i; j <= (pairs ? atom->ntypes : i); j++) {
            std::fprintf(file, "%d", i);
            if (pairs) std::fprintf(file, " %d", j);
            for (double **values : arrays) std::fprintf(file, " %.17g", values[i][j]);
            std::fputc('\n', file);
        }
}

void PairEnuf::modify_params(int narg, char **arg)
{
    Pair::modify_params(narg, arg);
    if (ncoultablebits && comm->me == 0)
        error->warning(FLERR, "pair_modify table: of no effect with pair_style {}, which is exact",
                       style_);
    ncoultablebits = 0;
}

void PairEnuf::init_style()
{
    if (!atom->q_flag)
        error->all(FLERR, "pair_style {} needs charges: an atom_style with attribute q", style_);
    neighbor->add_request(this);
    cut_coulsq_ = cut_coul_ * cut_coul_;

    const KSpace *kspace = force->kspace;
    const auto *enuf = dynamic_cast<const KSpaceEnuf *>(kspace);
    Splitting splitting = {ENUF_SPLIT_GAUSSIAN, 0, cut_coul_};
    if (enuf) {
        splitting = enuf->splitting();
        // hybrid styles agree on the cutoff
        if (splitting.cutoff != cut_coul_)
            error->all(FLERR,
                       "pair_style {}: its Coulomb cutoff is {}, that of kspace_style enuf {}",
                       style_, cut_coul_, splitting.cutoff);
    } else if (kspace && (kspace->ewaldflag || kspace->pppmflag) && kspace->g_ewald > 0) {
        splitting.parameter = kspace->g_ewald;
    } else {
        error->all(FLERR,
                   "pair_style {} with {} {}: it needs kspace_style enuf (either splitting), or "
                   "ewald or pppm (Gaussian)",
                   style_, kspace ? "kspace_style" : "no",
                   kspace ? force->kspace_style : "kspace style");
    }
    if (function_.make(splitting.kind, splitting.parameter, splitting.cutoff) != ENUF_SUCCESS)
        error->all(FLERR, "pair_style {}: {}", style_, enuf_last_error());
}

PairArrays PairEnuf::arrays() const
{
    return {atom->x,
            atom->f,
            atom->q,
            atom->type,
            atom->nlocal,
            force->newton_pair,
            force->special_coul,
            force->special_lj,
            force->qqrd2e,
            cutsq,
            list->inum,
            list->ilist,
            list->numneigh,
            list->firstneigh};
}

double PairEnuf::product_of_charges(int i, int j) const
{
    return force->qqrd2e * atom->q[i] * atom->q[j];
}

void *PairEnuf::extract(const char *name, int &dim)
{
    dim = 0;
    return std::strcmp(name, "cut_coul") == 0 ? &cut_coul_ : nullptr;
}

/* Coefficients of explicit pairs of types only; coefficients of other pairs are mixed. */
void PairEnuf::write_restart(std::FILE *file)
{
    // a LAMMPS without the plugin calls the style unrecognized and cannot say where it comes from
    if (comm->me == 0 && !reported_restarts_)
        utils::logmesg(
            lmp,
            "pair_style {} is in the restart file: in a script that reads it, `plugin load "
            ".../enufplugin.so` has to come before read_restart\n",
            style_);
    reported_restarts_ = true;
    write_restart_settings(file);
    const Kept k = kept();
    for (int i = 1; i <= atom->ntypes; i++)
        for (int j = i; j <= atom->ntypes; j++) {
            write(file, &setflag[i][j], sizeof(int));
            for (double **values : k.of_types)
                if (setflag[i][j]) write(file, &values[i][j], sizeof(double));
        }
}

void PairEnuf::read_restart(std::FILE *file)
{
    read_restart_settings(file);
    allocate();
    const Kept k = kept();
    for (int i = 1; i <= atom->ntypes; i++)
        for (int j = i; j <= atom->ntypes; j++) {
            read(file, &setflag[i][j], sizeof(int));
            for (double **values : k.of_types)
                if (setflag[i][j]) read(file, &values[i][j], sizeof(double));
        }
}

void PairEnuf::write_restart_settings(std::FILE *file)
{
    const Kept k = kept();
    for (const double *number : k.numbers) write(file, number, sizeof *number);
    for (const int *flag : k.flags) write(file, flag, sizeof *flag);
}

void PairEnuf::read_restart_settings(std::FILE *file)
{
    const Kept k = kept();
    for (double *number : k.numbers) read(file, number, sizeof *number);
    for (int *flag : k.flags) read(file, flag, sizeof *flag);
}

void PairEnuf::write(std::FILE *file, const void *value, std::size_t size) const
{
    // LAMMPS looks itself, at the end, whether the file took everything
    std::fwrite(value, size, 1, file);
}

void PairEnuf::read(std::FILE *file, void *value, std::size_t size)
{
    if (comm->me == 0) utils::sfread(FLERR, value, size, 1, file, nullptr, error);
    MPI_Bcast(value, static_cast<int>(size), MPI_BYTE, 0, world);
}

} // namespace enuf
