/*
 * nfft3.c - see nfft3.h. Calls as in the module NFFT.py of pynfft3 1.1, which wraps
 * julia/nfft/libnfftjulia.c of NFFT 3.5. SPDX-License-Identifier: BSD-3-Clause
 */
#include "nfft3.h"
#include "library.h"
#include "stopwatch.h"
#include "symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void *(*make)(void);
    void (*init)(void *, int, int *, int, int *, int, unsigned, unsigned);
    double *(*set_x)(void *, double *), *(*set_values)(void *, double *),
        *(*set_modes)(void *, double *);
    double *(*forward[2])(void *), *(*adjoint[2])(void *); /* direct, by FFT */
    void (*finish)(void *);
    char description[512];
} peer;

const char *nfft3_open(void)
{
    void *library = peer_library_open("nfft3");
    if (!library)
        return "NFFT3 is not installed: pip install pynfft3, then set NFFT3_LIBRARY to the "
               "libnfftjulia.so in the folder lib of the package";
    peer_library_describe(library, "pynfft3", peer.description, sizeof peer.description);
    const int found = peer_symbol(library, "jnfft_alloc", &peer.make) &&
                      peer_symbol(library, "jnfft_init", &peer.init) &&
                      peer_symbol(library, "jnfft_set_x", &peer.set_x) &&
                      peer_symbol(library, "jnfft_set_f", &peer.set_values) &&
                      peer_symbol(library, "jnfft_set_fhat", &peer.set_modes) &&
                      peer_symbol(library, "jnfft_trafo_direct", &peer.forward[0]) &&
                      peer_symbol(library, "jnfft_trafo", &peer.forward[1]) &&
                      peer_symbol(library, "jnfft_adjoint_direct", &peer.adjoint[0]) &&
                      peer_symbol(library, "jnfft_adjoint", &peer.adjoint[1]) &&
                      peer_symbol(library, "jnfft_finalize", &peer.finish);
    return found ? NULL : "this libnfftjulia.so lacks jnfft_trafo_direct or another function";
}

const char *nfft3_description(void)
{
    return peer.description;
}

/* Flags of nfft3.h. Without others than MALLOC nothing is computed beforehand. */
enum {
    PRE_PHI_HUT = 1 << 0,
    PRE_PSI = 1 << 4,
    MALLOC = 7 << 6, /* of x, f_hat and f */
    FFTW_INIT = 1 << 10,
    SORT_NODES = 1 << 11,
    OMP_BLOCKWISE_ADJOINT = 1 << 12,
    ESTIMATE_AND_DESTROY_INPUT = 1 << 6 | 1 << 0 /* of FFTW */
};

static unsigned flags_of(const nfft3_problem *p)
{
    const unsigned fast = PRE_PHI_HUT | FFTW_INIT | SORT_NODES | OMP_BLOCKWISE_ADJOINT;
    return MALLOC | (p->cutoff > 0 ? fast | (p->table ? PRE_PSI : 0U) : 0U);
}

nfft3_times nfft3_time(const nfft3_problem *p, int adjoint, const double *input, double *result,
                       int repeats)
{
    const int fast = p->cutoff > 0;
    int modes[3], grid[3];
    int64_t n_modes = 1;
    nfft3_times best = {HUGE_VAL, HUGE_VAL};
    double *x = malloc((size_t)(p->n * p->dim) * sizeof *x);
    void *plan = peer.make();
    if (!plan || !x) return (nfft3_times){-1, -1};
    for (int d = 0; d < p->dim; d++) { /* its last axis is fastest */
        modes[d] = (int)p->modes[p->dim - 1 - d];
        grid[d] = 2 * modes[d];
        n_modes *= modes[d];
        for (int64_t j = 0; j < p->n; j++) x[j * p->dim + d] = p->x[p->dim - 1 - d][j];
    }
    peer.init(plan, p->dim, modes, (int)p->n, grid, fast ? p->cutoff : 4, flags_of(p),
              fast ? ESTIMATE_AND_DESTROY_INPUT : 0);
    for (int k = 0; k < repeats; k++) {
        const double before = bench_clock(p->clock);
        peer.set_x(plan, x);
        best.setting = fmin(best.setting, bench_clock(p->clock) - before);
        (adjoint ? peer.set_values : peer.set_modes)(plan, (double *)(uintptr_t)input);
        const double start = bench_clock(p->clock);
        const double *found = (adjoint ? peer.adjoint : peer.forward)[fast](plan);
        best.execute = fmin(best.execute, bench_clock(p->clock) - start);
        memcpy(result, found, 2 * (size_t)(adjoint ? n_modes : p->n) * sizeof *result);
    }
    peer.finish(plan);
    free(x);
    return best;
}
