/*
 * evaluation.h - one Ewald computation of a structure, with the options of the command line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CLI_EVALUATION_H
#define ENUF_CLI_EVALUATION_H

#include "enuf/nufft_tuning.h"
#include "progress.h"
#include "same_system.h"
#include "settings.h"
#include "structure.h"

/* Seconds. */
typedef struct cli_timing {
    double read, tune, real, reciprocal, total;
} cli_timing;

/* Work of each rank; n 0: the program runs without mpirun. */
typedef struct cli_rank_report {
    int n;
    enuf_decomposition decomposition;
    int devices;                     /* GPUs of all ranks; 0: CPUs */
    char transport[16];              /* transport between GPUs: enuf/ewald_mpi.h */
    int64_t *points, *cells, *bytes; /* [n] ions worked on, cells of fine grid held, bytes sent */
} cli_rank_report;

/* X(NAME, name): sources of the error of the energy. */
#define CLI_ERROR_SOURCES(X)                                                                       \
    X(PROMISED, promised)   /* docs/conventions.md, by the potentials of all ions */               \
    X(ESTIMATED, estimated) /* the same by those of a sample, or by charges and volume */          \
    X(MEASURED, measured)   /* against exact sums of all ions */

typedef enum cli_error_source {
#define ENUF_X(NAME, name) CLI_ERROR_##NAME,
    CLI_ERROR_SOURCES(ENUF_X)
#undef ENUF_X
} cli_error_source;

const char *cli_error_source_name(cli_error_source source);

typedef struct cli_evaluation {
    cli_rank_report ranks;
    enuf_ewald_result result; /* wanted arrays, owned here; the others are NULL */
    enuf_ewald_report report;
    enuf_ewald_error error;            /* sample 0: not measured */
    double energy_error, virial_error; /* virial_error: of each component */
    cli_error_source energy_source;
    cli_timing timing; /* the command sets read and total */
} cli_evaluation;

/* Input of a computation. */
typedef struct cli_request {
    const enuf_ewald_options *options;
    const enuf_structure *structure;
    const enuf_exclusions *exclusions; /* NULL: none */
    int wanted;                        /* ENUF_WANT_... */
    int calibrate;                     /* 1: the error estimate is calibrated by the positions */
    enuf_wisdom *wisdom;               /* has the parameters; NULL: they are chosen */
    int64_t sample;                    /* atoms to measure the error on, 0: none */
    enuf_decomposition decomposition;  /* on many ranks */
    int file;                          /* number of the input */
} cli_request;

/* Any seed serves; a fixed one makes the measurement repeatable. */
#define CLI_SAMPLE_SEED UINT64_C(20240229)

enum { CLI_EVALUATION_STEPS = 4 };

/**
 * An Ewald object for a series of evaluations. The first evaluation chooses its parameters. Another
 * system (same_system.h) gets a new object. An evaluator of zeros is empty.
 */
typedef struct cli_evaluator {
    enuf_ewald *ewald;
    cli_system system;
} cli_evaluator;

/** The system of a request. */
cli_system cli_request_system(const cli_request *request);

/** Whether the evaluator is for the request's system. */
int cli_evaluator_serves(const cli_evaluator *evaluator, const cli_request *request);

/** Computes like cli_evaluate(), with the evaluator's object. After an error the evaluator is
 * empty. */
enuf_status cli_evaluator_next(cli_evaluator *evaluator, const cli_request *request,
                               cli_progress *progress, cli_evaluation *evaluation);

/** On all ranks of mpirun. */
void cli_evaluator_end(cli_evaluator *evaluator);

/**
 * Computes. Steps `progress` CLI_EVALUATION_STEPS times unless it is NULL. Release with
 * cli_evaluation_free(); after an error there is nothing to release.
 */
enuf_status cli_evaluate(const cli_request *request, cli_progress *progress,
                         cli_evaluation *evaluation);

/** First step of an evaluation: allocates the requested arrays. */
enuf_status cli_evaluation_begin(const cli_request *request, cli_evaluation *evaluation);

/** Computes the two halves one after the other, so that each is timed and shown; `after` (NULL:
 * nothing) follows each. Then measures the error, if that is requested. */
typedef enuf_status cli_after_half(enuf_ewald *ewald, cli_evaluation *evaluation);
enuf_status cli_evaluation_compute(const cli_request *request, int is_first, enuf_ewald *ewald,
                                   cli_after_half *after, cli_progress *progress,
                                   cli_evaluation *evaluation);

/** Last step of an evaluation: computes the errors of energy and virial. */
void cli_evaluation_judge(const cli_request *request, cli_evaluation *evaluation);

void cli_evaluation_free(cli_evaluation *evaluation);

/** ENUF_NO_BACKEND, with the reason, if the requested backend cannot be used here. */
enuf_status cli_check_backend(const cli_settings *settings);

/**
 * ENUF_WANT_ATOM_ENERGY if it is cheap: for few ions, or if other per-ion results are requested.
 * The promised error of the energy is then exact. Otherwise 0, and the promised error is estimated.
 */
int cli_wants_shares(const enuf_structure *structure, int wanted);

/** Warns of frames in the file that were not read. */
void cli_warn_of_frames(const cli_settings *settings, const enuf_structure *structure);

/** Whether a net charge is beyond the rounding of the charges. */
int cli_is_charged(const enuf_structure *structure, double net_charge);

/** Warns of a net charge beyond the rounding of the charges. */
void cli_warn_of_charge(const cli_settings *settings, const enuf_structure *structure,
                        double net_charge);

/** Warns if the predicted error exceeds the requested one. */
void cli_warn_of_accuracy(const cli_settings *settings, const enuf_ewald_report *report);

#endif
