/*
 * pairs.c - sums over all pairs inside the cutoff: cells, blocks, kernels, and back to the caller.
 *
 * Each pair is met once. A column of cells is one task; the tasks of a colour touch no atom in
 * common (pairs_rows.h), so no addition is atomic, and the order of every sum is the same for any
 * number of threads. SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs.h"
#include "pairs_columns.h"
#include "pairs_deterministic.h"
#include "pairs_close.h"
#include "memory.h"
#include "parallel.h"
#include "choose/parameters.h"
#include "simd.h"

#include <math.h>
#include <string.h>

/* Least number of atoms for which another thread pays. */
static const int64_t atoms_of_thread = 64;

enuf_status enuf_pairs_create_cpu(enuf_pairs **pairs)
{
    enuf_pairs *made;
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "pair sums"));
    memset(made, 0, sizeof *made);
    *pairs = made;
    return ENUF_SUCCESS;
}

void enuf_pairs_destroy_cpu(enuf_pairs **pairs)
{
    if (!pairs || !*pairs) return;
    enuf_cells_release(&(*pairs)->cells);
    enuf_pair_rows_release(&(*pairs)->rows);
    enuf_array_release(&(*pairs)->sums);
    enuf_array_release(&(*pairs)->tensor);
    enuf_array_release(&(*pairs)->columns);
    enuf_array_release(&(*pairs)->blocks);
    enuf_array_release(&(*pairs)->fixed);
    enuf_array_release(&(*pairs)->fixed_blocks);
    enuf_array_release(&(*pairs)->slopes);
    enuf_array_release(&(*pairs)->slope_columns);
    enuf_array_release(&(*pairs)->slope_blocks);
    enuf_array_release(&(*pairs)->direction);
    enuf_release(pairs);
}

int64_t enuf_pairs_bytes_cpu(const enuf_pairs *p)
{
    return (int64_t)sizeof *p + enuf_cells_bytes(&p->cells) + enuf_pair_rows_bytes(&p->rows) +
           p->sums.bytes + p->tensor.bytes + p->columns.bytes + p->blocks.bytes + p->fixed.bytes +
           p->fixed_blocks.bytes + p->slopes.bytes + p->slope_columns.bytes +
           p->slope_blocks.bytes + p->direction.bytes;
}

int enuf_pairs_threads(const enuf_pair_request *request)
{
    const int threads = enuf_thread_count(request->threads);
    const int64_t most = request->n / atoms_of_thread + 1;
    return threads > most ? (int)most : threads;
}

/* Leaves out coefficients that are negligible in float. */
static int float_length(const double table[][ENUF_PAIR_PIECES], int n)
{
    for (; n > 1; n--)
        for (int piece = 0; piece < ENUF_PAIR_PIECES; piece++)
            if (fabs(table[n - 1][piece]) > 0x1p-27 * fabs(table[0][piece])) return n;
    return n;
}

void enuf_pairs_make_polynomials(const enuf_pair_table *table, enuf_pair_polynomials *p)
{
    memset(p, 0, sizeof *p);
    p->n_force = table->n_force;
    p->n_both = table->n_force > table->n_energy ? table->n_force : table->n_energy;
    p->float_n_force = float_length(table->force, table->n_force);
    int n_energy = float_length(table->energy, table->n_energy);
    p->float_n_both = p->float_n_force > n_energy ? p->float_n_force : n_energy;
    for (int piece = 0; piece < ENUF_PAIR_PIECES; piece++) {
        for (int k = 0; k < table->n_force; k++) {
            p->force[k][piece] = table->force[k][piece];
            p->float_force[k][piece] = (float)table->force[k][piece];
        }
        for (int k = 0; k < table->n_energy; k++) {
            p->energy[k][piece] = table->energy[k][piece];
            p->float_energy[k][piece] = (float)table->energy[k][piece];
        }
    }
}

/* The wanted sums, from the caller's mask and arrays. */
typedef struct selection {
    int field, potential, tensor, virial;
    enuf_pair_kernel kernel;
} selection;

static selection select_sums(const enuf_pair_request *request, const enuf_pair_sums *sums)
{
    const int w = request->wanted;
    selection s = {
        .virial = (w & ENUF_WANT_VIRIAL) != 0,
        .tensor = (w & ENUF_WANT_ATOM_VIRIAL) && sums->atom_virial,
        .potential = (w & ENUF_WANT_ENERGY) || ((w & ENUF_WANT_ATOM_ENERGY) && sums->atom_energy) ||
                     ((w & ENUF_WANT_POTENTIAL) && sums->potential),
    };
    s.field = s.virial || s.tensor || ((w & ENUF_WANT_FORCES) && sums->forces) ||
              ((w & ENUF_WANT_FIELD) && sums->field);
    const enuf_pair_kernels *kernels = request->arithmetic == ENUF_ARITHMETIC_MIXED
                                           ? &enuf_pair_kernels_float
                                           : &enuf_pair_kernels_double;
    if (s.tensor)
        s.kernel = kernels->all;
    else if (s.field && s.potential)
        s.kernel = kernels->both;
    else
        s.kernel = s.field ? kernels->field : kernels->potential;
    return s;
}

typedef struct column_work {
    enuf_pairs *pairs;
    selection select;
    enuf_pair_close close;
    enuf_pair_column *column;
} column_work;

/* Field and potential of an atom together: one load, one addition and one store. */
typedef double near_sums __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

static inline void add_near(double *kept, const double *block_sums, int block_stride,
                            const int64_t *atom, int n)
{
    for (int k = 0; k < n; k++) {
        const double *from = block_sums + k;
        const near_sums sums = {from[0], from[block_stride], from[2 * block_stride],
                                from[3 * block_stride]};
        *(near_sums *)(kept + PAIR_NEAR_SUMS * atom[k]) += sums;
    }
}

/* Adds columns first ... end - 1 of a block's sums of n atoms to the kept sums of these atoms. */
static inline void add_sums(double *kept, int width, int first, int end, const double *block_sums,
                            int block_stride, const int64_t *atom, int n)
{
    for (int k = 0; k < n; k++) {
        double *to = kept + atom[k] * width;
        for (int c = first; c < end; c++) to[c] += block_sums[c * block_stride + k];
    }
}

static void add_block(const column_work *work, const double *block_sums, int block_stride,
                      const int64_t *atom, int n)
{
    double *near = work->pairs->sums.at;
    if (work->select.field && work->select.potential)
        add_near(near, block_sums, block_stride, atom, n);
    else if (work->select.field)
        add_sums(near, PAIR_NEAR_SUMS, 0, 3, block_sums, block_stride, atom, n);
    else
        add_sums(near, PAIR_NEAR_SUMS, 3, 4, block_sums, block_stride, atom, n);
    if (work->select.tensor)
        add_sums(work->pairs->tensor.at, PAIR_TENSOR_SUMS, 0, PAIR_TENSOR_SUMS,
                 block_sums + PAIR_TENSOR * block_stride, block_stride, atom, n);
}

/*
 * The virial of a block from its atoms: the sum over pairs of f_a d_b equals the sum over the
 * block's atoms of F_a r_b. F is the force from this block alone; r counts from the corner of the
 * group's cell.
 */
static void add_virial(double virial[6], const double *block_sums, int block_stride,
                       const double *x, const double *y, const double *z, const double *q, int n)
{
    vd w[6];
    for (int c = 0; c < 6; c++) w[c] = vd_set(0);
    for (int k = 0; k < n; k += VD_LANES) {
        const vd_mask inside = vd_first(n - k);
        const vd charge = vd_keep(inside, vd_load(q + k));
        const vd fx = charge * vd_keep(inside, vd_load(block_sums + k));
        const vd fy = charge * vd_keep(inside, vd_load(block_sums + block_stride + k));
        const vd fz = charge * vd_keep(inside, vd_load(block_sums + 2 * block_stride + k));
        const vd rx = vd_keep(inside, vd_load(x + k)), ry = vd_keep(inside, vd_load(y + k)),
                 rz = vd_keep(inside, vd_load(z + k));
        w[0] += fx * rx;
        w[1] += fy * ry;
        w[2] += fz * rz;
        w[3] += fx * ry;
        w[4] += fx * rz;
        w[5] += fy * rz;
    }
    for (int c = 0; c < 6; c++) virial[c] += vd_sum(w[c]);
}

static void sum_block(enuf_pair_block *b, void *context)
{
    const column_work *work = context;
    enuf_pair_column *column = work->column;
    enum { LIST = PAIR_LIST + PAIR_PADDING };
    b->closest = 1;
    work->select.kernel(b, &work->pairs->polynomials);
    column->closest = fmin(column->closest, b->closest);
    if (b->closest < work->close.square)
        column->close_forces2 += enuf_pair_mend_close(&work->close, b);
    int64_t group[PAIR_GROUP];
    for (int k = 0; k < b->n_i; k++) group[k] = b->first + k;
    add_block(work, b->sum_i[0], PAIR_ROOM, group, b->n_i);
    add_block(work, b->sum_j[0], LIST, b->atom, b->n_j);
    if (!work->select.virial) return;
    double *virial = column->virial;
    add_virial(virial, b->sum_i[0], PAIR_ROOM, b->x_i, b->y_i, b->z_i, b->q_i, b->n_i);
    add_virial(virial, b->sum_j[0], LIST, b->x, b->y, b->z, b->q, b->n_j);
}

typedef struct column_loop {
    const selection *select;
    enuf_pair_close close;
} column_loop;

static void sum_column(enuf_pairs *pairs, int64_t at, int thread, const void *context)
{
    const column_loop *loop = context;
    enuf_pair_column *column = (enuf_pair_column *)pairs->columns.at + at;
    enuf_pair_block *block = (enuf_pair_block *)pairs->blocks.at + thread;
    column_work work = {pairs, *loop->select, loop->close, column};
    *column = (enuf_pair_column){.closest = 1};
    enuf_pair_column_blocks(&pairs->cells, &pairs->rows, at, block, sum_block, &work);
}

typedef struct hand_out_loop {
    enuf_pairs *pairs;
    const enuf_pair_request *request;
    const selection *select;
    enuf_pair_sums *sums;
} hand_out_loop;

static void hand_out_columns(void *context, int64_t begin, int64_t end, int thread)
{
    const hand_out_loop *loop = context;
    enuf_pairs *pairs = loop->pairs;
    const enuf_pair_request *request = loop->request;
    const enuf_pair_sums *sums = loop->sums;
    (void)thread;
    const enuf_cells *cells = &pairs->cells;
    enuf_pair_column *columns = pairs->columns.at;
    const double *near = pairs->sums.at, *tensors = pairs->tensor.at;
    const int64_t *count = cells->grid.count;
    const double potential_unit = 1 / request->table->cutoff;
    const double field_unit = potential_unit * potential_unit;
    const int w = request->wanted;
    double *forces = w & ENUF_WANT_FORCES ? sums->forces : NULL;
    double *field = w & ENUF_WANT_FIELD ? sums->field : NULL;
    double *potential = w & ENUF_WANT_POTENTIAL ? sums->potential : NULL;
    double *atom_energy = w & ENUF_WANT_ATOM_ENERGY ? sums->atom_energy : NULL;
    double *atom_virial = loop->select->tensor ? sums->atom_virial : NULL;
    for (int64_t c = begin; c < end; c++) {
        double energy = 0;
        for (int64_t a = cells->first[c * count[0]]; a < cells->first[(c + 1) * count[0]]; a++) {
            const int64_t i = cells->original[a];
            const int64_t ahead = cells->original[a + 16 < cells->n ? a + 16 : cells->n - 1];
            if (forces) __builtin_prefetch(forces + 3 * ahead, 1);
            const double q = cells->charge[a];
            const double *sum = near + PAIR_NEAR_SUMS * a;
            for (int e = 0; e < 3 && forces; e++) forces[3 * i + e] += field_unit * q * sum[e];
            for (int e = 0; e < 3 && field; e++) field[3 * i + e] += field_unit * sum[e];
            const double phi = potential_unit * sum[PAIR_POTENTIAL];
            if (potential) potential[i] += phi;
            if (atom_energy) atom_energy[i] += 0.5 * q * phi;
            energy += 0.5 * q * phi;
            if (!atom_virial) continue;
            const double *tensor = tensors + PAIR_TENSOR_SUMS * a;
            for (int e = 0; e < 6; e++)
                atom_virial[6 * i + e] += 0.5 * q * potential_unit * tensor[e];
        }
        columns[c].energy = energy;
    }
}

/* From sums in sorted order to the caller's arrays; energies of columns. */
static void hand_out(enuf_pairs *pairs, const enuf_pair_request *request, const selection *select,
                     int threads, enuf_pair_sums *sums)
{
    const int64_t *count = pairs->cells.grid.count;
    const enuf_pair_column *columns = pairs->columns.at;
    const double potential_unit = 1 / request->table->cutoff;
    const int w = request->wanted;
    hand_out_loop loop = {pairs, request, select, sums};
    enuf_parallel_for(threads, count[1] * count[2], 0, hand_out_columns, &loop);
    double energy = 0, virial[6] = {0};
    for (int64_t c = 0; c < count[1] * count[2]; c++) {
        energy += columns[c].energy;
        for (int e = 0; e < 6; e++) virial[e] += columns[c].virial[e];
    }
    sums->close_forces2 = enuf_pairs_close_forces2(pairs, request->table->cutoff);
    if (w & ENUF_WANT_ENERGY) sums->energy += energy;
    for (int e = 0; e < 6 && select->virial; e++) sums->virial[e] += potential_unit * virial[e];
}

static enuf_status reserve(enuf_pairs *pairs, const selection *select, int threads)
{
    const int64_t n = pairs->cells.n, *count = pairs->cells.grid.count;
    const size_t near = PAIR_NEAR_SUMS * sizeof(double), tensor = PAIR_TENSOR_SUMS * sizeof(double);
    ENUF_TRY(enuf_array_reserve(&pairs->columns, count[1] * count[2], sizeof(enuf_pair_column),
                                "sums of columns"));
    ENUF_TRY(enuf_array_reserve(&pairs->blocks, threads, sizeof(enuf_pair_block),
                                "lists of neighbours"));
    ENUF_TRY(enuf_array_reserve(&pairs->sums, n, near, "sums of atoms"));
    memset(pairs->sums.at, 0, (size_t)n * near);
    if (!select->tensor) return ENUF_SUCCESS;
    ENUF_TRY(enuf_array_reserve(&pairs->tensor, n, tensor, "virials of atoms"));
    memset(pairs->tensor.at, 0, (size_t)n * tensor);
    return ENUF_SUCCESS;
}

enuf_status enuf_pairs_sum_cpu(enuf_pairs *pairs, const enuf_pair_request *request,
                               enuf_pair_sums *sums)
{
    const int threads = enuf_pairs_threads(request);
    ENUF_TRY(enuf_cells_build(&pairs->cells, request, threads));
    if (pairs->cells.n == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_pair_rows_make(&pairs->rows, &pairs->cells.grid));
    const selection select = select_sums(request, sums);
    if (!select.field && !select.potential) return ENUF_SUCCESS;
    ENUF_TRY(reserve(pairs, &select, threads));
    enuf_pairs_make_polynomials(request->table, &pairs->polynomials);
    if (request->deterministic) return enuf_pairs_sum_deterministic(pairs, request, threads, sums);
    const column_loop loop = {&select, enuf_pair_close_make(&pairs->cells, request, select.field,
                                                            select.potential, select.tensor)};
    enuf_pairs_sum_columns(pairs, threads, sum_column, &loop);
    double closest;
    ENUF_TRY(enuf_pairs_check_closest(pairs, request, &closest));
    hand_out(pairs, request, &select, threads, sums);
    return ENUF_SUCCESS;
}
