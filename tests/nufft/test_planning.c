/*
 * test_planning.c - what making a plan asks of the library of FFTs and of the mathematical library.
 * The linker (--wrap) puts functions of this test in the place of theirs.
 *
 *   - Strides beyond 2^31 cells reach the FFTs untruncated (test_fftw_planner: and FFTW).
 *   - A million modes take at most 1.1 times the cosines of twenty thousand modes, because the
 *     window's transform comes from a table.
 *
 * The memory of the large grid is address space only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "fft/fft_lines.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Takes the place of the FFTs ---- */

enum { MOST_BATCHES = 32 };
static enuf_fft_batch batches[MOST_BATCHES];
static int n_batches, only_recording;

enuf_status __real_enuf_fft_make(const enuf_fft_planning *how, int n, const enuf_fft_batch *batch,
                                 enuf_fft_lines **made);
enuf_status __wrap_enuf_fft_make(const enuf_fft_planning *how, int n, const enuf_fft_batch *batch,
                                 enuf_fft_lines **made);

enuf_status __wrap_enuf_fft_make(const enuf_fft_planning *how, int n, const enuf_fft_batch *batch,
                                 enuf_fft_lines **made)
{
    if (!only_recording) return __real_enuf_fft_make(how, n, batch, made);
    *made = NULL; /* never executed */
    n_batches = n;
    if (CHECK(n <= MOST_BATCHES)) memcpy(batches, batch, (size_t)n * sizeof *batch);
    return ENUF_SUCCESS;
}

/* ---- Takes the place of the allocator ---- */

static const int64_t LARGE = INT64_C(1) << 27;
static struct {
    void *at;
    size_t bytes;
} large; /* the grid */

enuf_status __real_enuf_allocate(void *pointer, int64_t count, size_t size, const char *what);
enuf_status __wrap_enuf_allocate(void *pointer, int64_t count, size_t size, const char *what);
void __real_enuf_release(void *pointer);
void __wrap_enuf_release(void *pointer);

enuf_status __wrap_enuf_allocate(void *pointer, int64_t count, size_t size, const char *what)
{
    const int64_t bytes = count * (int64_t)size;
    if (!only_recording || bytes < LARGE || large.at)
        return __real_enuf_allocate(pointer, count, size, what);
    large.bytes = (size_t)bytes;
    large.at = mmap(NULL, large.bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!CHECK(large.at != MAP_FAILED)) return ENUF_OUT_OF_MEMORY;
    memcpy(pointer, &large.at, sizeof large.at);
    return ENUF_SUCCESS;
}

void __wrap_enuf_release(void *pointer)
{
    void *at;
    memcpy(&at, pointer, sizeof at);
    if (!at || at != large.at) {
        __real_enuf_release(pointer);
        return;
    }
    munmap(large.at, large.bytes);
    large.at = NULL;
    memcpy(pointer, &large.at, sizeof large.at);
}

/* ---- Takes the place of the mathematical library ---- */

static atomic_long cosines;

long double __real_cosl(long double x);
long double __wrap_cosl(long double x);
/* GNU: compilers replace cosl and sinl by it */
void __real_sincosl(long double x, long double *s, long double *c);
void __wrap_sincosl(long double x, long double *s, long double *c);

long double __wrap_cosl(long double x)
{
    cosines++;
    return __real_cosl(x);
}

void __wrap_sincosl(long double x, long double *s, long double *c)
{
    cosines++;
    __real_sincosl(x, s, c);
}

/* ---- The laws ---- */

/* Planes of more than 2^31 cells: FFTs get the true distance of rows and of planes. */
static void strides_are_not_truncated(enuf_strengths strengths)
{
    /* rows of real strengths take half as many complex numbers */
    const int64_t grid[3] = {65536, strengths == ENUF_REAL_STRENGTHS ? 65600 : 32800, 2};
    enuf_nufft_options options = conformance_options(3, 8, 8, 1);
    options.strengths = strengths;
    options.tolerance = 0;
    options.width = 2;
    options.upsampling = 2;
    options.threads = 1;
    memcpy(options.fine_grid, grid, sizeof grid);
    n_batches = 0;
    only_recording = 1;
    enuf_nufft *plan;
    enuf_status status = enuf_nufft_create(&options, &plan);
    if (CHECK_STATUS(status, ENUF_SUCCESS)) {
        const int64_t least = strengths == ENUF_REAL_STRENGTHS ? grid[0] / 2 + 1 : grid[0];
        int64_t row = 0, plane = 0;
        CHECK(n_batches > 0);
        for (int k = 0; k < n_batches; k++) {
            const enuf_fft_batch *b = &batches[k];
            if (b->lines == 0) continue;
            CHECK(b->in_stride > 0 && b->out_stride > 0);
            if (b->n == grid[1]) row = b->in_stride;
            if (b->n == grid[2]) plane = b->in_stride;
        }
        printf("%s strengths: %d batches, rows are %lld complex numbers apart, planes %lld\n",
               strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", n_batches, (long long)row,
               (long long)plane);
        CHECK(row >= least && row < least + 32);
        CHECK(plane >= row * grid[1] && plane < row * grid[1] + 32);
        CHECK(plane > INT32_MAX);
    }
    enuf_nufft_destroy(&plan);
    only_recording = 0;
}

/* The number of cosines that making a plan with so many modes in 1D takes. */
static long cosines_of(int64_t modes)
{
    enuf_nufft_options options = conformance_options(1, modes, 1, 1);
    enuf_nufft *plan;
    options.tolerance = 1e-6;
    options.upsampling = 2;
    options.threads = 2;
    cosines = 0;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    enuf_nufft_destroy(&plan);
    printf("%lld modes: %ld cosines\n", (long long)modes, (long)cosines);
    return cosines;
}

static void many_modes_cost_no_more(void)
{
    const long few = cosines_of(20000), many = cosines_of(1000000);
    CHECK(few > 0);
    CHECK_BELOW((double)many, 1.1 * (double)few, "cosines of a million modes, of 20,000");
}

static void law(void)
{
    many_modes_cost_no_more();
    strides_are_not_truncated(ENUF_COMPLEX_STRENGTHS);
    strides_are_not_truncated(ENUF_REAL_STRENGTHS);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
