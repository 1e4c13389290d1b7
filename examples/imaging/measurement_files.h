/*
 * measurement_files.h - a measurement from the arrays of a folder; see imaging --help.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_MEASUREMENT_FILES_H
#define IMAGING_MEASUREMENT_FILES_H

#include "measurement.h"

/**
 * Reads trajectory.npy, data.npy, maps.npy where it is, and weights.npy unless without_weights; the
 * weights are then zero. Ends the program if shapes do not fit, if a sample lies outside the
 * image's part of k-space, or if no weight is above 0: it names array, shape and remedy.
 *
 * side  pixels along an axis; 0: as in maps.npy
 */
measurement measurement_read(const char *folder, int64_t side, int without_weights);

#endif
