/*
 * plan_points.h - the points of `enuf plan`: of a file, or samples of a trajectory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_PLAN_POINTS_H
#define ENUF_CLI_PLAN_POINTS_H

#include "settings.h"

typedef struct cli_plan_points {
    int64_t n;
    int dim;
    double *s;        /* [n][dim] in periods; owned, release with cli_plan_points_free() */
    int64_t readouts; /* of a trajectory; 0: of a file */
} cli_plan_points;

/**
 * Reads FILE, or makes the samples of KIND[:R], as --points says; *points is empty before. A kind
 * comes before a file of its name. Errors name the option, or the file and its line.
 */
enuf_status cli_plan_points_make(const cli_settings *settings, cli_plan_points *points);

void cli_plan_points_free(cli_plan_points *points);

#endif
