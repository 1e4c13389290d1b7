/*
 * npy.h - arrays in files of NumPy: doubles and complex doubles, little-endian, in C order.
 *
 * Source of the format: numpy.lib.format of NumPy's documentation, versions 1.0 to 3.0.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_NPY_H
#define IMAGING_NPY_H

#include <stdint.h>

enum { MOST_AXES = 4 };

typedef enum npy_type { NPY_DOUBLE, NPY_COMPLEX } npy_type;

typedef struct npy_array {
    int axes;
    int64_t shape[MOST_AXES];
    double *numbers; /* a complex number is two of them */
} npy_array;

/** Numbers of the array, complex ones counted once. */
int64_t npy_count(const npy_array *array);

/** "(4, 256, 2)" */
enum { MOST_SHAPE = 96 };
const char *npy_shape(const npy_array *array, char text[MOST_SHAPE]);

/** Reads a file. Ends the program, naming file, shape and remedy, if it is truncated, too long, of
 * another type or byte order, in Fortran order, or holds a number that is not finite. */
npy_array npy_read(const char *path, npy_type type);
void npy_free(npy_array *array);

/** Writes numbers of a shape. */
void npy_write(const char *path, npy_type type, int axes, const int64_t *shape,
               const void *numbers);

#endif
