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
                                      const __grid_constant__ enuf_cuda_mesh_slopes mesh, int kind)
{
    const int64_t i = this_atom();
    if (i >= atoms.n) return;
    const double to = mesh.totals[TOTAL_SCALES + kind] * strength(atoms, mesh, kind, i);
    set_real(mesh.strengths, mesh.single, i, to);
}

extern "C" enuf_status enuf_cuda_fill_strengths(const enuf_cuda_moving_atoms *atoms,
                                                const enuf_cuda_mesh_slopes *mesh, int kind,
                                                cudaStream_t stream)
{
    fill_strengths<<<atom_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, *mesh, kind);
    return enuf_cuda_launched("strengths of slopes");
}

static __global__ void __launch_bounds__(atom_threads)
    add_component(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                  const __grid_constant__ enuf_cuda_mesh_slopes mesh, int axis, double *partial)
{
    double stretch[3] = {};
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        const double q = atoms.q[i], w = enuf_motion_charge(&atoms.motion, i);
        const double gradient = real_at(mesh.values, mesh.single, i);
        double v[3], along = 0;
        moved(atoms, mesh, i, v);
        for (int d = 0; d < 3; d++) {
            along += v[d] * real_at(mesh.gradients, mesh.single, 3 * i + d);
            stretch[d] -= q * gradient * v[d];
        }
        for (int d = 0; d < 3; d++)
            mesh.forces[3 * i + d] += q * atoms.motion.strain[3 * d + axis] * gradient -
                                      (d == axis ? w * gradient + q * along : 0);
        atoms.potential[i] += (axis == 0 ? v[0] : axis == 1 ? v[1] : v[2]) * gradient;
    }
    sum_block(stretch, partial);
}

extern "C" enuf_status enuf_cuda_add_component(const enuf_cuda_moving_atoms *atoms,
                                               const enuf_cuda_mesh_slopes *mesh, int axis,
                                               double *partial, double *totals, cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(atoms->n);
    add_component<<<blocks, atom_threads, 0, stream>>>(*atoms, *mesh, axis, partial);
    ENUF_TRY(enuf_cuda_launched("slopes by the mesh's field"));
    return enuf_cuda_sum_partial(partial, blocks, 3, 3, totals + TOTAL_STRETCH + 3 * axis, stream);
}

static __global__ void add_changes(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                                   const __grid_constant__ enuf_cuda_mesh_slopes mesh)
{
    const int64_t i = this_atom();
    if (i >= atoms.n) return;
    const double w = enuf_motion_charge(&atoms.motion, i);
    for (int d = 0; d < 3; d++)
        mesh.forces[3 * i + d] -= w * real_at(mesh.gradients, mesh.single, 3 * i + d);
}

extern "C" enuf_status enuf_cuda_add_changes(const enuf_cuda_moving_atoms *atoms,
                                             const enuf_cuda_mesh_slopes *mesh, cudaStream_t stream)
{
    add_changes<<<atom_blocks(atoms->n), atom_threads, 0, stream>>>(*atoms, *mesh);
    return enuf_cuda_launched("slopes by changes of charges");
}

static __global__ void __launch_bounds__(atom_threads)
    add_potential(const __grid_constant__ enuf_cuda_moving_atoms atoms,
                  const __grid_constant__ enuf_cuda_mesh_slopes mesh, double *partial)
{
    double net[3] = {};
    for (int64_t i = this_atom(); i < atoms.n; i += atom_step()) {
        const double q = atoms.q[i];
        atoms.potential[i] += real_at(mesh.values, mesh.single, i);
        for (int d = 0; d < 3; d++) {
            const double force =
                mesh.forces[3 * i + d] - q * real_at(mesh.gradients, mesh.single, 3 * i + d);
            mesh.forces[3 * i + d] = force;
            net[d] += force;
        }
    }
    sum_block(net, partial);
}

extern "C" enuf_status enuf_cuda_add_potential(const enuf_cuda_moving_atoms *atoms,
                                               const enuf_cuda_mesh_slopes *mesh, double *partial,
                                               double *totals, cudaStream_t stream)
{
    const unsigned blocks = summing_blocks(atoms->n);
    add_potential<<<blocks, atom_threads, 0, stream>>>(*atoms, *mesh, partial);
    ENUF_TRY(enuf_cuda_launched("slopes of the mesh's potential"));
    return enuf_cuda_sum_partial(partial, blocks, 3, 3, totals + TOTAL_NET, stream);
}
