/*
 * plan.h - a plan: a problem (type, modes, precision, tolerance), a method (window, width, fine
 * grid) and a backend's workspace. Internal to nufft/. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_NUFFT_PLAN_H
#define ENUF_NUFFT_PLAN_H

#include "backend.h"
#include "error.h"
#include "memory.h"
#include "windows/window.h"

/** How the transform is approximated; may be replaced without touching the problem. */
typedef struct enuf_method {
    enuf_window_form window;
    enuf_window_fit fit;
    int table_pieces;  /* of a cell, window_table.h; 0: no table */
    double upsampling; /* smallest grid/modes */
    int64_t grid[3];   /* 1 past dim */
    double error, gradient_error;
    double amplification; /* of white noise on the grid by 1/w: RMS over the modes */
    double rounding;      /* share of the grid's rounding in the error */
    double phase;         /* share of the rounding of folded coordinates */
    double additions;     /* to a cell before its sum goes on in two numbers: cpu/spread.c */
} enuf_method;

/** Where the modes of an axis stand, in both orders: modes 0, 1, ... from stored index `zero` on,
 * at frequencies 0, 1, ...; mode -k at stored index wrap - k, at frequency cells - k. */
typedef struct enuf_mode_places {
    int64_t cells;                  /* of the fine grid */
    int64_t non_negative, negative; /* modes */
    int64_t zero, wrap;
} enuf_mode_places;

/** One axis of the array of modes: the mode of each stored index. */
typedef struct enuf_mode_axis {
    int64_t n; /* stored modes: n_d, or h_1 on the half axis of real strengths */
    enuf_mode_places places;
    int64_t *frequency;  /* [n] index of the fine grid's transform */
    double *number;      /* [n] m */
    double *inverse;     /* [n] 1/w(m); 0 at the unpaired index of real strengths */
    int64_t n_frequency; /* fine grid's frequencies: grid, or grid/2 + 1 on the half axis */
    int64_t *stored;     /* [n_frequency] stored index of a frequency, -1: no mode; on a CPU along y
                            and z, else NULL; the next one too */
    int64_t *opposite;   /* [n] stored index of -m, -1 where it has none */
    int64_t n_inverse;   /* inverse_of [|m|] for the stages: |m| < n_inverse */
    double *inverse_of;
} enuf_mode_axis;

/** Factors that the caller has given to the points or to the modes. */
typedef struct enuf_weights {
    void *numbers; /* the plan's copy [sets][n], in its precision and memory; NULL: none */
    enuf_multiplier kind;
    int sets;  /* 1, or one for each vector of a batch */
    int64_t n; /* of a set */
} enuf_weights;

/** What the plan calls of a record that nufft/gram has added to it: its first member. */
typedef struct enuf_plan_gram {
    void (*destroy)(enuf_nufft *plan);
    int64_t (*bytes)(const enuf_nufft *plan);
    enuf_status (*check)(enuf_nufft *plan); /* as enuf_nufft_check() */
} enuf_plan_gram;

/** Level GRAM: the points' coordinates, as the caller gave them. coordinates.c */
typedef struct enuf_kept_coordinates {
    double *numbers; /* [dim][n], in the memory of the options */
    int64_t room;    /* points */
} enuf_kept_coordinates;

/** Runs in device memory. The room stays for later runs. runs.c */
typedef struct enuf_run_room {
    int64_t *first;       /* first point of each run; the backend's */
    void *numbers;        /* [dim][n] coordinates; indexed points read them again */
    int64_t room;         /* points that they hold */
    int64_t runs, points; /* of the last call without an error, for graphs; runs 0: none */
} enuf_run_room;

struct enuf_nufft {
    enuf_nufft_options options; /* resolved; owns fft_wisdom */
    int real;                   /* strengths are real */
    int type2_sign;
    /* Of the call in progress. They differ from sign, type2_sign and 0 in an adjoint only. */
    int forward_sign, backward_sign; /* of the exponent, to modes and to points */
    int adjoint;                     /* 1: takes the conjugate of all weights */
    int terms; /* 1: the vectors of the batch are terms of a sum, each with weights of its own. The
                  caller's arrays have one vector: all terms read it, or are added to it */
    enuf_weights point_weights, mode_weights;
    int64_t weight_sets; /* calls that have changed weights of points */
    int threads;
    int64_t n_modes; /* stored, one batch */
    enuf_method method;
    enuf_mode_axis axis[3];
    double frame[9], origin[3]; /* s = frame (x - origin), when has_frame */
    int has_frame;
    int64_t n_points;
    int64_t sets;      /* calls of set_points that have reached the backend */
    int64_t sets_void; /* the last of them whose points were lost to a new frame or a new reserve */
    int points_set, grid_filled, spectrum_filled;
    enuf_point_storage point_storage; /* in use; before the first points that of the options */
    enuf_kept_coordinates coordinates;
    enuf_plan_gram *gram; /* NULL before the first enuf_nufft_gram() */
    double seconds[ENUF_STAGE_COUNT];
    enuf_nufft **others; /* [n_others] plans of the other vectors, if each has its own points */
    int n_others;
    struct enuf_type3 *type3; /* NULL: type 1 and 2 */
    int64_t more_bytes;       /* of type 3, and of runs while their points are set */
    enuf_run_room run_room;
    const enuf_nufft_backend *backend;
    void *workspace; /* the backend's */
};

/** Bytes of a number in the plan's precision. */
static inline size_t enuf_number_size(const enuf_nufft *plan)
{
    return plan->options.precision == ENUF_FLOAT ? sizeof(float) : sizeof(double);
}

/** The plan of vector b, if each has its own points. */
static inline enuf_nufft *enuf_vector(enuf_nufft *plan, int b)
{
    return b == 0 ? plan : plan->others[b - 1];
}

/** Weights of vector b of the batch; NULL: none. */
static inline const void *enuf_weights_of(const enuf_nufft *plan, const enuf_weights *weights,
                                          int64_t b)
{
    const int64_t parts = weights->kind == ENUF_COMPLEX ? 2 : 1;
    const int64_t first = weights->sets > 1 ? b * weights->n * parts : 0;
    if (!weights->numbers) return NULL;
    return (const char *)weights->numbers + (size_t)first * enuf_number_size(plan);
}

/** Forgets the points: they have to be set again. */
static inline void enuf_nufft_void_points(enuf_nufft *plan)
{
    plan->points_set = 0;
    plan->sets_void = plan->sets;
}

/** A plan of type 1 and 2 of options that enuf_nufft_read_options() has read; *plan is NULL after
 * an error. make.c */
enuf_status enuf_plan_make(const enuf_nufft_options *options, enuf_nufft **plan);
/** The same by a method of the caller's, with its window fitted. make.c */
enuf_status enuf_plan_make_by(const enuf_nufft_options *options, const enuf_method *method,
                              enuf_nufft **plan);
void enuf_plan_free(enuf_nufft **plan);

/** Its frame and points, as enuf_nufft_set_frame() and enuf_nufft_set_points() set them. The
 * coordinates have passed enuf_check_coordinates(). points.c */
enuf_status enuf_plan_set_frame(enuf_nufft *plan, const double T[9], const double origin[3]);
enuf_status enuf_plan_set_points(enuf_nufft *plan, const enuf_coordinates *coordinates);

/** Level GRAM: room for the coordinates of n points, beside those that are kept; none at other
 * levels, and where there is enough. It counts as the plan's until settled: `keep` puts it in the
 * place of the old room, otherwise it goes. coordinates.c */
typedef struct enuf_fresh_coordinates {
    double *numbers;
    int64_t room_before;
} enuf_fresh_coordinates;
enuf_status enuf_coordinates_make(enuf_nufft *plan, int64_t n, enuf_fresh_coordinates *fresh);
void enuf_coordinates_settle(enuf_nufft *plan, enuf_fresh_coordinates *fresh, int keep);
/** Copies coordinates into the room. */
enuf_status enuf_coordinates_copy(enuf_nufft *plan, const enuf_coordinates *from);
void enuf_coordinates_free(enuf_nufft *plan);
/** Bytes of a point on the host, which no backend counts. */
int64_t enuf_coordinates_bytes_per_point(const enuf_nufft *plan);

/** Refuses a plan without what a call of `function` needs: a grid and points of types 1 and 2, and
 * weights for as many points. execute.c */
enuf_status enuf_plan_need(const enuf_nufft *plan, const char *function, int grid, int points);

/** Puts the vector before this thread's error text; returns `status`. points.c */
enuf_status enuf_fail_of_vector(enuf_status status, int vector);

/** Refuses arguments of set_points and set_targets; `names` of the axes. points.c */
enuf_status enuf_check_coordinates(const enuf_nufft *plan, const char *function, const char *names,
                                   const enuf_coordinates *coordinates);

/** ENUF_NOT_FINITE where one of n sums on the host is not. execute.c */
enuf_status enuf_check_sums(const enuf_nufft *plan, const char *function, int64_t n,
                            const double *sums);

/**
 * Sums of type 2, and of its adjoint, over the vectors of a batch. Their weights are not the plan's
 * and not copied: of_points [batch][n], of_modes [batch][modes], complex.
 *
 *   values[j] += sum_b of_points[b][j] sum_m of_modes[b][m] modes[m] exp(-sign 2 pi i m . s_j)
 *   modes[m]  += sum_b conj(of_modes[b][m]) sum_j conj(of_points[b][j]) values[j] exp(...)
 *
 * Complex strengths; arrays are in the memory that the backend works in. The room for it is made
 * with the points set. execute.c
 */
typedef struct enuf_terms {
    const void *of_points, *of_modes;
} enuf_terms;
enuf_status enuf_plan_make_terms(enuf_nufft *plan);
enuf_status enuf_plan_sum_to_points(enuf_nufft *plan, const enuf_terms *terms, const void *modes,
                                    void *values);
enuf_status enuf_plan_sum_to_modes(enuf_nufft *plan, const enuf_terms *terms, const void *values,
                                   void *modes);

/** Bytes held: the plan, its axes, the backend's workspace. */
int64_t enuf_nufft_bytes(const enuf_nufft *plan);

/** Chooses the method for options that enuf_nufft_check_options accepted. choose.c */
enuf_status enuf_choose_method(const enuf_nufft_options *options, enuf_method *method);

/** The same for a tolerance, without the window's polynomials; *met 0: none reaches it. choose.c */
enuf_status enuf_choose_grid(const enuf_nufft_options *options, enuf_method *method, int *met);

/** Fits polynomials to the window of a method, on its grid, and predicts its error. choose.c */
enuf_status enuf_fit_method(const enuf_nufft_options *options, enuf_method *method);

/** A width that most windows need for a tolerance: where to begin a search. choose.c */
int enuf_expected_width(double tolerance, double upsampling);

/** The least cost among the upsamplings with the expected widths. choose.c */
double enuf_expected_cost(const enuf_nufft_options *options);

/** Nanoseconds of one core (or of the GPU) for one spread and one FFT; for the spread alone. Of the
 * method they read the grid and the window's width. cost.c */
double enuf_method_cost(const enuf_nufft_options *options, const enuf_method *method);
double enuf_spreading_cost(const enuf_nufft_options *options, const enuf_method *method);
/** What the factors of a grid's lengths make of the time of its transform on the CPU: 1 in the
 * mean. fft_cost.c */
double enuf_fft_length_factor(const enuf_nufft_options *options, const int64_t grid[3]);

/** The method's error, and the rounding of sums over as many points as are set. choose.c */
double enuf_error_with_points(const enuf_nufft *plan);

/** The mean over `modes` modes, of aliases and of rounding's amplification squared, with room for a
 * draw that is larger, where few modes hold most: mean_square is the mean of their squares. */
double enuf_alias_with_room(double mean, double mean_square, double modes);
double enuf_rounding_with_room(double mean, double mean_square, double modes);

/** Sizes of an axis, without its arrays. modes.c */
void enuf_mode_axis_size(const enuf_nufft *plan, int d, enuf_mode_axis *axis);

/** 1: the axis has `stored` and `opposite`. modes.c */
int enuf_mode_axis_has_rows(const enuf_nufft *plan, int d);

/** Mode numbers, frequencies and deconvolution factors of an axis. modes.c */
enuf_status enuf_mode_axis_make(const enuf_nufft *plan, int d, enuf_mode_axis *axis);
void enuf_mode_axis_free(enuf_mode_axis *axis);

#endif
