/*
 * What planning asks of others, seen by functions of their names that stand before theirs: FFTW is
 * given strides beyond 2^31 cells as they are, and one thread, as passes have the library's; a
 * million modes take no more cosines than twenty thousand, as the window's transform is taken from
 * a table. Memory for the large grid is address space only. SPDX-License-Identifier: BSD-3-Clause
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

/* ---- In the place of FFTW's planner ---- */

enum { MOST_PLANS = 32 };

static struct {
    int real, rank, howmany_rank;
    fftw_iodim64 dims[3], howmany[3];
} planned[MOST_PLANS];
static int n_planned, only_looking, threads_planned;

static fftw_plan note(int real, int rank, const fftw_iodim64 *dims, int howmany_rank,
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

/* The function of this name that would have been called. */
static void *next(const char *name)
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
    if (only_looking) return note(0, rank, dims, howmany_rank, howmany);
    *(void **)&plan = next("fftw_plan_guru64_dft");
    return plan(rank, dims, howmany_rank, howmany, in, out, sign, flags);
}

fftw_plan fftw_plan_guru64_dft_r2c(int rank, const fftw_iodim64 *dims, int howmany_rank,
                                   const fftw_iodim64 *howmany, double *in, fftw_complex *out,
                                   unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return note(1, rank, dims, howmany_rank, howmany);
}

fftw_plan fftw_plan_guru64_dft_c2r(int rank, const fftw_iodim64 *dims, int howmany_rank,
                                   const fftw_iodim64 *howmany, fftw_complex *in, double *out,
                                   unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return note(1, rank, dims, howmany_rank, howmany);
}

void fftw_destroy_plan(fftw_plan plan)
{
    void (*destroy)(fftw_plan);
    if ((void *)plan == (void *)&planned) return;
    *(void **)&destroy = next("fftw_destroy_plan");
    destroy(plan);
}

void fftw_plan_with_nthreads(int threads)
{
    void (*plan_with)(int);
    *(void **)&plan_with = next("fftw_plan_with_nthreads");
    plan_with(threads);
    if (threads > threads_planned) threads_planned = threads;
}

/* ---- In the place of the memory ---- */

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
    if (only_looking && bytes > LARGE && k < MOST_BLOCKS) {
        void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (space == MAP_FAILED) return NULL;
        large[k].at = space;
        large[k].bytes = bytes;
        return space;
    }
    if (!allocate) *(void **)&allocate = next("aligned_alloc");
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

/* ---- In the place of the mathematical library ---- */

static atomic_long cosines;

void sincosl(long double x, long double *s, long double *c); /* of GNU, what cosl and sinl become */

long double cosl(long double x)
{
    static long double (*cosine)(long double);
    if (!cosine) *(void **)&cosine = next("cosl");
    cosines++;
    return cosine(x);
}

void sincosl(long double x, long double *s, long double *c)
{
    static void (*both)(long double, long double *, long double *);
    if (!both) *(void **)&both = next("sincosl");
    cosines++;
    both(x, s, c);
}

/* ---- The laws ---- */

/* Planes of more than 2^31 cells; what is planned reaches from row to row and from plane to plane.
 */
static void strides_are_whole(enuf_strengths strengths)
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
    n_planned = 0;
    only_looking = 1;
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
    only_looking = 0;
}

/* Cosines, the most that planning so many modes in 1D takes. */
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
    strides_are_whole(ENUF_COMPLEX_STRENGTHS);
    strides_are_whole(ENUF_REAL_STRENGTHS);
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
