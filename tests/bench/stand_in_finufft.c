/*
 * stand_in_finufft.c - a libfinufft.so whose results are zero and that refuses as FINUFFT 2.6 does.
 *
 * makeplan refuses a tolerance below its floor: by its status, and it leaves a pointer in *plan
 * that the caller must not use. setpts refuses a million points. A call with the refused plan, an
 * execution without points, a type 3 without targets or a type 1 or 2 with some abort the program.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCE_TOO_SMALL = 22, TOO_MANY_POINTS = 23, TOO_MANY = 1000000 };

typedef struct stand_in {
    int single, type, dim, modes;
    int64_t points, targets; /* -1: none set */
} stand_in;

static stand_in current_plan, refused_plan;

static stand_in *checked(void *plan)
{
    if (plan != &current_plan) abort(); /* the plan of a refused call */
    return plan;
}

static int make(int single, int type, int dim, const int64_t *modes, double least, double tolerance,
                void **plan)
{
    *plan = &refused_plan;
    if (tolerance < least) return TOLERANCE_TOO_SMALL;
    const int n = type == 3 ? 0 : (int)(modes[0] * modes[1] * modes[2]);
    current_plan = (stand_in){single, type, dim, n, -1, -1};
    *plan = &current_plan;
    return tolerance < 10 * least; /* a warning */
}

static int set_points(void *plan, int64_t n, const void *const x[3], int64_t n_targets,
                      const void *const s[3])
{
    stand_in *p = checked(plan);
    for (int d = 0; d < 3; d++)
        if (!x[d] != (d >= p->dim) || !s[d] != (d >= p->dim || p->type != 3)) abort();
    if ((n_targets > 0) != (p->type == 3)) abort();
    p->points = n >= TOO_MANY ? -1 : n;
    p->targets = n_targets;
    return n >= TOO_MANY ? TOO_MANY_POINTS : 0;
}

static int execute(void *plan, void *strengths, void *modes)
{
    const stand_in *p = checked(plan);
    if (p->points < 0) abort(); /* no points are set */
    const int64_t n = p->type == 1 ? p->modes : p->type == 2 ? p->points : p->targets;
    memset(p->type == 2 ? strengths : modes, 0, (size_t)n * (p->single ? 8 : 16));
    return 0;
}

#define EXPORTED __attribute__((visibility("default")))

#define STAND_IN(prefix, real, single, least)                                                      \
    EXPORTED void prefix##_default_opts(void *options);                                            \
    EXPORTED int prefix##_makeplan(int, int, const int64_t *, int, int, real, void **, void *);    \
    EXPORTED int prefix##_setpts(void *, int64_t, void *, void *, void *, int64_t, void *, void *, \
                                 void *);                                                          \
    EXPORTED int prefix##_execute(void *, void *, void *);                                         \
    EXPORTED int prefix##_destroy(void *);                                                         \
    void prefix##_default_opts(void *options)                                                      \
    {                                                                                              \
        (void)options;                                                                             \
    }                                                                                              \
    int prefix##_makeplan(int type, int dim, const int64_t *modes, int sign, int batch,            \
                          real tolerance, void **plan, void *options)                              \
    {                                                                                              \
        (void)sign, (void)batch, (void)options;                                                    \
        return make(single, type, dim, modes, least, (double)tolerance, plan);                     \
    }                                                                                              \
    int prefix##_setpts(void *plan, int64_t n, void *x, void *y, void *z, int64_t targets,         \
                        void *s, void *t, void *u)                                                 \
    {                                                                                              \
        return set_points(plan, n, (const void *const[3]){x, y, z}, targets,                       \
                          (const void *const[3]){s, t, u});                                        \
    }                                                                                              \
    int prefix##_execute(void *plan, void *strengths, void *modes)                                 \
    {                                                                                              \
        return execute(plan, strengths, modes);                                                    \
    }                                                                                              \
    int prefix##_destroy(void *plan)                                                               \
    {                                                                                              \
        (void)checked(plan);                                                                       \
        return 0;                                                                                  \
    }

STAND_IN(finufft, double, 0, 1e-14)
STAND_IN(finufftf, float, 1, 1e-5)
