/*
 * stand_in_finufft.c - a libfinufft.so that refuses what FINUFFT 2.6 refuses: a tolerance below its
 * floor by the status of makeplan, and by what is left in *plan, which nobody may use. A million
 * points are refused by setpts. SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCE_TOO_SMALL = 22, TOO_MANY_POINTS = 23, TOO_MANY = 1000000 };

typedef struct stand_in {
    int single, type, modes;
    int64_t points; /* -1: none set */
} stand_in;

static stand_in plan_of_now, nobodys;

static stand_in *checked(void *plan)
{
    if (plan != &plan_of_now) abort(); /* what a refused call has left */
    return plan;
}

static int make(int single, int type, const int64_t *modes, double least, double tolerance,
                void **plan)
{
    *plan = &nobodys;
    if (tolerance < least) return TOLERANCE_TOO_SMALL;
    plan_of_now = (stand_in){single, type, (int)(modes[0] * modes[1] * modes[2]), -1};
    *plan = &plan_of_now;
    return tolerance < 10 * least; /* a warning */
}

static int set_points(void *plan, int64_t n)
{
    stand_in *p = checked(plan);
    p->points = n >= TOO_MANY ? -1 : n;
    return n >= TOO_MANY ? TOO_MANY_POINTS : 0;
}

static int execute(void *plan, void *strengths, void *modes)
{
    const stand_in *p = checked(plan);
    if (p->points < 0) abort(); /* without points */
    const int64_t n = p->type == 1 ? p->modes : p->points;
    memset(p->type == 1 ? modes : strengths, 0, (size_t)n * (p->single ? 8 : 16));
    return 0;
}

#define SEEN __attribute__((visibility("default")))

#define STAND_IN(prefix, real, single, least)                                                      \
    SEEN void prefix##_default_opts(void *options);                                                \
    SEEN int prefix##_makeplan(int, int, const int64_t *, int, int, real, void **, void *);        \
    SEEN int prefix##_setpts(void *, int64_t, void *, void *, void *, int64_t, void *, void *,     \
                             void *);                                                              \
    SEEN int prefix##_execute(void *, void *, void *);                                             \
    SEEN int prefix##_destroy(void *);                                                             \
    void prefix##_default_opts(void *options)                                                      \
    {                                                                                              \
        (void)options;                                                                             \
    }                                                                                              \
    int prefix##_makeplan(int type, int dim, const int64_t *modes, int sign, int batch,            \
                          real tolerance, void **plan, void *options)                              \
    {                                                                                              \
        (void)dim, (void)sign, (void)batch, (void)options;                                         \
        return make(single, type, modes, least, (double)tolerance, plan);                          \
    }                                                                                              \
    int prefix##_setpts(void *plan, int64_t n, void *x, void *y, void *z, int64_t targets,         \
                        void *s, void *t, void *u)                                                 \
    {                                                                                              \
        (void)x, (void)y, (void)z, (void)targets, (void)s, (void)t, (void)u;                       \
        return set_points(plan, n);                                                                \
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
