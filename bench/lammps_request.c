/* lammps_request.c - see lammps_request.h. SPDX-License-Identifier: BSD-3-Clause */
#include "lammps_request.h"

#include "options.h"

#include "enuf/status.h"

#include <stdlib.h>
#include <string.h>

void bench_lammps_request_read(bench_lammps_request *r, const char *values_option)
{
    char **argv = r->output.argv;
    const int argc = r->output.argc;
    const bench_option known[] = {BENCH_LIST("--ions", r->sizes, &r->n_sizes),
                                  BENCH_LIST(values_option, r->values, &r->n_values),
                                  BENCH_REAL("--skin", &r->skin),
                                  BENCH_INTEGER("--threads", &r->threads)};
    bench_read_options(&r->output, argc, argv, known, sizeof known / sizeof *known);
}

bench_sampled_salt bench_sampled_salt_make(const char *program, int64_t n, int count)
{
    bench_sampled_salt s = {.salt = bench_salt_make(n)};
    s.sample = bench_salt_sample(&s.salt, count);
    s.exact = malloc((size_t)count * 3 * sizeof *s.exact);
    s.forces = malloc((size_t)n * 3 * sizeof *s.forces);
    if (!s.exact || !s.forces) bench_die(program, "not enough memory for %lld ions", (long long)n);
    bench_progress("exact sums of %d of %lld ions", count, (long long)n);
    if (!bench_salt_exact_forces(&s.salt, count, s.sample, s.exact))
        bench_die(program, "%s", enuf_last_error());
    return s;
}

void bench_sampled_salt_free(bench_sampled_salt *s)
{
    free(s->forces);
    free(s->exact);
    free(s->sample);
    bench_salt_free(&s->salt);
}
