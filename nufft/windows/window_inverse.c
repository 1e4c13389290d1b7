/* window_inverse.c - the inverse of a window's transform at the modes of an axis.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"
#include "memory.h"
#include "parallel.h"
#include "window_memo.h"

#include <math.h>

/* Cosines of RUN modes follow from exact ones by the addition theorem, and those of the next RUN
 * modes from these, RESTART times. Long double, because near the last mode the sum may be a
 * thousandth of its terms. */
enum { RUN = 16, RESTART = 16 };

typedef struct inverse_loop {
    const enuf_window_form *form;
    long double step;
    long double (*turn)[2 * (RUN + 1)]; /* [n_nodes] cosines, then sines, of 0 to RUN steps */
    int64_t n;
    double *inverse;
} inverse_loop;

/* Adds a node's terms to the modes of RESTART runs. */
static void add_node(const inverse_loop *loop, int64_t first, int node,
                     long double sum[RUN * RESTART])
{
    const long double *turn = loop->turn[node];
    const double weight = loop->form->weight[node];
    const long double at = loop->step * (long double)first * loop->form->node[node];
    const long double turn_c = turn[RUN], turn_s = turn[2 * RUN + 1];
    long double c = weight * cosl(at), s = weight * sinl(at);
    for (int run = 0; run < RESTART && first + run * RUN < loop->n; run++) {
        for (int r = 0; r < RUN; r++) sum[run * RUN + r] += c * turn[r] - s * turn[RUN + 1 + r];
        const long double next = c * turn_c - s * turn_s;
        s = s * turn_c + c * turn_s;
        c = next;
    }
}

static void invert_runs(void *context, int64_t begin, int64_t end, int thread)
{
    const inverse_loop *loop = context;
    (void)thread;
    for (; begin < end; begin++) {
        const int64_t first = begin * RUN * RESTART;
        long double sum[RUN * RESTART] = {0};
        for (int j = 0; j < loop->form->n_nodes; j++) add_node(loop, first, j, sum);
        for (int r = 0; r < RUN * RESTART && first + r < loop->n; r++)
            loop->inverse[first + r] = (double)(1 / sum[r]);
    }
}

static enuf_status invert_exactly(const enuf_window_form *form, int64_t grid, int64_t n,
                                  int threads, double *inverse)
{
    const long double step = 2 * acosl(-1) / (long double)grid;
    inverse_loop loop = {form, step, NULL, n, inverse};
    ENUF_TRY(enuf_allocate(&loop.turn, form->n_nodes, sizeof *loop.turn, "a window's phases"));
    for (int j = 0; j < form->n_nodes; j++) {
        const long double c = cosl(step * form->node[j]), s = sinl(step * form->node[j]);
        long double *cosine = loop.turn[j], *sine = cosine + RUN + 1;
        cosine[0] = 1;
        sine[0] = 0;
        for (int r = 0; r < RUN; r++) {
            cosine[r + 1] = cosine[r] * c - sine[r] * s;
            sine[r + 1] = sine[r] * c + cosine[r] * s;
        }
    }
    enum { TOGETHER = RUN * RESTART };
    enuf_parallel_for(n > 4096 ? threads : 1, (n + TOGETHER - 1) / TOGETHER, 0, invert_runs, &loop);
    enuf_release(&loop.turn);
    return ENUF_SUCCESS;
}

/* Of many modes the transform is taken from polynomials on pieces of their range: it is as smooth
 * as cos(theta P/2), which turns by one radian in each. Their places do not depend on the grid, so
 * that other plans may take them. */
enum { TERMS = ENUF_WINDOW_TERMS, FEW_MODES = 2048 };

typedef struct table_loop {
    const enuf_window_form *form;
    double step, piece; /* radians from mode to mode, of a piece */
    int64_t n, pieces;
    double *inverse, (*terms)[TERMS];
} table_loop;

static long double exact_transform(long double theta, const void *context)
{
    const enuf_window_form *form = context;
    const long double turn_c = cosl(theta), turn_s = sinl(theta); /* from cell to cell */
    long double sum = 0;
    for (int j = 0; j < ENUF_WINDOW_NODES_PER_CELL; j++) {
        long double c = cosl(theta * form->node[j]), s = sinl(theta * form->node[j]);
        for (int at = j; at < form->n_nodes; at += ENUF_WINDOW_NODES_PER_CELL) {
            const long double next = c * turn_c - s * turn_s;
            sum += form->weight[at] * c;
            s = s * turn_c + c * turn_s;
            c = next;
        }
    }
    return sum;
}

static void make_pieces(void *context, int64_t k, int64_t end, int thread)
{
    const table_loop *loop = context;
    (void)thread;
    for (; k < end; k++)
        enuf_fit_polynomial_long(exact_transform, loop->form, (double)k * loop->piece,
                                 (double)(k + 1) * loop->piece, TERMS, loop->terms[k]);
}

/* So many modes of one piece at a time that the compiler makes vectors of them. */
enum { CHUNK = 32 };

/* Modes from m on, of piece k. Their bits do not depend on where the chunk begins. */
static void invert_chunk(const table_loop *loop, int64_t k, int64_t m, int n)
{
    const double *c = loop->terms[k];
    double t[CHUNK], sum[CHUNK];
    for (int i = 0; i < CHUNK; i++) {
        t[i] = 2 * ((double)(m + i) * loop->step / loop->piece - (double)k) - 1;
        sum[i] = c[TERMS - 1];
    }
    for (int term = TERMS - 2; term >= 0; term--)
        for (int i = 0; i < CHUNK; i++) sum[i] = sum[i] * t[i] + c[term];
    for (int i = 0; i < n; i++) loop->inverse[m + i] = 1 / sum[i];
}

/* The piece of a mode. */
static int64_t piece_of(const table_loop *loop, int64_t m)
{
    const int64_t k = (int64_t)((double)m * loop->step / loop->piece);
    return k < loop->pieces ? k : loop->pieces - 1;
}

static void invert_by_table(void *context, int64_t m, int64_t end, int thread)
{
    const table_loop *loop = context;
    (void)thread;
    while (m < end) {
        const int64_t k = piece_of(loop, m);
        int n = end - m < CHUNK ? (int)(end - m) : CHUNK;
        while (n > 1 && piece_of(loop, m + n - 1) != k) n--;
        invert_chunk(loop, k, m, n);
        m += n;
    }
}

enuf_status enuf_window_inverse_transform(const enuf_window_form *form, int64_t grid, int64_t n,
                                          int threads, double *inverse)
{
    if (n <= FEW_MODES) return invert_exactly(form, grid, n, threads, inverse);
    const double step = 2 * M_PI / (double)grid, piece = 2.0 / form->width;
    const int64_t pieces = (int64_t)(step * (double)n / piece) + 1;
    const enuf_memo_key key = {form->window, form->width, form->shape, (double)pieces};
    enuf_window_pieces *made;
    if (pieces > ENUF_WINDOW_PIECES) return invert_exactly(form, grid, n, threads, inverse);
    ENUF_TRY(enuf_allocate(&made, 1, sizeof *made, "a window's transform"));
    table_loop loop = {form, step, piece, n, pieces, inverse, made->terms};
    if (!enuf_memo_find(ENUF_MEMO_TRANSFORM, &key, made)) {
        enuf_parallel_for(threads, pieces, 1, make_pieces, &loop);
        enuf_memo_keep(ENUF_MEMO_TRANSFORM, &key, made);
    }
    enuf_parallel_for(threads, n, 0, invert_by_table, &loop);
    enuf_release(&made);
    return ENUF_SUCCESS;
}
