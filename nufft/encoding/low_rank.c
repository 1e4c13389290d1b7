/* low_rank.c - see low_rank.h. SPDX-License-Identifier: BSD-3-Clause */
#include "low_rank.h"
#include "memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Vectors: parts are multiplied one by one, as C's complex product looks for infinities ----
 */

double complex enuf_inner(int n, const double complex *a, const double complex *b)
{
    enum { SUMS = 4 };
    const double *x = (const double *)a, *y = (const double *)b;
    double re[SUMS] = {0}, im[SUMS] = {0};
    for (int i = 0; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; k++) {
            const int at = 2 * (i + k);
            re[k] += x[at] * y[at] + x[at + 1] * y[at + 1];
            im[k] += x[at] * y[at + 1] - x[at + 1] * y[at];
        }
    for (int at = 2 * (n - n % SUMS); at < 2 * n; at += 2) {
        re[0] += x[at] * y[at] + x[at + 1] * y[at + 1];
        im[0] += x[at] * y[at + 1] - x[at + 1] * y[at];
    }
    return re[0] + re[1] + re[2] + re[3] + (im[0] + im[1] + im[2] + im[3]) * I;
}

void enuf_subtract(int n, double complex factor, const double complex *from, double complex *to)
{
    const double *x = (const double *)from, re = creal(factor), im = cimag(factor);
    double *y = (double *)to;
    for (int at = 0; at < 2 * n; at += 2) {
        y[at] -= re * x[at] - im * x[at + 1];
        y[at + 1] -= re * x[at + 1] + im * x[at];
    }
}

static double square(int n, const double complex *a)
{
    return creal(enuf_inner(n, a, a));
}

static void scale(int n, double factor, double complex *a)
{
    for (int i = 0; i < n; i++) a[i] *= factor;
}

/* Takes from a what q_0 ... q_(count - 1) have of it, twice: once leaves rounding of the size of a.
 * Adds the coefficients to `found`, if any. */
static void project(int n, int count, const double complex *q, double complex *a,
                    double complex *found)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            const double complex part = enuf_inner(n, q + (size_t)k * n, a);
            enuf_subtract(n, part, q + (size_t)k * n, a);
            if (found) found[k] += part;
        }
}

void enuf_orthonormalise(int rows, int columns, double complex *q, double complex *triangle)
{
    for (int k = 0; k < columns; k++) {
        double complex *column = q + (size_t)k * rows, *found = triangle + (size_t)k * columns;
        const double before = sqrt(square(rows, column));
        memset(found, 0, (size_t)columns * sizeof *found);
        project(rows, k, q, column, found);
        const double left = sqrt(square(rows, column));
        const int depends = left <= 8 * DBL_EPSILON * before;
        found[k] = depends ? 0 : left;
        scale(rows, depends ? 0 : 1 / left, column);
    }
}

/* ---- A product of few orthonormal columns and a matrix of few rows ---- */

/* a = sum_k q_k row_k + the rest. */
typedef struct product {
    int rows, columns, rank, most;
    double complex *q;   /* [most][rows] */
    double complex *row; /* [most][columns] */
    double norm, rest;   /* squares of Frobenius norms: of a, and left out */
} product;

static double sum_of_squares(const product *p, const double complex *a, double *of_column)
{
    double sum = 0;
    for (int j = 0; j < p->columns; j++) {
        of_column[j] = square(p->rows, a + (size_t)j * p->rows);
        sum += of_column[j];
    }
    return sum;
}

static int largest(int n, const double *numbers)
{
    int at = 0;
    for (int j = 1; j < n; j++)
        if (numbers[j] > numbers[at]) at = j;
    return at;
}

/* Takes the largest column that is left as the next direction, until less than `share` of the norm
 * is left. */
static void reduce(product *p, double complex *a, double share, double *of_column)
{
    const int n = p->rows;
    p->norm = p->rest = sum_of_squares(p, a, of_column);
    for (p->rank = 0; p->rank < p->most && p->rest > share * share * p->norm; p->rank++) {
        double complex *q = p->q + (size_t)p->rank * n,
                       *row = p->row + (size_t)p->rank * p->columns;
        memcpy(q, a + (size_t)largest(p->columns, of_column) * n, (size_t)n * sizeof *q);
        scale(n, 1 / sqrt(square(n, q)), q);
        project(n, p->rank, p->q, q, NULL);
        scale(n, 1 / sqrt(square(n, q)), q);
        for (int j = 0; j < p->columns; j++) {
            row[j] = enuf_inner(n, q, a + (size_t)j * n);
            enuf_subtract(n, row[j], q, a + (size_t)j * n);
        }
        p->rest = sum_of_squares(p, a, of_column);
    }
}

/* ---- Rotations ---- */

/* Makes the first n numbers of two columns orthogonal, and turns the next n with them; 0 if they
 * were orthogonal. */
static int rotate(int n, double complex *p, double complex *q)
{
    const double alpha = square(n, p), beta = square(n, q);
    const double complex inner = enuf_inner(n, p, q);
    const double size = cabs(inner);
    if (size <= 4 * DBL_EPSILON * sqrt(alpha) * sqrt(beta) || size < DBL_MIN) return 0;
    const double zeta = (beta - alpha) / (2 * size);
    const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot(1, zeta));
    const double c = 1 / hypot(1, t), s = c * t;
    const double re = creal(inner) / size, im = -cimag(inner) / size;
    double *x = (double *)p, *y = (double *)q;
    for (int at = 0; at < 4 * n; at += 2) {
        const double turned[2] = {y[at] * re - y[at + 1] * im, y[at] * im + y[at + 1] * re};
        for (int part = 0; part < 2; part++) {
            y[at + part] = s * x[at + part] + c * turned[part];
            x[at + part] = c * x[at + part] - s * turned[part];
        }
    }
    return 1;
}

/* Columns of L above those of the unit matrix, [n][2 n], become left singular vectors times
 * singular values above right singular vectors. */
static void rotate_all(int n, double complex *columns)
{
    enum { MOST_SWEEPS = 40 };
    for (int sweep = 0, rotated = 1; rotated && sweep < MOST_SWEEPS; sweep++) {
        rotated = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotated |= rotate(n, columns + (size_t)p * 2 * n, columns + (size_t)q * 2 * n);
    }
}

typedef struct singular {
    double square;
    int column;
} singular;

static int descending(const void *left, const void *right)
{
    const double a = ((const singular *)left)->square, b = ((const singular *)right)->square;
    return (a < b) - (a > b);
}

/* The fewest values that leave out at most `share`. */
static int count_of(int n, const singular *values, const product *p, double share, double *rest)
{
    double left = p->rest;
    int count = n;
    while (count > 1 && left + values[count - 1].square <= share * share * p->norm)
        left += values[--count].square;
    *rest = sqrt(left / p->norm);
    return count;
}

/* Scratch of low_rank_make. */
typedef struct scratch {
    product p;
    double *of_column;
    double complex *triangle, *turned; /* [rank][rank], [rank][2 rank] */
    singular *values;
} scratch;

static enuf_status allocate(scratch *s, int rows, int columns)
{
    product *p = &s->p;
    const int64_t most = rows < columns ? rows : columns;
    const size_t size = sizeof(double complex);
    *p = (product){.rows = rows, .columns = columns, .most = (int)most};
    ENUF_TRY(enuf_allocate(&p->q, most * rows, size, "an orthonormal basis"));
    ENUF_TRY(enuf_allocate(&p->row, most * columns, size, "a matrix of low rank"));
    ENUF_TRY(enuf_allocate(&s->of_column, columns, sizeof(double), "norms of columns"));
    ENUF_TRY(enuf_allocate(&s->triangle, most * most, size, "a triangular matrix"));
    ENUF_TRY(enuf_allocate(&s->turned, 2 * most * most, size, "singular vectors"));
    return enuf_allocate(&s->values, most, sizeof(singular), "singular values");
}

static void release(scratch *s)
{
    void *arrays[] = {&s->p.q, &s->p.row, &s->of_column, &s->triangle, &s->turned, &s->values};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) enuf_release(arrays[k]);
}

/* to [count][length] = combinations of n vectors [n][length]; coefficients [count][step]. */
static enuf_status combine(int length, int n, const double complex *vectors, int count,
                           const double complex *coefficients, int step, double complex **to)
{
    ENUF_TRY(enuf_allocate(to, (int64_t)count * length, sizeof **to, "singular vectors"));
    memset(*to, 0, (size_t)count * (size_t)length * sizeof **to);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < n; k++)
            enuf_subtract(length, -coefficients[(size_t)l * step + k], vectors + (size_t)k * length,
                          *to + (size_t)l * length);
    return ENUF_SUCCESS;
}

/* The vectors of the largest values, in their order. */
static enuf_status take(scratch *s, enuf_low_rank *made)
{
    const product *p = &s->p;
    const int n = p->rank, count = made->rank;
    double complex *chosen;
    ENUF_TRY(enuf_allocate(&made->value, count, sizeof *made->value, "singular values"));
    ENUF_TRY(enuf_allocate(&chosen, 2 * (int64_t)n * count, sizeof *chosen, "singular vectors"));
    for (int l = 0; l < count; l++) {
        made->value[l] = sqrt(s->values[l].square);
        memcpy(chosen + (size_t)l * 2 * n, s->turned + (size_t)s->values[l].column * 2 * n,
               2 * (size_t)n * sizeof *chosen);
        scale(n, 1 / made->value[l], chosen + (size_t)l * 2 * n);
    }
    enuf_status status = combine(p->rows, n, p->q, count, chosen, 2 * n, &made->vector);
    if (status == ENUF_SUCCESS)
        status = combine(p->columns, n, p->row, count, chosen + n, 2 * n, &made->right);
    enuf_release(&chosen);
    return status;
}

/* a = Q R by pivoting, R^H = P L^H by orthonormalising rows, L by rotations. */
static enuf_status compute(scratch *s, double complex *a, double tolerance, enuf_low_rank *made)
{
    product *p = &s->p;
    reduce(p, a, fmax(0.02 * tolerance, 16 * DBL_EPSILON), s->of_column);
    const int n = p->rank;
    for (size_t i = 0; i < (size_t)n * p->columns; i++) p->row[i] = conj(p->row[i]);
    enuf_orthonormalise(p->columns, n, p->row, s->triangle);
    /* R = L P^H with L[i][k] = conj(triangle[i][k]) */
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            double complex *column = s->turned + (size_t)k * 2 * n;
            column[i] = k <= i ? conj(s->triangle[(size_t)i * n + k]) : 0;
            column[n + i] = i == k;
        }
    rotate_all(n, s->turned);
    for (int k = 0; k < n; k++)
        s->values[k] = (singular){square(n, s->turned + (size_t)k * 2 * n), k};
    qsort(s->values, (size_t)n, sizeof *s->values, descending);
    made->rank = n > 0 ? count_of(n, s->values, p, tolerance, &made->rest) : 0;
    return take(s, made);
}

enuf_status enuf_low_rank_make(int rows, int columns, double complex *a, double tolerance,
                               enuf_low_rank *made)
{
    scratch s = {0};
    *made = (enuf_low_rank){0};
    enuf_status status = allocate(&s, rows, columns);
    if (status == ENUF_SUCCESS) status = compute(&s, a, tolerance, made);
    release(&s);
    return status;
}

void enuf_low_rank_free(enuf_low_rank *low)
{
    enuf_release(&low->vector);
    enuf_release(&low->right);
    enuf_release(&low->value);
}
