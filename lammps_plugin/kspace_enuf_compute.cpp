/* kspace_enuf_compute.cpp - one evaluation, and what the ranks tell each other for it.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include <atom.h>
#include <comm.h>
#include <error.h>

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

namespace enuf
{

/* All ranks fail, or all go on. They do the same work, so that mostly all of them fail. */
void KSpaceEnuf::agree(enuf_status status)
{
    const std::string text = status == ENUF_SUCCESS ? "" : enuf_last_error();
    int here[2] = {status != ENUF_SUCCESS, status == ENUF_SUCCESS}, anywhere[2];
    MPI_Allreduce(here, anywhere, 2, MPI_INT, MPI_MAX, world);
    if (!anywhere[0]) return;
    if (!anywhere[1]) error->all(FLERR, "kspace_style enuf: " + text);
    if (here[0]) error->one(FLERR, "kspace_style enuf: " + text);
    MPI_Barrier(world); // where it failed the run ends
    error->one(FLERR, "kspace_style enuf failed on another MPI task");
}

void KSpaceEnuf::gather_atoms()
{
    const int n = atom->nlocal;
    counts_.resize(comm->nprocs);
    offsets_.resize(comm->nprocs);
    MPI_Allgather(&n, 1, MPI_INT, counts_.data(), 1, MPI_INT, world);
    bigint total = 0;
    for (int rank = 0; rank < comm->nprocs; rank++) {
        offsets_[rank] = static_cast<int>(std::min<bigint>(total, MAXSMALLINT));
        total += counts_[rank];
    }
    if (total > MAXSMALLINT)
        error->all(FLERR, "kspace_style enuf: {} atoms, at most {} are served", total, MAXSMALLINT);

    own_.resize(4 * static_cast<size_t>(n));
    for (int i = 0; i < n; i++) {
        std::copy(atom->x[i], atom->x[i] + 3, &own_[4 * static_cast<size_t>(i)]);
        own_[4 * static_cast<size_t>(i) + 3] = atom->q[i];
        // said here, where the atom's ID is known
        if (!std::isfinite(atom->x[i][0] + atom->x[i][1] + atom->x[i][2] + atom->q[i]))
            error->one(FLERR,
                       "kspace_style enuf: position or charge of atom {} is not finite: "
                       "({}, {}, {}), {}",
                       atom->tag ? atom->tag[i] : 0, atom->x[i][0], atom->x[i][1], atom->x[i][2],
                       atom->q[i]);
    }
    all_.resize(4 * static_cast<size_t>(total));
    MPI_Allgatherv(own_.data(), n, atom_type_, all_.data(), counts_.data(), offsets_.data(),
                   atom_type_, world);
    charges_.resize(static_cast<size_t>(total));
    for (size_t i = 0; i < charges_.size(); i++) charges_[i] = all_[4 * i + 3];
}

void KSpaceEnuf::compute(int eflag, int vflag)
{
    ev_init(eflag, vflag);
    gather_atoms();
    const size_t n = charges_.size();

    enuf_ewald_result result = {};
    int wanted = ENUF_WANT_FORCES;
    result.struct_size = sizeof result;
    forces_.resize(3 * n);
    result.forces = forces_.data();
    if (eflag_global) wanted |= ENUF_WANT_ENERGY;
    if (vflag_global) wanted |= ENUF_WANT_VIRIAL;
    if (eflag_atom) {
        wanted |= ENUF_WANT_ATOM_ENERGY;
        atom_energy_.resize(n);
        result.atom_energy = atom_energy_.data();
    }
    if (vflag_atom) {
        wanted |= ENUF_WANT_ATOM_VIRIAL;
        atom_virial_.resize(6 * n);
        result.atom_virial = atom_virial_.data();
    }

    // Box flips come without setup(), charges change without a word: both are looked at here. The
    // library ignores a cell that it has; charges are compared, as setting them costs a sort.
    double cell[9];
    current_cell(cell);
    enuf_ewald *ewald = ewald_.get();
    enuf_status status = enuf_ewald_set_cell(ewald, cell);
    if (status == ENUF_SUCCESS && charges_ != set_charges_) {
        status = enuf_ewald_set_charges(ewald, static_cast<int64_t>(n), charges_.data(), nullptr);
        if (status == ENUF_SUCCESS) set_charges_ = charges_;
    }
    if (status == ENUF_SUCCESS && edge_has_grown(cell)) {
        status = enuf_ewald_tune(ewald, nullptr, 0); // alpha is given and stays
        note_edges(cell);
    }
    if (status == ENUF_SUCCESS)
        status = enuf_ewald_reciprocal(ewald, all_.data(), 4, wanted, &result);
    agree(status);
    add_results(result);
}

void KSpaceEnuf::add_results(const enuf_ewald_result &result)
{
    // energy and virial steer barostats: they have to be the same bits on every rank
    double sums[7] = {result.energy};
    std::copy(result.virial, result.virial + 6, sums + 1);
    if (evflag) MPI_Bcast(sums, 7, MPI_DOUBLE, 0, world);
    if (eflag_global) energy = scale * sums[0];
    for (int c = 0; c < 6 && vflag_global; c++) virial[c] = scale * sums[1 + c];

    const auto first = static_cast<size_t>(offsets_[comm->me]);
    const int directions = slabflag == 2 ? 2 : 3; // nozforce
    for (int i = 0; i < atom->nlocal; i++) {
        const size_t at = first + static_cast<size_t>(i);
        for (int d = 0; d < directions; d++) atom->f[i][d] += scale * forces_[3 * at + d];
        if (eflag_atom) eatom[i] = scale * atom_energy_[at];
        for (int c = 0; c < 6 && vflag_atom; c++) vatom[i][c] = scale * atom_virial_[6 * at + c];
    }
}

} // namespace enuf
