/* trajectories.c - the public functions: options, their checks, and the kind that does the work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "caller_options.h"
#include "memory.h"
#include "names.h"
#include "trajectory.h"

#include <math.h>
#include <stddef.h>

static const double MOST_SAMPLES = 1e15;

static const enuf_trajectory_functions *const kinds[] = {
    [ENUF_TRAJECTORY_RADIAL] = &enuf_radial_trajectory,
    [ENUF_TRAJECTORY_STACK_OF_STARS] = &enuf_stack_trajectory,
    [ENUF_TRAJECTORY_CONES] = &enuf_cone_trajectory,
    [ENUF_TRAJECTORY_RANDOM] = &enuf_random_trajectory,
    [ENUF_TRAJECTORY_CLUSTER] = &enuf_cluster_trajectory,
    [ENUF_TRAJECTORY_CARTESIAN] = &enuf_cartesian_trajectory,
};

ENUF_DEFINE_NAMES(enuf_trajectory_kind, ENUF_TRAJECTORY_KINDS, "trajectory")

void enuf_trajectory_options_init(enuf_trajectory_options *options)
{
    if (!options) return;
    *options = (enuf_trajectory_options){.struct_size = sizeof *options,
                                         .dim = 2,
                                         .modes = {-1, -1, -1},
                                         .reduction = 1,
                                         .period = 1};
}

static enuf_status check_box(const char *function, const enuf_trajectory_options *o)
{
    const enuf_trajectory_functions *kind = kinds[o->kind];
    for (int d = 0; d < o->dim; d++)
        if (o->modes[d] < 1)
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: modes[%d] is %lld: use 1 or more", function, d,
                             (long long)o->modes[d]);
    if (!(kind->full(o) <= MOST_SAMPLES))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: %s has %.2g samples without reduction: use modes for at most %g",
                         function, enuf_trajectory_kind_name(o->kind), kind->full(o), MOST_SAMPLES);
    return ENUF_SUCCESS;
}

/* Copies the caller's options and checks them. */
static enuf_status read_options(const char *function, const enuf_trajectory_options *given,
                                enuf_trajectory_options *o)
{
    const enuf_options_record record = {function, "enuf_trajectory_options_init", sizeof *o,
                                        offsetof(enuf_trajectory_options, seed) + sizeof o->seed};
    enuf_trajectory_options_init(o);
    ENUF_TRY(enuf_read_options(&record, given, o));
    const char *name = enuf_trajectory_kind_name(o->kind);
    if (!name)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: kind is %d: use one of ENUF_TRAJECTORY_KINDS",
                         function, (int)o->kind);
    if (o->dim < 1 || o->dim > 3)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: dim is %d: use 1, 2 or 3", function, o->dim);
    const int dims = kinds[o->kind]->dims;
    if (!(dims >> o->dim & 1))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: dim is %d: %s needs %s", function, o->dim, name,
                         dims >> 2 & 1 ? "2 or 3" : "3");
    if (!(o->reduction >= 1) || isinf(o->reduction))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: reduction is %g: use a number of at least 1",
                         function, o->reduction);
    if (!(o->period > 0) || isinf(o->period))
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: period is %g: use a number above 0", function,
                         o->period);
    return check_box(function, o);
}

enuf_status enuf_trajectory_count(const enuf_trajectory_options *options, int64_t *n,
                                  int64_t *readouts)
{
    enuf_trajectory_options o;
    ENUF_TRY(read_options("enuf_trajectory_count", options, &o));
    if (!n) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_trajectory_count: n is NULL");
    const enuf_trajectory_size size = kinds[o.kind]->size(&o);
    *n = size.samples;
    if (readouts) *readouts = size.readouts;
    return ENUF_SUCCESS;
}

enuf_status enuf_trajectory_fill(const enuf_trajectory_options *options, int64_t n, double *x,
                                 double *y, double *z, int64_t stride)
{
    enuf_trajectory_options o;
    ENUF_TRY(read_options("enuf_trajectory_fill", options, &o));
    const int64_t samples = kinds[o.kind]->size(&o).samples;
    if (n != samples)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_trajectory_fill: n is %lld, but there are %lld samples: use "
                         "enuf_trajectory_count()",
                         (long long)n, (long long)samples);
    if (!x || (o.dim > 1 && !y) || (o.dim > 2 && !z))
        return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_trajectory_fill: %s is NULL: give %d coordinates",
                         !x                ? "x"
                         : o.dim > 1 && !y ? "y"
                                           : "z",
                         o.dim);
    if (stride < 1 || !enuf_fits_in_memory(n, stride, sizeof *x))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "enuf_trajectory_fill: stride is %lld: use 1 or more, such that %lld "
                         "coordinates fit into memory",
                         (long long)stride, (long long)n);
    enuf_sample_sink sink = {{x, o.dim > 1 ? y : NULL, o.dim > 2 ? z : NULL}, stride, o.period};
    kinds[o.kind]->fill(&o, &sink);
    return ENUF_SUCCESS;
}
