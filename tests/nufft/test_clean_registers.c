/*
 * test_clean_registers.c - calls leave the upper halves of vector registers clean. Where they are
 * not, each SSE instruction of the caller's program waits for the last one, and the program is up
 * to ten times slower until somebody clears them: nobody looks for that here.
 *
 * Levels, dimensions, precisions, real and complex, deterministic; both types, their adjoints,
 * gradients; direct sums and Gram operators. XINUSE (Intel, Software Developer's Manual, volume 1,
 * section 13.2) tells which parts are in use.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/direct.h"
#include "enuf/gram.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Whether the processor tells, and the system lets it. */
static int can_tell(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return 0;
    return __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & 1u << 2);
}

/* Bits 128 to 255, and 256 to 511, of registers 0 to 15: those that SSE instructions wait for. */
static unsigned in_use(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    return low & (1u << 2 | 1u << 6);
}

static void clear(void)
{
    __asm__ volatile(".byte 0xc5, 0xf8, 0x77"); /* vzeroupper */
}
#else
static int can_tell(void)
{
    return 0;
}
static unsigned in_use(void)
{
    return 0;
}
static void clear(void)
{
}
#endif

static int calls, dirty;

#define CLEAN(call)                                                                                \
    do {                                                                                           \
        clear();                                                                                   \
        const enuf_status clean_status = (call);                                                   \
        const unsigned parts = in_use();                                                           \
        CHECK_STATUS(clean_status, ENUF_SUCCESS);                                                  \
        calls++;                                                                                   \
        dirty += parts != 0;                                                                       \
        CHECK(!parts);                                                                             \
    } while (0)

static void check_plan(const enuf_nufft_options *options)
{
    transform t = transform_make(options, 400, 7);
    enuf_nufft *plan = NULL;
    const double *x = t.points;
    void *modes = numbers_make(options->precision, t.n_modes);
    void *values = numbers_make(options->precision, t.n_values);
    void *gradients = numbers_make(options->precision, t.n_gradients);
    const int before = dirty;
    CLEAN(enuf_nufft_create(options, &plan));
    CLEAN(enuf_nufft_set_points(plan, t.n, x, x + 1, x + 2, 3));
    CLEAN(enuf_nufft_type1(plan, t.strengths, modes));
    CLEAN(enuf_nufft_type2(plan, t.spectrum, values, NULL));
    CLEAN(enuf_nufft_type2(plan, t.spectrum, values, gradients));
    CLEAN(enuf_nufft_type1_adjoint(plan, t.spectrum, values));
    CLEAN(enuf_nufft_type2_adjoint(plan, t.strengths, modes));
    if (options->strengths == ENUF_COMPLEX_STRENGTHS)
        CLEAN(enuf_nufft_gram(plan, t.spectrum, modes));
    if (dirty > before)
        printf("%dD, %s, %s, level %s, batch %d\n", options->dim,
               options->precision == ENUF_FLOAT ? "float" : "double",
               options->strengths == ENUF_REAL_STRENGTHS ? "real" : "complex",
               enuf_level_name(options->level), options->batch);
    enuf_nufft_destroy(&plan);
    free(modes);
    free(values);
    free(gradients);
    transform_free(&t);
}

static void plans(void)
{
    for (int dim = 1; dim <= 3; dim++)
        for (int kind = 0; kind < 8; kind++)
            for (int level = 0; enuf_level_name((enuf_level)level); level++)
                for (int digits = 2; digits <= 5; digits++) {
                    if (level == ENUF_LEVEL_GRAM && kind & 2) continue; /* no real strengths */
                    enuf_nufft_options o = conformance_options(dim, 18, 15, 12);
                    o.backend = ENUF_BACKEND_CPU;
                    o.precision = kind & 1 ? ENUF_FLOAT : ENUF_DOUBLE;
                    o.strengths = kind & 2 ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
                    o.batch = kind & 4 ? 2 : 1;
                    o.level = (enuf_level)level;
                    o.tolerance = digits == 2   ? 1e-2
                                  : digits == 3 ? 1e-3
                                  : digits == 4 ? 1e-4
                                                : 1e-5;
                    check_plan(&o);
                }
}

static void others(void)
{
    enuf_nufft_options o = conformance_options(3, 10, 9, 8);
    o.backend = ENUF_BACKEND_CPU;
    for (int single = 0; single < 2; single++) {
        o.precision = single ? ENUF_FLOAT : ENUF_DOUBLE;
        o.tolerance = 1e-5;
        transform t = transform_make(&o, 200, 3);
        enuf_gram *gram = NULL;
        const double *x = t.points;
        void *modes = numbers_make(o.precision, t.n_modes);
        void *values = numbers_make(o.precision, t.n_values);
        void *gradients = numbers_make(o.precision, t.n_gradients);
        CLEAN(enuf_direct_type1(&o, NULL, NULL, t.n, x, x + 1, x + 2, 3, t.strengths, modes));
        CLEAN(enuf_direct_type2(&o, NULL, NULL, t.n, x, x + 1, x + 2, 3, t.spectrum, values,
                                gradients));
        CLEAN(enuf_gram_create(&o, &gram));
        CLEAN(enuf_gram_set_points(gram, t.n, x, x + 1, x + 2, 3, NULL));
        CLEAN(enuf_gram_apply(gram, t.spectrum, modes));
        enuf_gram_destroy(&gram);
        free(modes);
        free(values);
        free(gradients);
        o.deterministic = 1;
        check_plan(&o);
        o.deterministic = 0;
        transform_free(&t);
    }
}

int main(void)
{
    if (!can_tell()) return check_skip("this processor does not tell which registers are in use");
    plans();
    others();
    printf("%d calls\n", calls);
    return check_result();
}
