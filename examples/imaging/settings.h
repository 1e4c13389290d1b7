/*
 * settings.h - what the command line asks for.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef IMAGING_SETTINGS_H
#define IMAGING_SETTINGS_H

#include <stdint.h>

/* X(NAME, name, help) */
#define COMMANDS(X)                                                                                \
    X(SIMULATE, "simulate", "write trajectory, weights, data, maps and truth of a phantom")        \
    X(RECONSTRUCT, "reconstruct", "make image.npy and image.png of such files")                    \
    X(TABLE, "table", "write table.csv: the error by window, width and upsampling")                \
    X(PICTURES, "pictures", "write the pictures of docs/images.md")

typedef enum command {
#define X(NAME, name, help) COMMAND_##NAME,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
} command;

#define METHODS(X)                                                                                 \
    X(GRIDDING, "gridding", "adjoint with weights")                                                \
    X(CG, "cg", "conjugate gradients with the Gram operator")

enum {
#define X(NAME, name, help) METHOD_##NAME,
    METHODS(X)
#undef X
        METHOD_COUNT
};

#define DENSITIES(X)                                                                               \
    X(FILE, "file", "weights.npy of the folder")                                                   \
    X(ITERATIVE, "iterative", "found from the samples by iteration")

enum {
#define X(NAME, name, help) DENSITY_##NAME,
    DENSITIES(X)
#undef X
        DENSITY_COUNT
};

typedef struct settings {
    int64_t command;
    const char *folder;
    int64_t phantom, trajectory, frames, coils, seed; /* of simulate */
    int64_t side;                                     /* simulate, table; 0: see the command */
    double reduction, noise;
    int64_t method, density, iterations; /* of reconstruct */
    double lambda, tolerance, upsampling;
    int64_t window, width;
    int64_t backend; /* an enuf_backend; of reconstruct, table */
} settings;

/** Reads the words. --help prints and ends the program, wrong words end it with one line. */
settings settings_read(int n_words, char **words);

#endif
