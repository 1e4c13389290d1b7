/* imaging_peers.c - see imaging_peers.h. SPDX-License-Identifier: BSD-3-Clause */
#include "imaging_peers.h"
#include "fail.h"
#include "peers/finufft.h"
#include "peers/nfft3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* W = 4 is 8 cells of the fine grid, m to either side. */
enum { SOURCE_CUTOFF = 4 };

static struct {
    int nfft3, finufft, cufinufft; /* it is here */
    char description[1200];
} peers;

const char *imaging_peers_open(enuf_backend backend)
{
    if (backend == ENUF_BACKEND_CUDA) {
        const char *text = imaging_cufinufft_open();
        snprintf(peers.description, sizeof peers.description, "%s", text);
        peers.cufinufft = 1;
        return peers.description;
    }
    const char *const missing[2] = {nfft3_open(), finufft_open()};
    peers.nfft3 = !missing[0];
    peers.finufft = !missing[1];
    snprintf(peers.description, sizeof peers.description, "%s; %s",
             peers.nfft3 ? nfft3_description() : missing[0],
             peers.finufft ? finufft_description() : missing[1]);
    return peers.description;
}

/* Its signs are the opposite of those of nufft_sample.h: it takes the samples at -x. */
static imaging_peer time_nfft3(const imaging_case *c, imaging_direction direction, int cutoff,
                               int table, const imaging_clock *clock, int turns)
{
    const double *input = imaging_case_input(c, direction);
    double *result = allocate(2 * c->n, sizeof *result), *x[2];
    nfft3_problem p = {.dim = 2,
                       .modes = {c->side, c->side},
                       .n = c->n,
                       .clock = imaging_cpu_clock(clock),
                       .cutoff = cutoff,
                       .table = table};
    for (int d = 0; d < 2; d++) {
        x[d] = allocate(c->n, sizeof *x[d]);
        for (int64_t j = 0; j < c->n; j++) {
            x[d][j] = -c->k[d][j] / (double)c->side;
            if (x[d][j] >= 0.5) x[d][j] -= 1; /* the same place in [-1/2, 1/2) */
        }
        p.x[d] = x[d];
    }
    const nfft3_times t = nfft3_time(&p, direction == IMAGING_ADJOINT, input, result, turns);
    const imaging_peer row = {.name = table ? "nfft3, table" : "nfft3",
                              .layout = cutoff == SOURCE_CUTOFF ? "2/4" : "error",
                              .window = "kaiser_bessel",
                              .width = 2 * cutoff + 2,
                              .upsampling = 2,
                              .error = imaging_case_error(c, direction, 0, result),
                              .total = t.execute,
                              .setting = t.setting};
    for (int d = 0; d < 2; d++) free(x[d]);
    free(result);
    if (t.execute < 0) fail("NFFT3 made no plan");
    return row;
}

/* The least m that delivers the error. */
static int least_cutoff(const imaging_case *c, imaging_direction direction, double asked,
                        const imaging_clock *clock)
{
    int cutoff = 1;
    while (cutoff < SOURCE_CUTOFF && time_nfft3(c, direction, cutoff, 1, clock, 1).error > asked)
        cutoff++;
    return cutoff;
}

static int time_nfft3_ways(const imaging_case *c, imaging_direction direction, double asked,
                           const imaging_clock *clock, imaging_peer rows[4])
{
    const int cutoffs[2] = {SOURCE_CUTOFF, least_cutoff(c, direction, asked, clock)};
    int n = 0;
    for (int k = 0; k < (cutoffs[1] < SOURCE_CUTOFF ? 2 : 1); k++)
        for (int table = 0; table < 2; table++) {
            const imaging_peer once = time_nfft3(c, direction, cutoffs[k], table, clock, 1);
            const int turns = imaging_turns(clock, once.setting + once.total);
            rows[n++] = time_nfft3(c, direction, cutoffs[k], table, clock, turns);
        }
    return n;
}

static int time_finufft(const imaging_case *c, imaging_direction direction, double asked,
                        const imaging_clock *clock, imaging_peer *row)
{
    const double *input = imaging_case_input(c, direction);
    float *data = allocate(2 * c->n, sizeof *data), *result = allocate(2 * c->n, sizeof *result);
    float *radians[2];
    finufft_problem p = {.dim = 2,
                         .single = 1,
                         .type = direction == IMAGING_ADJOINT ? 1 : 2,
                         .modes = {c->side, c->side, 1},
                         .tolerance = asked,
                         .threads = clock->threads,
                         .processor_time = clock->threads == 1,
                         .n = c->n};
    for (int64_t i = 0; i < 2 * c->n; i++) data[i] = (float)input[i];
    for (int d = 0; d < 2; d++) {
        radians[d] = allocate(c->n, sizeof *radians[d]);
        for (int64_t j = 0; j < c->n; j++) radians[d][j] = (float)c->radians[d][j];
        p.radians[d] = radians[d];
    }
    const double once = finufft_time(&p, data, result, 1).seconds;
    const finufft_times t = finufft_time(&p, data, result, imaging_turns(clock, once));
    *row = (imaging_peer){.name = "finufft",
                          .layout = "error",
                          .window = "",
                          .upsampling = NAN,
                          .error = imaging_case_error(c, direction, 1, result),
                          .total = t.execute,
                          .setting = t.seconds - t.execute};
    free(data);
    free(result);
    for (int d = 0; d < 2; d++) free(radians[d]);
    return t.execute > 0;
}

int imaging_peers_time(const imaging_case *c, imaging_direction direction, double asked,
                       const imaging_clock *clock, imaging_peer rows[IMAGING_MOST_PEERS])
{
    int n = 0;
    if (peers.nfft3) n += time_nfft3_ways(c, direction, asked, clock, rows);
    if (peers.finufft) n += time_finufft(c, direction, asked, clock, &rows[n]);
    if (peers.cufinufft) n += imaging_cufinufft_time(c, direction, asked, clock, &rows[n]);
    return n;
}
