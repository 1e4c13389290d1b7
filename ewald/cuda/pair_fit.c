/* pair_fit.c - see pair_fit.h. SPDX-License-Identifier: BSD-3-Clause */
#include "pair_fit.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding errors of a value that the polynomial may make in float: up to alpha cutoff = 4.5 and
 * c = 50 it makes 3, at 5.4 and 65 it makes 30, and ten times more for every 0.4 or 20 beyond. */
static const double loss_in_float = 32;

static const long double pi = 3.14159265358979323846264338327950288L;

/* Q or R of a splitting, or B of a bend. `power`: it is subtracted from a multiple of s^-power. */
typedef struct pair_function {
    double (*of)(double s, const void *source);
    const void *source;
    double power;
} pair_function;

/* Chebyshev interpolation at n points, as monomials of v = centre - s. */
static void interpolate(const pair_function *f, int n, double *coefficients)
{
    enum { ROOM = ENUF_PAIR_FIT_COEFFICIENTS };
    long double value[ROOM], now[ROOM + 1] = {1}, before[ROOM + 1] = {0}, sum[ROOM] = {0};
    /* t in [-1, 1] is 2 s - 1 = start - 2 v */
    const long double start = 2 * (long double)ENUF_PAIR_FIT_CENTRE - 1;
    for (int i = 0; i < n; i++)
        value[i] = f->of((double)(0.5L + 0.5L * cosl(pi * (i + 0.5L) / n)), f->source);
    for (int k = 0; k < n; k++) {
        long double series = 0;
        for (int i = 0; i < n; i++) series += value[i] * cosl(pi * k * (i + 0.5L) / n);
        series *= (k == 0 ? 1.0L : 2.0L) / n;
        for (int i = 0; i <= k; i++) sum[i] += series * now[i];
        /* T_k+1 = 2 t T_k - T_k-1 */
        for (int i = k + 1; i >= 0; i--) {
            const long double shifted = start * now[i] - (i > 0 ? 2 * now[i - 1] : 0);
            const long double next = (k == 0 ? 1 : 2) * shifted - before[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (int i = 0; i < n; i++) coefficients[i] = (double)sum[i];
}

/* Largest error, less the rounding of s^-power and of the value. */
static double fit_error(const pair_function *f, int n, const double *coefficients, double rounding)
{
    double worst = 0;
    for (int i = 0; i < 4 * n; i++) { /* s > 0: at s = 0 s^-power is infinite */
        const double s = 0.5 + 0.5 * (double)cosl(pi * i / (4 * n));
        double sum = 0;
        for (int k = n - 1; k >= 0; k--) sum = sum * (ENUF_PAIR_FIT_CENTRE - s) + coefficients[k];
        const double exact = f->of(s, f->source);
        const double error = fabs(sum - exact) - rounding * (pow(s, -f->power) + fabs(exact));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

/* Large coefficients of a steep function cancel and lose digits. In double fit_error() measures the
 * loss, in float this function. */
static int serves_in_float(const pair_function *f, int n, const double *coefficients, double error)
{
    for (int i = 0; i < 4 * n; i++) {
        const float s = (float)(0.5 + 0.5 * (double)cosl(pi * i / (4 * n)));
        const float v = (float)ENUF_PAIR_FIT_CENTRE - s;
        float sum = 0;
        for (int k = n - 1; k >= 0; k--) sum = sum * v + (float)coefficients[k];
        const double exact = f->of((double)s, f->source);
        const double rounding = FLT_EPSILON * (pow((double)s, -f->power) + fabs(exact));
        if (!(fabs((double)sum - exact) <= error + loss_in_float * rounding)) return 0;
    }
    return 1;
}

/* Smallest number of coefficients that serves, or 0. */
static int fit(const pair_function *f, double error, int single, double *coefficients)
{
    const double rounding = single ? 0.1 * FLT_EPSILON : 8 * DBL_EPSILON;
    for (int n = 4; n <= ENUF_PAIR_FIT_COEFFICIENTS; n++) {
        memset(coefficients, 0, ENUF_PAIR_FIT_COEFFICIENTS * sizeof *coefficients);
        interpolate(f, n, coefficients);
        if (!(fit_error(f, n, coefficients, rounding) <= error)) continue;
        return !single || serves_in_float(f, n, coefficients, error) ? n : 0;
    }
    return 0;
}

static enuf_status too_steep(int single)
{
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "the GPU's pair functions: one polynomial of up to %d coefficients in %s does "
                     "not follow this splitting; take a smaller alpha or c, %sor backend cpu",
                     ENUF_PAIR_FIT_COEFFICIENTS, single ? "float" : "double",
                     single ? "double arithmetic, " : "");
}

static double least_error(int single)
{
    return single ? 0.25 * FLT_EPSILON : 4 * DBL_EPSILON;
}

enuf_status enuf_pair_fit_make(const enuf_splitting *splitting, double error, int single,
                               enuf_pair_fit *made)
{
    const pair_function force = {enuf_splitting_r, splitting, 1.5},
                        energy = {enuf_splitting_q, splitting, 0.5};
    error = fmax(error, least_error(single));
    made->n_force = fit(&force, error, single, made->force);
    made->n_energy = fit(&energy, error, single, made->energy);
    return made->n_force > 0 && made->n_energy > 0 ? ENUF_SUCCESS : too_steep(single);
}

static double value_of_bend(double s, const void *source)
{
    const enuf_pair_bend *bend = source;
    const double pieces = s * ENUF_PAIR_PIECES;
    const int piece = pieces < ENUF_PAIR_PIECES - 1 ? (int)pieces : ENUF_PAIR_PIECES - 1;
    double sum = 0;
    for (int k = bend->n - 1; k >= 0; k--)
        sum = sum * (2 * (pieces - piece) - 1) + bend->at[k][piece];
    return sum;
}

/* By which pieces differ where they meet. */
static double largest_jump(const enuf_pair_bend *bend)
{
    double largest = 0;
    for (int piece = 1; piece < ENUF_PAIR_PIECES; piece++) {
        double jump = 0;
        for (int k = 0; k < bend->n; k++)
            jump += bend->at[k][piece - 1] - (k % 2 ? -1 : 1) * bend->at[k][piece];
        largest = fmax(largest, fabs(jump));
    }
    return largest;
}

/* Coefficients that serve, or 0. */
static int fit_bend(const enuf_pair_bend *bend, int single, double *coefficients)
{
    const pair_function f = {value_of_bend, bend, 2.5};
    const double error = 4 * fmax(bend->error, least_error(single));
    return fit(&f, fmax(error, largest_jump(bend)), single, coefficients);
}

enuf_status enuf_bend_fit_make(const enuf_pair_bend *bend, int in_float, enuf_bend_fit *made)
{
    if (made->n > 0 && made->asked_float == in_float && made->kind == bend->kind &&
        made->parameter == bend->parameter && made->cutoff == bend->cutoff &&
        made->error == bend->error)
        return ENUF_SUCCESS;
    made->n = in_float ? fit_bend(bend, 1, made->at) : 0;
    made->single = made->n > 0;
    if (!made->single) made->n = fit_bend(bend, 0, made->at);
    made->asked_float = in_float;
    made->kind = bend->kind;
    made->parameter = bend->parameter;
    made->cutoff = bend->cutoff;
    made->error = bend->error;
    return made->n > 0 ? ENUF_SUCCESS : too_steep(0);
}
