/*
 * enuf/ewald.h - Coulomb energy, forces and virial of charges in a periodic cell, by an Ewald
 * splitting whose reciprocal part goes through non-uniform FFTs (the ENUF method).
 *
 *     E = 1/2 sum_i q_i phi_i,   times the Coulomb constant of the caller's units.
 *
 *     enuf_ewald_options options;
 *     enuf_ewald_options_init(&options);
 *     options.accuracy = 1e-6;
 *     enuf_ewald *ewald;
 *     if (enuf_ewald_create(&options, &ewald) != ENUF_SUCCESS) die(enuf_last_error());
 *     enuf_ewald_set_cell(ewald, cell);
 *     enuf_ewald_set_charges(ewald, n, charges, NULL);
 *     enuf_ewald_tune(ewald, NULL, 0);
 *     enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
 *     enuf_ewald_compute(ewald, positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result);
 *     enuf_ewald_destroy(&ewald);
 *
 * Ranks of MPI: enuf_ewald_create_mpi() of enuf/ewald_mpi.h makes the same object on all of them.
 *
 * Formulas and their sources: docs/theory.md. Signs, units, virial order: docs/conventions.md.
 * An object may be used by one thread at a time; different objects by different threads.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_H
#define ENUF_EWALD_H

#include "enuf/decomposition.h"
#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, help) */
#define ENUF_SPLITS(X)                                                                             \
    X(AUTO, auto, "the cheaper one")                                                               \
    X(GAUSSIAN, gaussian, "erfc, as in all coul/long pair styles")                                 \
    X(PROLATE, prolate, "prolate spheroidal: smaller grids at equal accuracy")

typedef enum enuf_split {
#define ENUF_X(NAME, name, help) ENUF_SPLIT_##NAME,
    ENUF_SPLITS(ENUF_X)
#undef ENUF_X
} enuf_split;

/* X(NAME, name, help) */
#define ENUF_ARITHMETICS(X)                                                                        \
    X(AUTO, auto, "double on the CPU; on a GPU mixed where A >= 1e-5, else double")                \
    X(DOUBLE, double, "everything in double")                                                      \
    X(MIXED, mixed, "mesh and pairs in float, coordinates and sums in double")                     \
    X(BY_ACCURACY, by_accuracy, "mixed where A >= 1e-5, else double, on CPUs too")

typedef enum enuf_arithmetic {
#define ENUF_X(NAME, name, help) ENUF_ARITHMETIC_##NAME,
    ENUF_ARITHMETICS(ENUF_X)
#undef ENUF_X
} enuf_arithmetic;

/* Receives one line of text, without a newline, about long work such as exact sums. Runs in the
 * thread that called the library. */
typedef void (*enuf_log)(void *context, const char *text);

/** Options. Fill with enuf_ewald_options_init(), then change what differs; 0 means "choose". */
typedef struct enuf_ewald_options {
    size_t struct_size; /* sizeof(enuf_ewald_options), set by _init */

    /*
     * The accuracy, in one of three ways. The first that is not 0 counts: set `accuracy` to 0 to
     * use another.
     *
     * accuracy         A = RMS error of the force vector / F_ref, 1e-2 ... 1e-13;
     *                  F_ref = C (sum q^2/N) (N/V)^(2/3), the force between two average charges at
     *                  their mean distance; N counts the charges that are not 0; V is the volume of
     *                  the cell of set_cell.
     *
     * force_error      RMS error of the force vector, absolute, in the caller's units.
     *
     * lammps_accuracy  LAMMPS' relative accuracy: RMS error over all atoms as a fraction of the
     *                  force of two unit charges at unit distance.
     */
    double accuracy; /* [1e-6] */
    double force_error;
    double lammps_accuracy;
    double coulomb; /* C of the caller's units: E = C q_i q_j / r [1] */

    /* values given here are kept; the accuracy chooses the others */
    enuf_split split;
    double cutoff; /* of the real-space sum, in the caller's lengths */
    double alpha;  /* Gaussian splitting parameter, 1/length */
    double c;      /* prolate bandwidth: the reciprocal sum ends at k = c / cutoff */
    double kmax;   /* keep modes |k| <= 2 pi kmax / V^(1/3), V extended for a slab */
    /* fine grid cells along a, b, c of the cell as given. A grid that is too small for the accuracy
     * limits kmax; the report's `predicted` is then above `requested` */
    int64_t grid[3];
    enuf_window window;
    int width;    /* of the window, cells */
    double shape; /* of the window */

    double surroundings; /* dielectric constant around the sphere of cells; 0: tinfoil; 1: vacuum */
    double slab;         /* EW3DC: factor >= 1 that extends the cell along z; 0: none */
    int keep_net_force;  /* 1: leave the mesh's small net force; 0: subtract its mean [0] */
    int truncated;       /* 1: energy and virial never include modes beyond kmax [0] */

    /* ENUF_ARITHMETIC_AUTO (on a GPU) and _BY_ACCURACY choose double or mixed at the first choice
     * of parameters and in enuf_ewald_tune(); the report has the result. A later change of the cell
     * may replace mixed by double, never double by mixed [ENUF_ARITHMETIC_AUTO] */
    enuf_arithmetic arithmetic;
    enuf_backend backend; /* [ENUF_BACKEND_AUTO] */
    enuf_isa isa;         /* instruction set of the cpu backend's kernels; deterministic ranks take
                             the least of theirs [ENUF_ISA_AUTO] */
    enuf_memory memory;   /* where positions and per-atom results live, see enuf_ewald_compute();
                             charges: enuf_ewald_set_charges(); the cell, and the result's sums
                             without result->totals, live on the host [ENUF_HOST] */
    int device;           /* GPU ordinal; -1: the caller's current one [-1] */
    void *stream;         /* cudaStream_t of all work on the GPU [NULL] */
    int threads;          /* as in enuf_nufft_options [0] */
    int deterministic;    /* see docs/conventions.md [0] */
    enuf_fft_effort fft_effort;
    const char *fft_wisdom;
    int64_t memory_limit;
    /* cost rates from enuf_ewald_calibrate_machine(); create() reads the file; NULL: shipped rates.
     * Parameters depend on the rates, with `deterministic` as well: use one file on all ranks and
     * machines. */
    const char *calibration_file;
    enuf_log log;
    void *log_context;
    /* Number of evaluations that will use the parameters; 0: many. If it is small, the choice is
     * made so that choosing and evaluating together take the least time. enuf_ewald_tune() adds the
     * energy of the modes left out for any number. [0] */
    int64_t evaluations;
    /* How the ranks share the modes (enuf/ewald_mpi.h). One process refuses
     * ENUF_DECOMPOSITION_DISTRIBUTED. Deterministic sums always use replicated modes; the ranks'
     * report names the decomposition in use. On GPUs each part of a distributed grid is a number of
     * whole planes: if there are more GPUs than planes, some GPUs hold no cells and compute pairs
     * only [ENUF_DECOMPOSITION_AUTO] */
    enuf_decomposition decomposition;
    /* library of the cpu backend's FFTs; ranks take the one of rank 0, which all must have
     * [ENUF_FFT_AUTO] */
    enuf_fft fft;
} enuf_ewald_options;

ENUF_API void enuf_ewald_options_init(enuf_ewald_options *options);

typedef struct enuf_ewald enuf_ewald;

/**
 * Pairs with a weighted interaction: bonded atoms. List each pair once; the weight applies to its
 * nearest images. The sums first include the pair in full and then subtract its excluded share, so
 * the two atoms must not be at one place.
 */
typedef struct enuf_exclusions {
    int64_t n;
    const int64_t *pairs;  /* [n][2] */
    const double *weights; /* [n]: 0 removes the pair, 1 leaves it; NULL: all 0 */
} enuf_exclusions;

/** Makes an object of one process. Errors: ENUF_BAD_ARGUMENT, ENUF_NO_BACKEND, ENUF_OUT_OF_MEMORY.
 */
ENUF_API enuf_status enuf_ewald_create(const enuf_ewald_options *options, enuf_ewald **ewald);
ENUF_API void enuf_ewald_destroy(enuf_ewald **ewald);

/**
 * Sets the cell: rows a, b, c [3][3], any orientation, right- or left-handed, any tilt. Positions
 * are Cartesian in the same frame. The origin does not matter, except along z of a slab. The object
 * keeps its parameters as long as they reach the accuracy, else it chooses again.
 *
 * Results depend on the lattice only. Modes and grid are counted along its shortest vectors (of a
 * slab: along the shortest of a and b, and c); the report names them. With options.grid they are
 * counted along a, b, c as given.
 *
 * Errors: ENUF_BAD_ARGUMENT for a flat cell, or if the length of a vector is not between 1e-40 and
 * 1e40. A cell so thin or long that its sums would be too long is refused when parameters are
 * chosen.
 */
ENUF_API enuf_status enuf_ewald_set_cell(enuf_ewald *ewald, const double cell[9]);

/**
 * Sets charges [n] and exclusions (NULL: none); both are copied. Parameters stay where the sums
 * over the charges do: charges in another order need no new choice, but their exclusions anew.
 *
 * Arrays live on the host. With options.memory ENUF_DEVICE each array may live on the device
 * instead; the library asks CUDA where a pointer points to. It reads device arrays on the stream,
 * after earlier work there; later work on the stream may change them. The device sums and checks
 * charges of its memory, to the bits of the host's sums, and lists exclusions of its memory. They
 * come to the host when tune(), verify(), the first compute() after a choice, or measure_error()
 * compares with a reference. Arrays of MPI ranks are copied to the host, and exclusions on the
 * device if the charges are on the host.
 *
 * Before the first evaluation, for another number of charges, and with `deterministic` the call
 * waits for one copy of 96 bytes. Else it returns at once, and the sums come with the next result.
 * Parameters then serve the former sums. If they do not serve the new ones, compute() or finish()
 * chooses and evaluates once more before it returns. If the charges are refused, that call returns
 * the error, and the object has no charges until they are set again.
 *
 * Errors: ENUF_BAD_ARGUMENT, ENUF_OUT_OF_MEMORY; ENUF_NOT_FINITE, with the index of the first
 * charge that is not; ENUF_BAD_MEMORY for arrays of another device, and of any device if
 * options.memory is ENUF_HOST. After an error of this call the former charges stay.
 */
ENUF_API enuf_status enuf_ewald_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                            const enuf_exclusions *exclusions);

/**
 * Chooses the parameters for the accuracy. compute() does this itself when needed, without
 * positions, and verifies the choice (see enuf_ewald_verify()). Call it to see errors early, or to
 * choose by positions.
 *
 * positions  [n][stride] in the memory of options.memory, or NULL.
 *
 *            NULL: the error is estimated for uncorrelated charges. Most systems have a smaller
 *            error.
 *
 *            Given, 1: the error is estimated for the charge structure factor of the positions. It
 *            is then measured: on 128 atoms against exact sums, or, with more than 10000 charges,
 * on all atoms against a finer mesh. Parameters are chosen so that the measured error meets the
 * request. The error scale stays in use when the cell changes, until another number of charges is
 * set. Takes a third of a second for 10000 charges, mostly for exact sums, and four to seven
 * evaluations for a million.
 *
 *            Given, 2: with the Gaussian splitting, energy and virial then include the modes beyond
 *            kmax, by the structure factor of these positions (the report's energy_tail). Forces do
 *            not change. An atom's part is proportional to the square of its charge. Takes two to
 *            four evaluations. They stay when less than a tenth of the charges come or go.
 *
 *            Both are skipped for accuracies below 1e-11, and with `deterministic`, because its
 *            results must not depend on other positions. The first is skipped if
 *            options.evaluations is too small to repay it.
 *
 * Errors: ENUF_UNREACHABLE_ACCURACY, ENUF_OUT_OF_MEMORY, ENUF_NO_POINTS_SET (cell or charges).
 */
ENUF_API enuf_status enuf_ewald_tune(enuf_ewald *ewald, const double *positions, int64_t stride);

/**
 * Verifies the chosen parameters at positions [n][stride], in the memory of options.memory. Forces
 * and energy of all atoms are compared with exact sums (up to 200 charges; the virial too) or with
 * the other splitting on a mesh that is twenty times as accurate. If the error exceeds the request,
 * parameters are chosen again until it does not; explicit options stay. If no choice has a smaller
 * error, the first choice stays, and the report's `predicted` is the error found. If nothing is
 * chosen yet, the call chooses first.
 *
 * Each choice is verified once: further calls do nothing until parameters are chosen again.
 * compute() and begin() verify at their first positions. This takes a quarter of the time of the
 * choice, and three (1000 charges) to six (30000 charges) evaluations; as much again, and a choice,
 * if parameters are chosen again. With options.evaluations compute() and begin() skip it if it
 * would take more than a tenth of these evaluations.
 *
 * A host that sums the pairs itself calls this before it reads the splitting from the report,
 * because real() and reciprocal() never change the splitting. If options give the splitting
 * (cutoff, and alpha or c), reciprocal() and begin_reciprocal() verify each choice of the other
 * parameters, as compute() does; a new cell or new charges in the middle of a run may cause one.
 *
 * With `deterministic`, or for accuracies below 1e-11, the error is only reported. Nothing is
 * compared below 2e-12 with more than 200 charges.
 *
 * Errors: those of enuf_ewald_tune() and, of the positions, of enuf_ewald_compute().
 */
ENUF_API enuf_status enuf_ewald_verify(enuf_ewald *ewald, const double *positions, int64_t stride);

/**
 * Adds the modes beyond kmax to energy and virial, by the structure factor of positions
 * [n][stride], as enuf_ewald_tune() does ("Given, 2"), but keeps the parameters. Positions are in
 * the memory of options.memory. If nothing is chosen yet, the call chooses first. The share stays
 * in use until positions are given again, enuf_ewald_tune() is called without positions, or the
 * number of charges differs by more than a tenth from that of the positions. Takes two to four
 * evaluations.
 *
 * Adds nothing with the prolate splitting, `truncated`, or `deterministic`, and for accuracies
 * below 1e-11. Errors: those of enuf_ewald_tune() and, of the positions, of enuf_ewald_compute().
 */
ENUF_API enuf_status enuf_ewald_measure_tail(enuf_ewald *ewald, const double *positions,
                                             int64_t stride);

/** Parameters that serve the accuracy. They may be given as explicit options, with the report's
 * basis as the cell. */
typedef struct enuf_ewald_candidate {
    size_t struct_size;
    int chosen; /* 1: in use */
    enuf_split split;
    double alpha, c; /* the one of the splitting; the other is 0 */
    double cutoff, kmax;
    int64_t modes[3], grid[3];
    enuf_window window;
    int width;
    double shape;
    double predicted; /* error, as accuracy A */
    /* by the cost model: energy and forces, on one core or on the GPU */
    double seconds_real, seconds_reciprocal;
} enuf_ewald_candidate;

/**
 * Lists the candidates of the choice: first the parameters in use, then the others by ascending
 * cost, up to `dearest` times the cheapest. If nothing is chosen yet, the call chooses first.
 *
 * dearest     at least 1; 2 lists some dozens
 * candidates  [capacity]; set struct_size of the first
 * n           number of candidates written; 0 without charges
 */
ENUF_API enuf_status enuf_ewald_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                                enuf_ewald_candidate *candidates, int64_t *n);

/**
 * Measures the cost rates of this machine, on one core (about a quarter of a minute) or on the GPU,
 * and writes them to `file`, for options.calibration_file. Choices use this file or the rates that
 * the library ships; they never use timings of a run.
 *
 * options  backend, device, FFT options and log count; NULL: defaults. The log receives eight
 * lines.
 *
 * Errors: ENUF_IO, ENUF_OUT_OF_MEMORY, ENUF_NO_BACKEND.
 */
ENUF_API enuf_status enuf_ewald_calibrate_machine(const enuf_ewald_options *options,
                                                  const char *file);

/* What to compute: a mask. Energy includes its parts. */
enum {
    ENUF_WANT_ENERGY = 1,
    ENUF_WANT_FORCES = 2,
    ENUF_WANT_VIRIAL = 4,
    ENUF_WANT_ATOM_ENERGY = 8,
    ENUF_WANT_ATOM_VIRIAL = 16,
    ENUF_WANT_POTENTIAL = 32,
    ENUF_WANT_FIELD = 64
};

/** Parts of the energy; they sum to it. */
typedef struct enuf_ewald_parts {
    double real;       /* pairs inside the cutoff, excluded pairs included */
    double reciprocal; /* modes */
    double self;
    double background; /* of the uniform charge that neutralises a net charge */
    double surface;    /* dipole term of the boundary dielectric, or of a slab */
    double excluded;   /* minus the excluded shares of the pairs */
} enuf_ewald_parts;

/** The sums of an evaluation, in device memory: as in enuf_ewald_result. */
typedef struct enuf_ewald_totals {
    double energy;
    enuf_ewald_parts parts;
    double virial[6];
    double net_force[3];
} enuf_ewald_totals;

/** Results; energies in C q^2/length. The arrays belong to the caller; only wanted ones change. */
typedef struct enuf_ewald_result {
    size_t struct_size; /* sizeof(enuf_ewald_result) */
    int add;            /* 1: add to arrays and sums instead of overwriting */
    double energy;
    enuf_ewald_parts parts;
    double virial[6];    /* W_ab = -dE/d strain_ab: xx, yy, zz, xy, xz, yz */
    double net_force[3]; /* of the mesh, before its mean was subtracted */
    double *forces;      /* [n][3] */
    double *atom_energy; /* [n], sums to energy */
    double *atom_virial; /* [n][6], sums to virial */
    double *potential;   /* [n], times C: energy of a unit charge */
    double *field;       /* [n][3], -gradient of the potential */
    /* in device memory: receives energy, parts, virial and net force, those wanted, in place of the
     * fields above, see enuf_ewald_compute(); NULL: not wanted */
    enuf_ewald_totals *totals;
} enuf_ewald_result;

/**
 * Computes all terms. Positions [n][stride], stride >= 3, may lie anywhere in space. They and the
 * arrays of the result live in the memory of options.memory; managed memory serves as either.
 *
 * In device memory the work runs on the stream, after earlier work. compute() waits for its end,
 * because sums and errors come to the host; begin() only enqueues it. After an error of the data
 * (positions that are not finite, two charges at one place) the arrays on the device are undefined.
 *
 * With result->totals, in device memory too, compute(), real() and reciprocal() only enqueue the
 * work; later work on the stream may read all results. enuf_ewald_check() waits and reports errors
 * of the data. Until it succeeds, results may be wrong. Calls that choose parameters wait: the
 * first one, and one after a large change of the cell. Ranks of MPI and begin() refuse
 * result->totals.
 *
 * On a GPU the second call with the same arrays, mask, cell and charges records a CUDA graph, and
 * later calls replay it. Small systems gain most: keep positions and results at one address. If
 * they move, the library notices.
 */
ENUF_API enuf_status enuf_ewald_compute(enuf_ewald *ewald, const double *positions, int64_t stride,
                                        int wanted, enuf_ewald_result *result);

/** Only the pairs inside the cutoff, and the exclusions. */
ENUF_API enuf_status enuf_ewald_real(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int wanted, enuf_ewald_result *result);

/** Only the modes, and the terms self, background and surface. */
ENUF_API enuf_status enuf_ewald_reciprocal(enuf_ewald *ewald, const double *positions,
                                           int64_t stride, int wanted, enuf_ewald_result *result);

/**
 * compute() in two halves, so that the caller can work in between. Do not change positions,
 * charges, cell and result between them; other calls are refused. finish() gives the results of
 * compute(), with the same bits if options.deterministic is set. On a GPU begin() enqueues all
 * work, and finish() waits for it and reports errors of the positions; so do ranks that share one
 * GPU. On a CPU and on other ranks begin() checks the request and chooses parameters where there
 * are none, and finish() does the work, which needs all ranks.
 */
ENUF_API enuf_status enuf_ewald_begin(enuf_ewald *ewald, const double *positions, int64_t stride,
                                      int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_finish(enuf_ewald *ewald);

/**
 * Waits for the evaluations with result->totals since the last check, and returns the first error
 * of their data: what compute() would have returned. Such an evaluation leaves its totals as they
 * were; its arrays are undefined. If the sums of new charges (enuf_ewald_set_charges()) show that
 * the parameters do not serve them, it chooses others and returns ENUF_UNREACHABLE_ACCURACY:
 * compute again. After any error the object goes on. Without such evaluations it does nothing.
 */
ENUF_API enuf_status enuf_ewald_check(enuf_ewald *ewald);

/** begin() of enuf_ewald_reciprocal(), for a host that sums the pairs itself. */
ENUF_API enuf_status enuf_ewald_begin_reciprocal(enuf_ewald *ewald, const double *positions,
                                                 int64_t stride, int wanted,
                                                 enuf_ewald_result *result);

/**
 * Locks the pages of host memory [at, at + bytes) for the GPU of this object. The GPU then reads
 * positions and writes results there directly, while the caller works between begin() and finish().
 * Such results are undefined after an error; with result.add the GPU does not write them directly.
 * Locking is optional, and does nothing on a CPU. It takes milliseconds: use it for arrays that
 * serve many times. Unlock the same `at` before freeing the memory and before destroying the
 * object.
 *
 * Errors: ENUF_BAD_ARGUMENT for NULL or no bytes; ENUF_OUT_OF_MEMORY if the system locks no more
 * pages.
 */
ENUF_API enuf_status enuf_ewald_lock_pages(enuf_ewald *ewald, void *at, int64_t bytes);
ENUF_API enuf_status enuf_ewald_unlock_pages(enuf_ewald *ewald, void *at);

/**
 * Errors on the sample of enuf_ewald_measure_error(), in the caller's units. Strong charges are
 * drawn more often than weak ones; weights make the means estimates for all charged atoms.
 */
typedef struct enuf_ewald_error {
    size_t struct_size;
    int64_t sample;   /* atoms measured */
    double rms_force; /* RMS of |error of the force vector| over the sample */
    double worst_force;
    double accuracy;      /* rms_force / F_ref, as the option `accuracy` */
    double rms_of_forces; /* RMS force itself, for a relative error */
    double energy; /* |error of 1/2 sum q phi over the sample|; over all atoms if sample = n */
    double energy_scale; /* 1/2 sum |q phi| over the sample */
    double virial; /* largest |error of a component|; NaN unless all charged atoms are in the sample
                    */
} enuf_ewald_error;

/**
 * Compares compute() with exact Ewald sums on `sample` charged atoms, drawn with `seed` (0, or more
 * than there are: all). Positions as for compute(). Slow: O(n modes); the exact sums run on the
 * object's backend. The report keeps the result.
 */
ENUF_API enuf_status enuf_ewald_measure_error(enuf_ewald *ewald, const double *positions,
                                              int64_t stride, int64_t sample, uint64_t seed,
                                              enuf_ewald_error *error);

/** The parameters in use, and the errors predicted for cell and charges. */
typedef struct enuf_ewald_report {
    size_t struct_size;
    enuf_backend backend;
    enuf_arithmetic arithmetic;
    enuf_split split;
    double alpha; /* Gaussian, else 0 */
    double c;     /* prolate, else 0 */
    double cutoff;
    double kmax; /* in units of 2 pi / V^(1/3) */
    int64_t modes[3];
    int64_t grid[3];
    enuf_window window;
    int width;
    double shape;
    double f_ref;     /* F_ref of the accuracy, in the caller's units */
    double requested; /* accuracy A requested */
    double predicted; /* accuracy A predicted. A calibrated crystal has vanishing forces: for it
                       * this is at least a tenth of the relative error of the energy */
    /* parts of `predicted`; mesh: aliasing of other charges, and the self-force */
    double predicted_real, predicted_truncation, predicted_mesh;
    double predicted_rounding; /* in double; includes the rounding of close pairs in the last
                                * compute() */
    double measured;           /* accuracy A measured; NaN before enuf_ewald_measure_error() */
    double net_charge;
    int threads;
    double seconds_real, seconds_reciprocal; /* of the last compute; on a GPU they may overlap */
    int64_t bytes;
    /* Mean energy and virial of the modes beyond kmax. They are measured if enuf_ewald_tune() gets
     * positions and the splitting is Gaussian, and all later results include them; else 0 */
    double energy_tail, virial_tail[6];
    /* Estimated error that is left in the energy and in each diagonal component of the virial by
     * the modes beyond kmax. If the tail is measured: its scatter between configurations. If not:
     * the tail of uncorrelated charges; liquid water has a tenth of it or less, a salt up to twice
     * as much, a crystal more */
    double energy_bias, virial_bias;
    /* rows: the vectors along which modes and grid are counted; 0 without a cell */
    double basis[9];
    /* 1: positions have changed `predicted` by an error scale; 0: it holds for uncorrelated charges
     */
    int calibrated;
    /* error A that enuf_ewald_verify(), or the first compute() after the choice, has found; if it
     * exceeds `requested`, `predicted` is at least as large. NaN: not verified */
    double verified;
} enuf_ewald_report;

ENUF_API enuf_status enuf_ewald_get_report(const enuf_ewald *ewald, enuf_ewald_report *report);

enum { ENUF_PAIR_PIECES = 8, ENUF_PAIR_COEFFICIENTS = 24 };

/**
 * The pair functions of a splitting, for a host that sums the pairs itself. With s = (r/cutoff)^2
 * in [0, 1], energy and force/r of two unit charges (times C) are
 *
 *     1/r - Q(s)/cutoff        1/r^3 - R(s)/cutoff^3
 *
 * and 0 beyond the cutoff. Q and R are polynomials on pieces of equal length in s: piece
 * p = min(floor(8 s), 7), t = 2 (8 s - p) - 1 in [-1, 1], Q = sum_k energy[k][p] t^k,
 * R = sum_k force[k][p] t^k. Source: docs/theory.md, sections 1 and 3.
 */
typedef struct enuf_pair_functions {
    size_t struct_size; /* sizeof(enuf_pair_functions) */
    double cutoff;
    int n_energy, n_force; /* coefficients in use */
    double energy[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
    double force[ENUF_PAIR_COEFFICIENTS][ENUF_PAIR_PIECES];
} enuf_pair_functions;

/**
 * Makes the pair functions. Needs no object.
 *
 * split      Gaussian (Q = erf(alpha r) cutoff/r) or prolate
 * parameter  alpha or c of the report
 * error      allowed absolute error of Q and R; 0: rounding
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_UNREACHABLE_ACCURACY for a splitting that is too steep (alpha
 * cutoff <= 8 and c <= 100 always work). After an error `functions` does not change.
 */
ENUF_API enuf_status enuf_pair_functions_make(enuf_split split, double parameter, double cutoff,
                                              double error, enuf_pair_functions *functions);

/**
 * Exact sums: plain Ewald sums with the erfc of the C or CUDA library and single modes, without FFT
 * and tables. Gaussian splitting.
 *
 * cell, n, positions, charges, exclusions, coulomb, surroundings, slab as above; backend and device
 * too (AUTO: the CPU). All arrays live on the host.
 * alpha, cutoff, kmax  0: chosen so that the error is rounding; given: the truncated sums. The
 *                      chosen alpha, on which the parts of the energy depend, differs between
 *                      backends.
 * n_targets, targets   atoms to compute; NULL: all of them
 * energy               1/2 sum q phi over the targets, with parts
 *
 * virial               only where all charged atoms are targets, else NaN
 *
 * forces, potential    [n_targets][3], [n_targets]; NULL: not wanted
 */
typedef struct enuf_exact_options {
    size_t struct_size;
    double alpha, cutoff, kmax;
    double coulomb, surroundings, slab;
    int threads;
    enuf_isa isa;
    enuf_log log;
    void *log_context;
    enuf_backend backend; /* [ENUF_BACKEND_AUTO] */
    int device;           /* [-1] */
} enuf_exact_options;

typedef struct enuf_exact_result {
    double energy;
    enuf_ewald_parts parts;
    double virial[6];
    double *forces;
    double *potential;
} enuf_exact_result;

ENUF_API void enuf_exact_options_init(enuf_exact_options *options);
ENUF_API enuf_status enuf_exact_ewald(const enuf_exact_options *options, const double cell[9],
                                      int64_t n, const double *positions, int64_t stride,
                                      const double *charges, const enuf_exclusions *exclusions,
                                      int64_t n_targets, const int64_t *targets,
                                      enuf_exact_result *result);

/** Names, as in nufft.h. */
ENUF_API const char *enuf_split_name(enuf_split split);
ENUF_API enuf_status enuf_split_parse(const char *name, enuf_split *split);
ENUF_API const char *enuf_arithmetic_name(enuf_arithmetic arithmetic);
ENUF_API enuf_status enuf_arithmetic_parse(const char *name, enuf_arithmetic *arithmetic);

#ifdef __cplusplus
}
#endif
#endif
