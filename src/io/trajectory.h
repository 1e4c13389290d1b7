/*
 * trajectory.h - the frames of a file, one after the other, with the memory of one.
 *
 *     enuf_trajectory *frames;
 *     ENUF_TRY(enuf_trajectory_open("run.lammpstrj", &options, &frames));
 *     for (int found = 1; found && status == ENUF_SUCCESS;) {
 *         status = enuf_trajectory_next(frames, &structure, &found);
 *         if (status == ENUF_SUCCESS && found) { ...; enuf_structure_free(&structure); }
 *     }
 *     enuf_trajectory_close(&frames);
 *
 * Formats with frames: extxyz, lammps-dump, pdb (models), gro. A file of another format is a
 * trajectory of one. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_TRAJECTORY_H
#define ENUF_TRAJECTORY_H

#include "charge_rules.h"
#include "structure.h"
#include "text.h"

/* How to read. All zeros: the file defines everything. */
typedef struct enuf_read_options {
    const char *format; /* one of ENUF_FORMATS; NULL: by the file's name, else by its content */
    const enuf_charge_rule *rules; /* [n_rules] charges by species; they override the file's */
    int n_rules;
    const double *cell;  /* [9] rows a, b, c in the file's length unit, for a file that gives none;
                            NULL: such a file is refused */
    int without_cell;    /* 1: it is not; it has a cell of zeros and is not periodic */
    int without_charges; /* 1: missing charges are 0; else a file without them is refused */
} enuf_read_options;

typedef struct enuf_trajectory enuf_trajectory;

/**
 * Opens a file ("-": the standard input). The caller owns path and the objects that options points
 * to. They have to exist until the trajectory is closed. Errors: ENUF_IO; ENUF_BAD_FILE with file
 * and line; ENUF_BAD_ARGUMENT for an unknown format.
 */
enuf_status enuf_trajectory_open(const char *path, const enuf_read_options *options,
                                 enuf_trajectory **trajectory);

/** The same from a text in memory, which is copied. */
enuf_status enuf_trajectory_open_text(const enuf_text *text, const enuf_read_options *options,
                                      enuf_trajectory **trajectory);

/**
 * Reads the next frame; *found is 0 behind the last one. `frame` is overwritten where one is found,
 * else untouched; release it with enuf_structure_free(). Its line numbers are those of the file.
 * Errors: as for enuf_read_structure(); after an error the trajectory can only be closed.
 */
enuf_status enuf_trajectory_next(enuf_trajectory *trajectory, enuf_structure *frame, int *found);

/** *done: bytes read so far. *total: bytes of the file; 0: not known. */
void enuf_trajectory_progress(const enuf_trajectory *trajectory, int64_t *done, int64_t *total);

void enuf_trajectory_close(enuf_trajectory **trajectory);

#endif
