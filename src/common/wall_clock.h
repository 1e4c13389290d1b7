/* wall_clock.h - seconds of a clock that only goes forward. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_WALL_CLOCK_H
#define ENUF_WALL_CLOCK_H

#include <time.h>

static inline double enuf_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
