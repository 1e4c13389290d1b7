/*
 * shortest_distance.h - the d of a crystal read from a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_SHORTEST_DISTANCE_H
#define ENUF_CLI_SHORTEST_DISTANCE_H

#include "structure.h"

/**
 * The shortest distance of two ions of opposite charge, images in all directions included. Errors:
 * ENUF_BAD_ARGUMENT if all charges have one sign, or if two ions of opposite charge coincide.
 */
enuf_status cli_shortest_distance(const enuf_structure *structure, double *distance);

#endif
