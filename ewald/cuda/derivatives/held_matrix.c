/*
 * held_matrix.c - makes the matrix of the pairs of held positions. It takes 8 bytes a pair in
 * float, 12 in double: 1 to 3 kB an atom. Without it pairs are walked anew for each set, with the
 * same result but for the order of sums. SPDX-License-Identifier: BSD-3-Clause
 */
#include "held_steps.h"

/* Part of the device's free memory that the matrix may take. */
static const double MOST_OF_FREE = 0.25;

enuf_cuda_held_matrix enuf_cuda_describe_held_matrix(const enuf_cuda_held_room *room)
{
    return (enuf_cuda_held_matrix){
        .slice = room->slices.at, .values = room->entries.at, .columns = room->columns.at};
}

/* The walk's arguments. Its charges are not used: any reals serve. */
static enuf_cuda_pair_arguments arguments_of(const enuf_cuda_held_room *room)
{
    enuf_cuda_pair_arguments a = room->pairs.arguments;
    a.cells.place = room->place.at;
    a.cells.charge = room->place.at;
    a.n_fit = room->pairs.fit.n_energy;
    a.slopes = room->matrix.at;
    return a;
}

static enuf_status put(const enuf_cuda_ewald *cuda)
{
    const enuf_cuda_held_matrix m = enuf_cuda_describe_held_matrix(&cuda->held);
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(cuda->held.matrix.at, &m, sizeof m, cudaMemcpyHostToDevice, cuda->work),
        "matrix of pairs");
    return ENUF_SUCCESS;
}

/* Waits. */
static enuf_status get(const enuf_cuda_ewald *cuda, enuf_cuda_held_matrix *m)
{
    ENUF_CUDA_TRY(
        cudaMemcpyAsync(m, cuda->held.matrix.at, sizeof *m, cudaMemcpyDeviceToHost, cuda->work),
        "matrix of pairs");
    ENUF_CUDA_TRY(cudaStreamSynchronize(cuda->work), "matrix of pairs");
    return ENUF_SUCCESS;
}

static enuf_status count(enuf_cuda_ewald *cuda, enuf_cuda_held_matrix *m)
{
    enuf_cuda_held_room *room = &cuda->held;
    ENUF_TRY(
        enuf_device_array_reserve(&cuda->memory, &room->matrix, 1, sizeof *m, "matrix of pairs"));
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &room->slices, room->pairs.most_clusters,
                                       sizeof *m->slice, "slices of pairs"));
    const enuf_cuda_pair_arguments a = arguments_of(room);
    ENUF_TRY(put(cuda));
    ENUF_TRY(
        enuf_cuda_count_held_matrix(&a, room->pairs.single, room->pairs.most_clusters, cuda->work));
    return get(cuda, m);
}

/* 1 where the arrays of so many entries fit. */
static int has_room(const enuf_cuda_held_room *room, int64_t entries, size_t real)
{
    size_t free_bytes, all_bytes;
    if (cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    const double held = (double)room->entries.bytes + (double)room->columns.bytes;
    return (double)entries * (double)(real + sizeof(int)) <
           MOST_OF_FREE * ((double)free_bytes + held);
}

static enuf_status fill(enuf_cuda_ewald *cuda, enuf_cuda_held_matrix *m)
{
    enuf_cuda_held_room *room = &cuda->held;
    const size_t real = room->pairs.single ? sizeof(float) : sizeof(double);
    const int64_t entries = 32 * (int64_t)m->rows;
    if (!has_room(room, entries, real)) return ENUF_SUCCESS;
    ENUF_TRY(
        enuf_device_array_reserve(&cuda->memory, &room->entries, entries, real, "values of pairs"));
    ENUF_TRY(enuf_device_array_reserve(&cuda->memory, &room->columns, entries, sizeof(int),
                                       "atoms of pairs"));
    const enuf_cuda_pair_arguments a = arguments_of(room);
    ENUF_TRY(put(cuda));
    ENUF_TRY(
        enuf_cuda_fill_held_matrix(&a, room->pairs.single, room->pairs.most_clusters, cuda->work));
    ENUF_TRY(get(cuda, m));
    room->has_matrix = !m->lost;
    return ENUF_SUCCESS;
}

enuf_status enuf_cuda_make_held_matrix(enuf_ewald *ewald)
{
    enuf_cuda_ewald *cuda = enuf_cuda_ewald_of(ewald);
    enuf_cuda_held_matrix m;
    cuda->held.has_matrix = 0;
    if (ewald->options.deterministic || ewald->options.memory_limit > 0) return ENUF_SUCCESS;
    enuf_status status = count(cuda, &m);
    if (status == ENUF_SUCCESS) status = fill(cuda, &m);
    if (status != ENUF_OUT_OF_MEMORY) return status;
    enuf_device_array_release(&cuda->memory, &cuda->held.entries);
    enuf_device_array_release(&cuda->memory, &cuda->held.columns);
    return ENUF_SUCCESS;
}
