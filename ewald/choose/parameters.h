/*
 * parameters.h - input and output of the choice of parameters.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_PARAMETERS_H
#define ENUF_PARAMETERS_H

#include "private.h"
#include "structure_factor.h"

/* Range of the accuracy A; looser requests are treated as the loosest one. */
#define ENUF_TIGHTEST_ACCURACY 1e-13
#define ENUF_LOOSEST_ACCURACY  1e-2

/** The arithmetic of a GPU for AUTO. method.c */
ENUF_PRIVATE enuf_arithmetic enuf_arithmetic_for(double requested);

/** Range of cells and charges for which parameters serve without a new prediction (reach.c). */
typedef struct enuf_reach {
    double strain;   /* the largest |F - 1|_2, cell = before F; 0: nothing is known */
    double frame[9]; /* of the cell predicted */
    double k_c;
    int64_t n_charged;
    double requested, sum_q2;         /* at least */
    double grid_bound, concentration; /* at most */
} enuf_reach;

/** All parameters of the sums. Same bits on all ranks and for any number of threads. */
typedef struct enuf_parameters {
    enuf_splitting splitting;
    double k_c;  /* modes |k| <= k_c are kept */
    double kmax; /* k_c in units of 2 pi / V^(1/3), V of the cell that is summed (slab: extended) */
    int64_t modes[3]; /* odd: 2 floor(k_c |a_d| / 2 pi) + 1 */
    int64_t grid[3];  /* fine grid cells, >= modes + 1 */
    enuf_window window;
    int width;
    double shape;
    double others; /* share of the budget with which they were found, enuf_shares */
    enuf_reach reach;
    /* predicted RMS force errors in units of F_ref (as the accuracy A); predicted^2 is the sum of
     * the squares of the other five. mesh: mesh error by other charges; own: self-force.
     * is_predicted 0: the errors are of another cell or of other charges */
    int is_predicted;
    double predicted, real, truncation, mesh, own, rounding;
    double close; /* distance; rounding of positions in double matters for closer pairs */
    double f_ref; /* C (sum q^2/N)(N/V)^(2/3), in the caller's units */
    /* seconds of energy and forces on one core, by the cost model */
    double cost_pairs, cost_mesh;
} enuf_parameters;

typedef struct enuf_costs enuf_costs; /* costs.h */
typedef struct enuf_choice_request enuf_choice_request;

/** An evaluation that several GPUs share. seconds: of one evaluation with these parameters, of
 * which splitting.cutoff, k_c, modes, grid, width and the costs on one GPU are known. */
typedef struct enuf_shared_work {
    int devices;
    double (*seconds)(const struct enuf_shared_work *work, const enuf_choice_request *request,
                      const enuf_parameters *parameters);
} enuf_shared_work;

/** The only input of a choice (see "deterministic" in docs/conventions.md). */
struct enuf_choice_request {
    const enuf_ewald_options *options;
    const enuf_cell_geometry *cell; /* extended along c for a slab */
    double volume;                  /* of the cell given to set_cell, not extended */
    int64_t n_charged;              /* charges that are not 0 */
    double sum_q2;
    double grid_bound;    /* enuf_ewald_grid_bound() */
    double concentration; /* sum q^4/(sum q^2)^2 */
    double requested;     /* accuracy A */
    /* errors of the system over errors predicted for uncorrelated charges; `requested` is already
     * divided by it. Self-force and rounding are not scaled */
    double error_scale;
    const enuf_structure_factor *structure_factor; /* of the system */
    const enuf_costs *costs;
    const enuf_shared_work *shared_work; /* NULL: on one core, or one GPU */
};

/** Charges in a unit of volume. */
static inline double enuf_density(const enuf_choice_request *request)
{
    return (double)request->n_charged / request->volume;
}

/** Mean number of neighbours inside a cutoff, and the cutoff that has so many. */
double enuf_neighbours(double density, double cutoff);
double enuf_cutoff_for(double density, double neighbours);

/** Chooses all parameters; explicit options are kept. */
enuf_status enuf_choose_parameters(const enuf_choice_request *request, enuf_parameters *parameters);

/** The error of all five parts. */
double enuf_total_error(const enuf_parameters *parameters);

/** Predicts the errors of given parameters for the cell and charges of the request. */
enuf_status enuf_predict_error(const enuf_choice_request *request, enuf_parameters *parameters);

/** Updates only the fields that depend on cell and charges without sums over modes (close, f_ref,
 * costs). */
void enuf_describe_parameters(const enuf_choice_request *request, enuf_parameters *parameters);

/** Upper bounds of the errors in all cells within a strain of the request's cell. */
enuf_status enuf_bound_error(const enuf_choice_request *request, double strain,
                             enuf_parameters *parameters);

#endif
