/*
 * costs.h - the cost model: seconds of an evaluation on one CPU core or one GPU, from cost rates.
 * The library ships rates, or reads a file that `enuf tune --calibrate` wrote. It never uses
 * timings of a run, so equal requests get equal parameters. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_COSTS_H
#define ENUF_COSTS_H

#include "parameters.h"
#include "private.h"

enum {
    ENUF_COST_NEIGHBOURS = 8, /* numbers of neighbours inside the cutoff */
    ENUF_COST_SYSTEMS = 3,    /* numbers of ions */
    ENUF_COST_GRIDS = 32,     /* fine grids, by their edge */
    ENUF_COST_FILLS = 2,      /* upsampling factors */
    ENUF_COST_ACCURACIES = 2,
    ENUF_COST_WIDTHS = 13,
    ENUF_COST_DENSITIES = 3, /* ions in a cell of the grid */
    ENUF_COST_SPLITS = 2,    /* Gaussian, prolate */
};

/** Sizes at which the rates are measured; the model interpolates between them. */
extern const double enuf_cost_neighbours[ENUF_COST_NEIGHBOURS];
extern const double enuf_cost_systems[ENUF_COST_SYSTEMS];
extern const int64_t enuf_cost_grids[ENUF_COST_GRIDS];
extern const double enuf_cost_fills[ENUF_COST_FILLS]; /* upsampling factors */
extern const double enuf_cost_accuracies[ENUF_COST_ACCURACIES];
extern const int enuf_cost_widths[ENUF_COST_WIDTHS];
extern const double enuf_cost_densities[ENUF_COST_DENSITIES];
/** The system at which a CPU's rates an ion are measured: enuf_cost_systems[ENUF_COST_USUAL]. */
enum { ENUF_COST_USUAL = 1 };

/** Nanoseconds of energy and forces on one core or one GPU, in one arithmetic. */
typedef struct enuf_cost_rates {
    /* the pairs of an ion */
    double pairs[ENUF_COST_SPLITS][ENUF_COST_ACCURACIES][ENUF_COST_NEIGHBOURS];
    double pairs_apart[ENUF_COST_SYSTEMS]; /* additional cost in systems of other sizes */
    /* an ion: sorting, spreading, interpolating value and gradient; with few ions per cell it
     * includes the cost of the cells' tiles */
    double ion[ENUF_COST_DENSITIES][ENUF_COST_WIDTHS];
    double ion_apart[ENUF_COST_SYSTEMS];
    /* a cell of the grid: both FFTs, and modes; on grids larger than the caches it includes the
     * additional cost of ions */
    double transform[ENUF_COST_FILLS][ENUF_COST_GRIDS];
} enuf_cost_rates;

/** Nanoseconds of a message between ranks, and of each byte, while all ranks send. */
typedef struct enuf_message_costs {
    double message, byte; /* 0: not measured */
} enuf_message_costs;

struct enuf_costs {
    enuf_cost_rates rates[2]; /* double; float */
    enuf_message_costs messages;
    enuf_backend backend; /* whose they are */
};

/* costs_shipped.c and costs_shipped_cuda.c say how they were measured */
ENUF_PRIVATE extern const enuf_costs enuf_costs_shipped, enuf_costs_shipped_cuda;

/** The rates shipped for a backend. */
static inline const enuf_costs *enuf_costs_shipped_for(enuf_backend backend)
{
    return backend == ENUF_BACKEND_CUDA ? &enuf_costs_shipped_cuda : &enuf_costs_shipped;
}

/** Changes the rates shipped for GPUs to those of a GPU whose double is slow. */
void enuf_costs_on_slow_fp64(enuf_costs *costs);

/** The rates of double, or of mixed arithmetic. */
static inline const enuf_cost_rates *enuf_cost_rates_of(const enuf_costs *costs,
                                                        enuf_arithmetic arithmetic)
{
    return &costs->rates[arithmetic == ENUF_ARITHMETIC_MIXED];
}

/** The size >= least of a fine grid's axis with the fastest FFT. */
int64_t enuf_cheapest_grid(const enuf_choice_request *request, int64_t least);

/** Nanoseconds of a cell of a grid with so many modes. */
ENUF_PRIVATE double enuf_cost_of_cell(const enuf_cost_rates *rates, const int64_t modes[3],
                                      const int64_t grid[3]);

/** Seconds of the pairs inside a cutoff, of spreading, FFTs and interpolation on a mesh. */
double enuf_cost_of_pairs(const enuf_choice_request *request, enuf_split split, double cutoff);
double enuf_cost_of_mesh(const enuf_choice_request *request, const int64_t modes[3],
                         const int64_t grid[3], int width);

/** Seconds of an evaluation with costs on one core or GPU, or those of the shared work. */
double enuf_cost_of_evaluation(const enuf_choice_request *request,
                               const enuf_parameters *parameters);

/**
 * Measures the rates on this machine, one core or the GPU, with backend, device, FFT options and
 * log of the options (NULL: defaults). Messages are not measured: ewald/mpi does that.
 */
ENUF_PRIVATE enuf_status enuf_costs_measure(const enuf_ewald_options *options, enuf_costs *costs);

/** Reads rates from a file; missing rates of messages are the shipped ones. An error names file and
 * line and leaves *costs unchanged. */
enuf_status enuf_costs_read(const char *file, enuf_costs *costs);
/** Checks that the file can be written; writes nothing. */
ENUF_PRIVATE enuf_status enuf_costs_check_file(const char *file);
/** Writes the rates, all or none; rates of messages only if they are measured. */
ENUF_PRIVATE enuf_status enuf_costs_write(const char *file, const enuf_costs *costs);

#endif
