/* prolate_function.c - see prolate_function.h. SPDX-License-Identifier: BSD-3-Clause */
#include "prolate_function.h"

#include <math.h>
#include <pthread.h>

/*
 * psi is the eigenfunction of -d/dx (1 - x^2) d/dx + c^2 x^2 with the smallest eigenvalue. In the
 * orthonormal Legendre functions sqrt(k + 1/2) P_k of even degree the operator is a symmetric
 * tridiagonal, positive definite matrix (Xiao, Rokhlin, Yarvin 2001, eqs. 61-63).
 *
 * The coefficients fall as exp(-k^2/2c) while k < c and faster beyond, so that degree 2c + 40
 * leaves less than 1e-25 for small c, and degree 398 less than 1e-100 at c = 300.
 */
static const double largest_c = 300;

typedef struct tridiagonal {
    int n;
    long double diagonal[ENUF_PROLATE_TERMS];
    long double below[ENUF_PROLATE_TERMS]; /* below[j] couples j and j + 1 */
} tridiagonal;

static void fill_matrix(double c, int n, tridiagonal *matrix)
{
    long double c2 = (long double)c * c;
    matrix->n = n;
    for (int j = 0; j < n; j++) {
        long double k = 2 * j;
        matrix->diagonal[j] =
            k * (k + 1) + c2 * (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1));
        matrix->below[j] =
            c2 * (k + 1) * (k + 2) / ((2 * k + 3) * sqrtl((2 * k + 1) * (2 * k + 5)));
    }
}

/* Pivots of matrix - shift; returns whether all are positive: no eigenvalue is below the shift. */
static int factorise(const tridiagonal *matrix, long double shift, long double *pivot)
{
    for (int j = 0; j < matrix->n; j++) {
        long double taken = j > 0 ? matrix->below[j - 1] * matrix->below[j - 1] / pivot[j - 1] : 0;
        pivot[j] = matrix->diagonal[j] - shift - taken;
        if (!(pivot[j] > 0)) return 0;
    }
    return 1;
}

/* A shift below the smallest eigenvalue, at most c^2/3 2^-24 away. The smallest diagonal element is
 * an upper bound of this eigenvalue. The next eigenvalue is about 4 c away. */
static long double definite_shift(const tridiagonal *matrix, long double *pivot)
{
    long double low = 0, high = matrix->diagonal[0];
    for (int step = 0; step < 24; step++) {
        long double middle = (low + high) / 2;
        if (middle <= low || middle >= high) break;
        if (factorise(matrix, middle, pivot)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Inverse iteration: each step reduces the other eigenvectors by at least five digits. */
static void eigenvector(const tridiagonal *matrix, const long double *pivot, long double *v)
{
    int n = matrix->n;
    for (int j = 0; j < n; j++) v[j] = j % 2 ? -1 : 1;
    for (int step = 0; step < 6; step++) {
        for (int j = 1; j < n; j++) v[j] -= matrix->below[j - 1] / pivot[j - 1] * v[j - 1];
        v[n - 1] /= pivot[n - 1];
        for (int j = n - 2; j >= 0; j--) v[j] = (v[j] - matrix->below[j] * v[j + 1]) / pivot[j];
        long double norm2 = 0;
        for (int j = n - 1; j >= 0; j--) norm2 += v[j] * v[j];
        long double scale = (v[0] < 0 ? -1 : 1) / sqrtl(norm2);
        for (int j = 0; j < n; j++) v[j] *= scale;
    }
}

enuf_status enuf_prolate_make(double c, enuf_prolate *psi)
{
    if (!(c > 0) || !(c <= largest_c))
        return enuf_fail(ENUF_BAD_ARGUMENT, "prolate bandwidth c = %g is outside 0 < c <= %g", c,
                         largest_c);
    int n = (int)c + 21;
    if (n > ENUF_PROLATE_TERMS) n = ENUF_PROLATE_TERMS;

    tridiagonal matrix;
    long double pivot[ENUF_PROLATE_TERMS], v[ENUF_PROLATE_TERMS];
    fill_matrix(c, n, &matrix);
    long double shift = definite_shift(&matrix, pivot);
    factorise(&matrix, shift, pivot);
    eigenvector(&matrix, pivot, v);

    while (n > 2 && fabsl(v[n - 1]) < 1e-22L) n--;
    psi->c = c;
    psi->n = n;
    for (int j = 0; j < ENUF_PROLATE_TERMS; j++)
        psi->beta[j] = j < n ? (double)(v[j] * sqrtl(2 * j + 0.5L)) : 0;
    psi->at_0 = enuf_prolate_value(psi, 0, NULL);
    psi->at_1 = enuf_prolate_value(psi, 1, NULL);
    /* P_0 alone has an integral over [0, 1]; x^2 = P_0/3 + 2 P_2/3 */
    psi->half_integral = psi->beta[0];
    psi->second_moment = (double)(1 / 3.0L + 2 / 15.0L * sqrtl(5) * v[1] / v[0]);
    return ENUF_SUCCESS;
}

/*
 * The sums use the Legendre recurrence, which is stable for |x| <= 1, in long double. The result is
 * as accurate as the coefficients. Only the makers of tables call these functions.
 */
double enuf_prolate_value(const enuf_prolate *psi, double x, double *derivative)
{
    long double even = 1, odd = x; /* P_2j, P_2j+1 */
    long double even_slope = 0;    /* P_2j' */
    long double sum = 0, slope = 0;
    for (int j = 0; j < psi->n; j++) {
        sum += psi->beta[j] * even;
        slope += psi->beta[j] * even_slope;
        int k = 2 * j;
        even_slope += (2 * k + 3) * odd;
        even = ((2 * k + 3) * x * odd - (k + 1) * even) / (k + 2);
        odd = ((2 * k + 5) * x * even - (k + 2) * odd) / (k + 3);
    }
    if (derivative) *derivative = (double)slope;
    return (double)sum;
}

double enuf_prolate_second(const enuf_prolate *psi, double x)
{
    long double even = 1, odd = x;        /* P_2j, P_2j+1 */
    long double odd_slope = 1;            /* P_2j+1' */
    long double even_second = 0, sum = 0; /* P_2j'' */
    for (int j = 0; j < psi->n; j++) {
        int k = 2 * j;
        sum += psi->beta[j] * even_second;
        even_second += (2 * k + 3) * odd_slope;
        even = ((2 * k + 3) * x * odd - (k + 1) * even) / (k + 2);
        odd_slope += (2 * k + 5) * even;
        odd = ((2 * k + 5) * x * even - (k + 2) * odd) / (k + 3);
    }
    return (double)sum;
}

/* Factors of P_(k+1) = up[k] x P_k - down[k] P_(k-1): division is slow in long double. */
static long double up[2 * ENUF_PROLATE_TERMS + 1], down[2 * ENUF_PROLATE_TERMS + 1];

static void make_factors(void)
{
    for (int k = 0; k <= 2 * ENUF_PROLATE_TERMS; k++) {
        up[k] = (2 * k + 1) / (long double)(k + 1);
        down[k] = k / (long double)(k + 1);
    }
}

long double enuf_prolate_value_long(const enuf_prolate *psi, long double x)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    long double even = 1, odd = x, sum = 0;
    pthread_once(&once, make_factors);
    for (int j = 0, k = 1; j < psi->n; j++, k += 2) {
        sum += psi->beta[j] * even;
        even = up[k] * x * odd - down[k] * even;
        odd = up[k + 1] * x * even - down[k + 1] * odd;
    }
    return sum;
}

/* psi and its integral from 0, both in long double; integral of P_k: (P_k+1 - P_k-1)/(2k + 1). */
static void value_and_integral(const enuf_prolate *psi, double x, long double *value,
                               long double *integral)
{
    long double even = 1, odd = x, odd_before = 0; /* P_2j, P_2j+1, P_2j-1 */
    long double sum = 0, integral_sum = 0;
    for (int j = 0; j < psi->n; j++) {
        int k = 2 * j;
        sum += psi->beta[j] * even;
        integral_sum += psi->beta[j] * (odd - odd_before) / (2 * k + 1);
        even = ((2 * k + 3) * x * odd - (k + 1) * even) / (k + 2);
        odd_before = odd;
        odd = ((2 * k + 5) * x * even - (k + 2) * odd) / (k + 3);
    }
    *value = sum;
    *integral = integral_sum;
}

double enuf_prolate_integral(const enuf_prolate *psi, double x)
{
    long double value, integral;
    value_and_integral(psi, x, &value, &integral);
    return (double)integral;
}

/* Rounding errors of the odd P_k are proportional to x, so the quotient is accurate for any x > 0.
 * */
double enuf_prolate_mean(const enuf_prolate *psi, double x)
{
    if (x == 0) return psi->at_0;
    long double value, integral;
    value_and_integral(psi, x, &value, &integral);
    return (double)(integral / x);
}

/*
 * Near 0 the numerator cancels to third order: there psi = sum a_m x^2m, whose coefficients follow
 * from the differential equation with eigenvalue -psi''(0)/psi(0) = sum beta_k k (k + 1) P_k(0) /
 * psi(0), a sum without cancellation. At c x^2 = 1/4 the series needs a dozen terms, and the
 * difference in long double loses less than two digits more than double has.
 */
static double bend_near_0(const enuf_prolate *psi, double x)
{
    long double at_0 = 1, eigenvalue = 0, sum = 0; /* at_0: P_2j(0) */
    for (int j = 0; j < psi->n; j++) {
        long double k = 2 * j;
        sum += psi->beta[j] * at_0;
        eigenvalue += psi->beta[j] * k * (k + 1) * at_0;
        at_0 *= -(k + 1) / (k + 2);
    }
    eigenvalue /= sum;

    long double c2 = (long double)psi->c * psi->c, x2 = (long double)x * x;
    long double before = 0, a = sum, power = 1, bend = 0; /* a_m-1, a_m, x^(2m - 2) */
    for (int m = 0; m < 40; m++) {
        long double k = 2 * m;
        long double next = ((k * (k + 1) - eigenvalue) * a + c2 * before) / ((k + 1) * (k + 2));
        before = a;
        a = next;
        long double term = -a * power * (k + 2) / (k + 3);
        bend += term;
        power *= x2;
        if (m > 2 && fabsl(term) < 1e-20L * fabsl(bend)) break;
    }
    return (double)bend;
}

double enuf_prolate_bend(const enuf_prolate *psi, double x)
{
    if (psi->c * x * x <= 0.25) return bend_near_0(psi, x);
    long double value, integral;
    value_and_integral(psi, x, &value, &integral);
    return (double)((integral - x * value) / ((long double)x * x * x));
}
