/* lammps_request.c - see lammps_request.h. SPDX-License-Identifier: BSD-3-Clause */
#include "lammps_request.h"

#include "enuf/status.h"

#include <stdlib.h>
#include <string.h>

void bench_lammps_request_read(bench_lammps_request *r, const char *values_option)
{
    const char *program = r->output.program;
    char **argv = r->output.argv;
    const int argc = r->output.argc;
    for (int i = 1; i < argc; i++) {
        if (bench_output_argument(&r->output, argc, argv, &i)) continue;
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--ions") == 0)
            r->n_sizes = bench_numbers(program, value, r->sizes);
        else if (strcmp(argv[i], values_option) == 0)
            r->n_values = bench_numbers(program, value, r->values);
        else if (strcmp(argv[i], "--skin") == 0)
            r->skin = atof(value);
        else if (strcmp(argv[i], "--threads") == 0)
            r->threads = atoi(value);
        else
            bench_die(program, "'%s' is no option; see the head of its source", argv[i]);
        i++;
    }
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
