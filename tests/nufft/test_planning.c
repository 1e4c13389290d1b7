/*
 * test_planning.c - what making a plan asks of FFTW and of the mathematical library. Functions of
 * this test take the place of theirs and record the calls.
 *
 *   - Strides beyond 2^31 cells reach FFTW untruncated.
 *   - FFTW plans with one thread, because the threads of the library share the passes.
 *   - A million modes take at most 1.1 times the cosines of twenty thousand modes, because the
 *     window's transform comes from a table.
 *
 * The memory of the large grid is address space only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"

#include <dlfcn.h>
#include <fftw3.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Takes the place of FFTW's planner ---- */

enum { MOST_PLANS = 32 };

static struct {
    int real, rank, howmany_rank;
    fftw_iodim64 dims[3], howmany[3];
} planned[MOST_PLANS];
static int n_planned, only_recording, threads_planned;

static fftw_plan record_plan(int real, int rank, const fftw_iodim64 *dims, int howmany_rank,
                             const fftw_iodim64 *howmany)
{
    if (CHECK(n_planned < MOST_PLANS)) {
        planned[n_planned].real = real;
        planned[n_planned].rank = rank;
        planned[n_planned].howmany_rank = howmany_rank;
        memcpy(planned[n_planned].dims, dims, (size_t)rank * sizeof *dims);
        if (howmany_rank > 0)
            memcpy(planned[n_planned].howmany, howmany, (size_t)howmany_rank * sizeof *howmany);
        n_planned++;
    }
    return (fftw_plan)&planned; /* never executed */
}

/* The original function of this name. */
static void *original(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    CHECK(found != NULL);
    return found;
}

fftw_plan fftw_plan_guru64_dft(int rank, const fftw_iodim64 *dims, int howmany_rank,
                               const fftw_iodim64 *howmany, fftw_complex *in, fftw_complex *out,
                               int sign, unsigned flags)
{
    fftw_plan (*plan)(int, const fftw_iodim64 *, int, const fftw_iodim64 *, fftw_complex *,
                      fftw_complex *, int, unsigned);
    if (only_recording) return record_plan(0, rank, dims, howmany_rank, howmany);
    *(void **)&plan = original("fftw_plan_guru64_dft");
    return plan(rank, dims, howmany_rank, howmany, in, out, sign, flags);
}

fftw_plan fftw_plan_guru64_dft_r2c(int rank, const fftw_iodim64 *dims, int howmany_rank,
                                   const fftw_iodim64 *howmany, double *in, fftw_complex *out,
                                   unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return record_plan(1, rank, dims, howmany_rank, howmany);
}

fftw_plan fftw_plan_guru64_dft_c2r(int rank, const fftw_iodim64 *dims, int howmany_rank,
                                   const fftw_iodim64 *howmany, fftw_complex *in, double *out,
                                   unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return record_plan(1, rank, dims, howmany_rank, howmany);
}

void fftw_destroy_plan(fftw_plan plan)
{
    void (*destroy)(fftw_plan);
    if ((void *)plan == (void *)&planned) return;
    *(void **)&destroy = original("fftw_destroy_plan");
    destroy(plan);
}

void fftw_plan_with_nthreads(int threads)
{
    void (*plan_with)(int);
    *(void **)&plan_with = original("fftw_plan_with_nthreads");
    plan_with(threads);
    if (threads > threads_planned) threads_planned = threads;
}

/* ---- Takes the place of the allocator ---- */

static const size_t LARGE = (size_t)1 << 27;
enum { MOST_BLOCKS = 16 };
static struct {
    void *at;
    size_t bytes;
} large[MOST_BLOCKS];

void *aligned_alloc(size_t alignment, size_t bytes)
{
    static void *(*allocate)(size_t, size_t);
    int k = 0;
    while (k < MOST_BLOCKS && large[k].at) k++;
    if (only_recording && bytes > LARGE && k < MOST_BLOCKS) {
        void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (space == MAP_FAILED) return NULL;
        large[k].at = space;
        large[k].bytes = bytes;
        return space;
    }
    if (!allocate) *(void **)&allocate = original("aligned_alloc");
    return allocate(alignment, bytes);
}

void free(void *block)
{
    static void (*release)(void *);
    for (int k = 0; block && k < MOST_BLOCKS; k++)
        if (large[k].at == block) {
            munmap(block, large[k].bytes);
            large[k].at = NULL;
            return;
        }
    if (!release) *(void **)&release = dlsym(RTLD_NEXT, "free");
    release(block);
}

/* ---- Takes the place of the mathematical library ---- */

static atomic_long cosines;

/* GNU: compilers replace cosl and sinl by it */
void sincosl(long double x, long double *s, long double *c);

long double cosl(long double x)
{
    static long double (*cosine)(long double);
    if (!cosine) *(void **)&cosine = original("cosl");
    cosines++;
    return cosine(x);
}

void sincosl(long double x, long double *s, long double *c)
{
    static void (*both)(long double, long double *, long double *);
    if (!both) *(void **)&both = original("sincosl");
    cosines++;
    both(x, s, c);
}

/* ---- The laws ---- */

/* Planes of more than 2^31 cells: FFTW gets the true distance of rows and of planes. */
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
    options.fft_effort = ENUF_FFT_MEASURE; /* long columns are copied for FFTW_ESTIMATE */
    memcpy(options.fine_grid, grid, sizeof grid);
    n_planned = 0;
    only_recording = 1;
    enuf_nufft *plan;
    enuf_status status = enuf_nufft_create(&options, &plan);
    if (CHECK_STATUS(status, ENUF_SUCCESS)) {
        const int64_t least = strengths == ENUF_REAL_STRENGTHS ? grid[0] / 2 + 1 : grid[0];
        int64_t row = 0, plane = 0;
        CHECK(n_planned > 0);
        for (int k = 0; k < n_planned; k++) {
            const fftw_iodim64 along = planned[k].dims[0];
            if (planned[k].rank != 1) continue;
            CHECK(along.is > 0 && along.os > 0);
            if (along.n == grid[1]) row = along.is;
            if (along.n == grid[2]) plane = along.is;
        }
        printf("%s strengths: %d plans, rows are %lld complex numbers apart, planes %lld\n",
               strengths == ENUF_REAL_STRENGTHS ? "real" : "complex", n_planned, (long long)row,
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
    threads_planned = 0;
    const long few = cosines_of(20000), many = cosines_of(1000000);
    CHECK(few > 0);
    CHECK_BELOW((double)many, 1.1 * (double)few, "cosines of a million modes, of 20,000");
    printf("FFTW plans with %d threads\n", threads_planned);
    CHECK(threads_planned == 1);
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
