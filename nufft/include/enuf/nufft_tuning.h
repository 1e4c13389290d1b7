/*
 * enuf/nufft_tuning.h - the fastest method for a plan on this machine: a list of candidates, their
 * predicted and measured times, wisdom that keeps what was found, and the aliasing of a method.
 *
 *     enuf_tuning_request request;
 *     enuf_tuning_request_init(&request);
 *     request.effort = ENUF_TUNE_MEASURE;
 *     request.type2 = 40;
 *     if (enuf_nufft_tune(&options, &request, n, x, y, z, 1, NULL) != ENUF_SUCCESS)
 *         die(enuf_last_error());
 *     enuf_nufft_create(&options, &plan);
 *
 * Serves types 1 and 2 with one point set, on both backends.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_TUNING_H
#define ENUF_NUFFT_TUNING_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A method: what a plan chooses, and what its options may give ---- */

/** A whole method. With it the options leave no choice to the plan. */
typedef struct enuf_nufft_method {
    size_t struct_size; /* sizeof(enuf_nufft_method), to be set before each call */
    enuf_window window;
    int width;            /* cells */
    double shape;         /* of the window; 0 of windows that have none */
    double upsampling;    /* smallest fine_grid / modes over the axes; set_method ignores it */
    int64_t fine_grid[3]; /* cells; past dim 1 */
    enuf_level level;     /* what the plan keeps of its points */
    enuf_strategy spreading, interpolation; /* AUTO: as the plan finds best for its points */
} enuf_nufft_method;

/** The method of a plan of type 1 and 2. Errors: ENUF_BAD_ARGUMENT; ENUF_UNSUPPORTED of type 3. */
ENUF_API enuf_status enuf_nufft_get_method(const enuf_nufft *plan, enuf_nufft_method *method);

/** Writes a method into the options; a plan of them has the bits of the plan that it came from if
 * the other options, the tolerance too, are the same. Error: ENUF_BAD_ARGUMENT; options stay. */
ENUF_API enuf_status enuf_nufft_set_method(enuf_nufft_options *options,
                                           const enuf_nufft_method *method);

/* ---- Wisdom: methods that were measured; an object of the caller's ---- */

typedef struct enuf_wisdom enuf_wisdom;

/** Makes an empty object. Error: ENUF_OUT_OF_MEMORY; *wisdom is NULL then. */
ENUF_API enuf_status enuf_wisdom_create(enuf_wisdom **wisdom);

/** Frees it and sets *wisdom to NULL; NULL is legal. */
ENUF_API void enuf_wisdom_destroy(enuf_wisdom **wisdom);

/** Adds the entries of `from`; of two for one problem, the one of more effort stays, then the
 * faster one. */
ENUF_API enuf_status enuf_wisdom_merge(enuf_wisdom *wisdom, const enuf_wisdom *from);

/**
 * Adds the entries of a file. Those of another processor or GPU, driver, FFT library or version of
 * enuf are kept for a later save, but serve no plan here: *skipped is their number. skipped may be
 * NULL.
 *
 * Errors: ENUF_IO; ENUF_BAD_FILE names line and column, nothing is loaded then.
 */
ENUF_API enuf_status enuf_wisdom_load(enuf_wisdom *wisdom, const char *path, int64_t *skipped);

/**
 * Writes the entries, and those that the file has, to the file as JSON. A new file takes the place
 * of the old one. Processes that save at once wait for each other (flock of the folder).
 *
 * Errors: ENUF_IO; ENUF_BAD_FILE if the file is there but holds no wisdom. The old file stays.
 */
ENUF_API enuf_status enuf_wisdom_save(const enuf_wisdom *wisdom, const char *path);

/** Number of entries, those of other machines too; 0 of NULL. */
ENUF_API int64_t enuf_wisdom_count(const enuf_wisdom *wisdom);

/* ---- Tuning ---- */

/* X(NAME, name, help), in ascending effort */
#define ENUF_TUNE_EFFORTS(X)                                                                       \
    X(ESTIMATE, estimate, "the cost model; nothing is timed (default)")                            \
    X(MEASURE, measure, "time those that the cost model finds near the best")                      \
    X(EXHAUSTIVE, exhaustive, "time every candidate")                                              \
    X(WISDOM_ONLY, wisdom_only, "what wisdom has; an error if it has nothing")

typedef enum enuf_tune_effort {
#define ENUF_X(NAME, name, help) ENUF_TUNE_##NAME,
    ENUF_TUNE_EFFORTS(ENUF_X)
#undef ENUF_X
} enuf_tune_effort;

/** Name of an effort, or NULL; effort of a name (ENUF_BAD_ARGUMENT lists them). */
ENUF_API const char *enuf_tune_effort_name(enuf_tune_effort effort);
ENUF_API enuf_status enuf_tune_effort_parse(const char *name, enuf_tune_effort *effort);

/**
 * Times one round of work: one set of points, then the calls of type 1, type 2 and the Gram
 * operator.
 *
 * options  of the candidate's plan
 * seconds  that a round took
 * bytes    that the plan held at most with its points
 *
 * ENUF_OUT_OF_MEMORY and ENUF_UNREACHABLE_ACCURACY leave the candidate out. Any other error ends
 * the tuning with that status.
 */
typedef enuf_status (*enuf_tune_timer)(void *context, const enuf_nufft_options *options,
                                       double *seconds, int64_t *bytes);

/** What to tune for. Fill with enuf_tuning_request_init(), then change what differs. */
typedef struct enuf_tuning_request {
    size_t struct_size;      /* sizeof(enuf_tuning_request), set by _init */
    enuf_tune_effort effort; /* [ENUF_TUNE_ESTIMATE] */
    double type1, type2;     /* calls for each set of points, 0 or more, up to 1e6 [1, 1] */
    int trials;            /* rounds of a candidate that may be the best, in turns with the others,
                              of which the fastest counts [3] */
    double time_limit;     /* seconds; no timing begins after it; 0: none [0] */
    int any_window;        /* 1: every window is a candidate, 0: options.window only [1] */
    enuf_wisdom *wisdom;   /* read first, and given what was measured; NULL: none [NULL] */
    enuf_tune_timer timer; /* in place of the library's own clock, for tests; NULL: own [NULL] */
    void *timer_context;   /* of the timer [NULL] */
    int any_level;         /* 1: every level is a candidate, 0: options.level only [1] */
    double gram;           /* calls of enuf_nufft_gram() for each set of points, up to 1e6; 0 leaves
                              level gram out [0] */
} enuf_tuning_request;

/** Fills `request` with the defaults in brackets above. */
ENUF_API void enuf_tuning_request_init(enuf_tuning_request *request);

/* X(NAME, text) */
#define ENUF_CANDIDATE_STATES(X)                                                                   \
    X(CHOSEN, "chosen")                                                                            \
    X(SLOWER, "slower")                                                                            \
    X(NOT_TIMED, "not timed")                                                                      \
    X(MISSES_TOLERANCE, "misses the tolerance")                                                    \
    X(TOO_MUCH_MEMORY, "too much memory")

typedef enum enuf_candidate_state {
#define ENUF_X(NAME, text) ENUF_CANDIDATE_##NAME,
    ENUF_CANDIDATE_STATES(ENUF_X)
#undef ENUF_X
} enuf_candidate_state;

/** Text of a state, or NULL. */
ENUF_API const char *enuf_candidate_state_text(enuf_candidate_state state);

/** One method that was looked at. */
typedef struct enuf_candidate {
    size_t struct_size; /* sizeof(enuf_candidate), to be set before the call */
    enuf_nufft_method method;
    enuf_candidate_state state;
    double error;             /* predicted relative l2 error (of gradients too, if asked for) */
    int64_t bytes;            /* with points; of the plan if it was made, else predicted. With calls
                                 of the Gram operator, what they hold for a time too */
    double predicted_seconds; /* of a round, by the cost model of one core over the threads, or of a
                                 GPU */
    double measured_seconds;  /* of a round, the fastest; 0: not timed */
    int timings;              /* rounds that were timed */
} enuf_candidate;

/** The candidates of a tuning, in ascending predicted time; then ways of the fastest. */
typedef struct enuf_tuning enuf_tuning;
/** Their number; 0 of NULL. */
ENUF_API int enuf_tuning_count(const enuf_tuning *tuning);
/** 1: nothing was looked at but wisdom. */
ENUF_API int enuf_tuning_from_wisdom(const enuf_tuning *tuning);
ENUF_API enuf_status enuf_tuning_get(const enuf_tuning *tuning, int i, enuf_candidate *candidate);
ENUF_API void enuf_tuning_destroy(enuf_tuning **tuning);

/**
 * Finds the fastest method and writes it into the options.
 *
 * options  the problem. A width, shape, upsampling or fine_grid other than 0 stays as it is; so do
 *          ways of a GPU other than AUTO, and window and level if the request says so. memory_limit
 *          holds for the plan with its points; without it `weights`, `matrix` and `gram` may bring
 *          the plan to half of the machine's memory, unless the level is fixed. On a GPU the choice
 *          is known to fit. tolerance must not be 0
 * request  NULL: the defaults
 * n, x, y, z, stride  points, as of enuf_nufft_set_points(), in options.memory. Strengths and modes
 *          that are timed are there too. x NULL: n random points with a fixed seed; n 0: as many as
 *          options.density tells
 * tuning   the list of candidates, to be destroyed by the caller; may be NULL
 *
 * Level gram is a candidate if the request has calls of the Gram operator, for complex strengths.
 * Its circulant is what enuf_gram_create() takes: the cheapest length, and no candidate of its own.
 * If it cannot be had, for the accuracy or the memory of what makes the spectrum, the other levels
 * are compared.
 *
 * ENUF_TUNE_MEASURE times candidates in ascending predicted time, each method of equal width, grid
 * and level once, up to 1.5 times the least predicted time, and what a plan chooses by itself. It
 * passes over a level after two of it that are no faster. Of those within 3 % of the fastest it
 * takes what a plan chooses by itself, or else the first; ENUF_TUNE_ESTIMATE does so with predicted
 * times. On a GPU the fastest is timed with each other way of spreading, then of interpolation, of
 * those that options leave to AUTO; AUTO stays unless another one gains 3 % (exhaustive: at all).
 * The fastest three are last timed in pairs of rounds: beside what a plan chooses by itself, where
 * one has to gain 3 % (exhaustive: at all) in most of its pairs; and beside one that has done so.
 * Wisdom of the same or more effort is taken without any timing: of this problem with as many
 * points, to a factor of two, whose neighbours in your order are as near.
 *
 * Errors, after which options, wisdom and *tuning (NULL) are as if nothing had been called:
 * ENUF_BAD_ARGUMENT; ENUF_NO_BACKEND; ENUF_UNSUPPORTED for type 3, no_grid, several point sets,
 * level gram alone with real strengths, level matrix alone with more points or cells than 32 bits
 * count, and for ENUF_TUNE_WISDOM_ONLY without an entry; ENUF_UNREACHABLE_ACCURACY if no candidate
 * meets the tolerance: the text has the least error and what would meet it; ENUF_OUT_OF_MEMORY if
 * none fits into memory_limit, or into the GPU: the text has the least need, its method and level;
 * those of the timer.
 */
ENUF_API enuf_status enuf_nufft_tune(enuf_nufft_options *options,
                                     const enuf_tuning_request *request, int64_t n, const double *x,
                                     const double *y, const double *z, int64_t stride,
                                     enuf_tuning **tuning);

/**
 * The aliasing of the method that a plan of these options has, without rounding.
 *
 * amplitude  the largest over the modes of sqrt(sum_{p != 0} w(theta + 2 pi p)^2) / |w(theta)|,
 *            theta = 2 pi m / fine_grid, w the Fourier transform of the window: the RMS error, over
 *            points anywhere, of a type 2 of that mode alone
 * l2         the RMS over the modes of the same: the relative l2 error of random modes
 *
 * Either may be NULL. Errors: those of enuf_nufft_create() for the method.
 * Source: T. Ou, UCB/EECS-2017-90, eq. 8; docs/theory.md, "Error of a transform".
 */
ENUF_API enuf_status enuf_nufft_aliasing(const enuf_nufft_options *options, double *amplitude,
                                         double *l2);

#ifdef __cplusplus
}
#endif
#endif
