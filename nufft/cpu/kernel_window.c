/* kernel_window.c - see kernel_window.h. SPDX-License-Identifier: BSD-3-Clause */
#include "kernel_window.h"
#include "windows/window_table.h"

static int64_t polynomial_numbers(const enuf_nufft *plan)
{
    const enuf_window_fit *fit = &plan->method.fit;
    return fit->n_coefficients * BY_PRECISION(plan, enuf_cpu_term_step, fit->width);
}

static int64_t table_numbers(const enuf_nufft *plan)
{
    const int row = BY_PRECISION(plan, enuf_cpu_row_step, plan->method.fit.width);
    return 2 * (int64_t)plan->method.table_pieces * row;
}

int64_t enuf_kernel_window_numbers(const enuf_nufft *plan)
{
    return polynomial_numbers(plan) + table_numbers(plan);
}

static void put(const enuf_nufft *plan, void *array, int64_t at, double value)
{
    if (plan->options.precision == ENUF_FLOAT)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static void fill_polynomials(const enuf_nufft *plan, void *coefficients)
{
    const enuf_window_fit *fit = &plan->method.fit;
    const int step = BY_PRECISION(plan, enuf_cpu_term_step, fit->width);
    for (int k = 0; k < fit->n_coefficients; k++)
        for (int cell = 0; cell < step; cell++)
            put(plan, coefficients, (int64_t)k * step + cell,
                cell < fit->width ? fit->coefficients[k][cell] : 0);
}

static void fill_table(const enuf_nufft *plan, void *table)
{
    const enuf_window_fit *fit = &plan->method.fit;
    const int pieces = plan->method.table_pieces;
    const int row = BY_PRECISION(plan, enuf_cpu_row_step, fit->width);
    for (int k = 0; k < pieces; k++)
        for (int cell = 0; cell < row; cell++) {
            const int inside = cell < fit->width;
            const double here = inside ? enuf_window_table_value(fit, pieces, k, cell) : 0;
            const double next = inside ? enuf_window_table_value(fit, pieces, k + 1, cell) : 0;
            put(plan, table, 2 * (int64_t)k * row + cell, here);
            put(plan, table, (2 * (int64_t)k + 1) * row + cell, next - here);
        }
}

enuf_status enuf_kernel_window_make(const enuf_nufft *plan, enuf_kernel_window *w)
{
    const size_t number = plan->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
    w->width = plan->method.fit.width;
    w->n_coefficients = plan->method.fit.n_coefficients;
    ENUF_TRY(enuf_allocate(&w->coefficients, polynomial_numbers(plan), number,
                           "the window's polynomials"));
    fill_polynomials(plan, w->coefficients);
    if (plan->method.table_pieces == 0) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(&w->table, table_numbers(plan), number, "the window's table"));
    fill_table(plan, w->table);
    w->pieces = plan->method.table_pieces;
    return ENUF_SUCCESS;
}

void enuf_kernel_window_free(enuf_kernel_window *w)
{
    enuf_release(&w->coefficients);
    enuf_release(&w->table);
}
