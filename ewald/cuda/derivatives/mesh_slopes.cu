/*
 * mesh_slopes.cu - the atoms' part of the mesh, as ewald/derivatives/mesh_slopes.c: a thread an
 * atom, bound by memory. SPDX-License-Identifier: BSD-3-Clause
 */
#include "slope_totals.cuh"

/* v of an atom without the mean. */
static __device__ __forceinline__ void moved(const enuf_cuda_moving_atoms &atoms,
                                             const enuf_cuda_mesh_slopes &mesh, int64_t i,
                                             double v[3])
{
    enuf_motion_moved(&atoms.motion, i, v);
    for (int d = 0; d < 3; d++) v[d] -= mesh.totals[TOTAL_MEAN + d];
}

static __device__ double strength(const enuf_cuda_moving_atoms &atoms,
                                  const enuf_cuda_mesh_slopes &mesh, int kind, int64_t i)
{
    double v[3];
    if (kind == MESH_CHARGES) return atoms.q[i];
    if (kind == MESH_CHANGES) return enuf_motion_charge(&atoms.motion, i);
    moved(atoms, mesh, i, v);
    return atoms.q[i] * (kind == MESH_DIPOLES ? v[0] : kind == MESH_DIPOLES + 1 ? v[1] : v[2]);
}

static __global__ void fill_strengths(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                                      const __grid_constant__ enuf_cuda_mesh_slopes mesh)
{
    const int64_t i = this_atom();
    if (i >= atoms.n) return;
    for (int v = 0; v < mesh.kinds; v++) {
        const int kind = enuf_cuda_mesh_kind(mesh.moves, v);
        const double to = mesh.totals[TOTAL_SCALES + kind] * strength(atoms, mesh, kind, i);
        set_real(mesh.strengths, mesh.single, v * atoms.n + i, to);
    }
}

extern "C" enuf_status enuf_cuda_fill_strengths(const enuf_cuda_moving_atoms *atoms,
                                                const enuf_cuda_mesh_slopes *mesh,
                                                cudaStream_t stream)
{
    fill_strengths<<<atom_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, *mesh);
    return enuf_cuda_launched("strengths of slopes");
}

/* The gradient of a vector of type 2. */
static __device__ __forceinline__ double gradient_at(const enuf_cuda_moving_atoms &atoms,
                                                     const enuf_cuda_mesh_slopes &mesh, int vector,
                                                     int64_t i, int d)
{
    return real_at(mesh.gradients, mesh.single, 3 * (vector * atoms.n + i) + d);
}

/* The terms of the components of grad Phi, and of their gradients. */
static __device__ void add_field(const enuf_cuda_moving_atoms &atoms,
                                 const enuf_cuda_mesh_slopes &mesh, int64_t i, double q, double w,
                                 double force[3], double *potential, double *stretch)
{
    double v[3];
    moved(atoms, mesh, i, v);
    for (int axis = 0; axis < 3; axis++) {
        const double field = real_at(mesh.values, mesh.single, axis * atoms.n + i);
        double along = 0;
        for (int d = 0; d < 3; d++) {
            along += v[d] * gradient_at(atoms, mesh, axis, i, d);
            stretch[3 * axis + d] -= q * field * v[d];
            force[d] += q * atoms.motion.strain[3 * d + axis] * field;
        }
        force[axis] -= w * field + q * along;
        *potential += v[axis] * field;
    }
}

static __global__ void __launch_bounds__(atom_threads)
    gather_slopes(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                  const __grid_constant__ enuf_cuda_mesh_slopes mesh, double *partial)
{
    const int last = (mesh.moves ? MESH_FIELDS : MESH_FIELDS_AT_REST) - 1;
    double sums[MESH_TOTALS] = {};
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        const double q = atoms.q[i], w = enuf_motion_charge(&atoms.motion, i);
        double force[3] = {0, 0, 0};
        double potential = real_at(mesh.values, mesh.single, last * atoms.n + i);
        if (mesh.moves)
            add_field(atoms, mesh, i, q, w, force, &potential, sums);
        else
            for (int d = 0; d < 3; d++) force[d] -= w * gradient_at(atoms, mesh, 0, i, d);
        for (int d = 0; d < 3; d++) {
            force[d] -= q * gradient_at(atoms, mesh, last, i, d);
            mesh.forces[3 * i + d] = force[d];
            sums[TOTAL_NET - TOTAL_STRETCH + d] += force[d];
        }
        mesh.potential[i] = potential;
    }
    sum_block(sums, partial);
}

extern "C" enuf_status enuf_cuda_gather_mesh_slopes(const enuf_cuda_moving_atoms *atoms,
                                                    const enuf_cuda_mesh_slopes *mesh,
                                                    double *partial, double *totals,
                                                    cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(atoms->n);
    gather_slopes<<<blocks, atom_threads, 0, stream>>>(*atoms, *mesh, partial);
    ENUF_TRY(enuf_cuda_launched("slopes of the mesh"));
    return enuf_cuda_sum_partial(partial, blocks, MESH_TOTALS, MESH_TOTALS, totals + TOTAL_STRETCH,
                                 stream);
}
