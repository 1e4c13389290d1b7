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
 * Formulas and their sources: docs/theory.md. Signs, units, virial order: docs/conventions.md.
 * An object may be used by one thread at a time; different objects by different threads.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_EWALD_H
#define ENUF_EWALD_H

#include "enuf/nufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, help) */
#define ENUF_SPLITS(X)                                                                             \
    X(AUTO, auto, "whichever costs less")                                                          \
    X(GAUSSIAN, gaussian, "erfc, as every coul/long pair style")                                   \
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
    X(MIXED, mixed, "mesh and pairs in float, coordinates and sums in double")

typedef enum enuf_arithmetic {
#define ENUF_X(NAME, name, help) ENUF_ARITHMETIC_##NAME,
    ENUF_ARITHMETICS(ENUF_X)
#undef ENUF_X
} enuf_arithmetic;

/* Receives one line of text about long work (the exact sums), without a newline. Called from the
 * thread that called the library. */
typedef void (*enuf_log)(void *context, const char *text);

/** Options. Fill with enuf_ewald_options_init(), then change what differs; 0 is "choose". */
typedef struct enuf_ewald_options {
    size_t struct_size; /* sizeof(enuf_ewald_options), set by _init */

    /*
     * The accuracy, asked in one of three ways: the first that is not 0 counts, so that accuracy
     * has to be set to 0 for the others.
     *
     * accuracy         A = RMS error of the force vector / F_ref, 1e-2 ... 1e-13;
     *                  F_ref = C (sum q^2/N) (N/V)^(2/3), the force between two average charges at
     *                  their mean distance; N counts charges that are not 0, V is the volume given
     *                  to set_cell.
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

    /* explicit values are kept, the accuracy chooses the rest */
    enuf_split split;
    double cutoff; /* of the real-space sum, in the caller's lengths */
    double alpha;  /* Gaussian splitting parameter, 1/length */
    double c;      /* prolate bandwidth: the reciprocal sum ends at k = c / cutoff */
    double kmax;   /* keep modes |k| <= 2 pi kmax / V^(1/3), V extended for a slab */
    /* fine grid cells, along a, b, c of the cell given; where they hold fewer modes than the
     * accuracy asks for, kmax is what they hold and the report's `predicted` is above its
     * `requested` */
    int64_t grid[3];
    enuf_window window;
    int width;    /* of the window, cells */
    double shape; /* of the window */

    double surroundings; /* dielectric constant around the sphere of cells; 0: tinfoil; 1: vacuum */
    double slab;         /* EW3DC: factor >= 1 that extends the cell along z; 0: none */
    int keep_net_force;  /* 1: leave the mesh's small net force; 0: subtract its mean [0] */
    int truncated;       /* 1: sums end at kmax, also where positions told what is beyond [0] */

    /* AUTO is settled when parameters are first chosen, and again by enuf_ewald_tune(): the report
     * says how; a cell that changes later only ever turns mixed into double [ENUF_ARITHMETIC_AUTO]
     */
    enuf_arithmetic arithmetic;
    enuf_backend backend;   /* [ENUF_BACKEND_AUTO] */
    enuf_memory memory;     /* where positions and per-atom results live, see enuf_ewald_compute();
                               charges, cell and the result's sums live on the host [ENUF_HOST] */
    int device;             /* GPU ordinal; -1: the caller's current one [-1] */
    void *stream;           /* cudaStream_t of all work on the GPU [NULL] */
    int threads;            /* as of a plan, enuf/nufft.h [0] */
    int background_threads; /* > 0: begin() starts the work on this many threads, which compute()
                               uses as well [0] */
    int deterministic;      /* see docs/conventions.md [0] */
    double strength_bound;  /* deterministic, several ranks: sum |q| over all ranks; 0: own */
    enuf_fft_effort fft_effort;
    const char *fft_wisdom;
    int64_t memory_limit;
    /* of enuf_ewald_calibrate_machine(), read by create(); NULL: shipped rates. Parameters depend
     * on the rates, deterministic ones too: name the same ones on all ranks and machines. */
    const char *calibration_file;
    enuf_log log;
    void *log_context;
    /* Evaluations to come with these parameters; 0: many. Of few the choice of parameters is part
     * of the cost: it is made so that choosing and evaluating together take least. Of modes left
     * out enuf_ewald_tune() adds what positions tell all the same: so energies lack nothing more in
     * a run of one evaluation. [0] */
    int64_t evaluations;
} enuf_ewald_options;

ENUF_API void enuf_ewald_options_init(enuf_ewald_options *options);

typedef struct enuf_ewald enuf_ewald;

/**
 * Pairs whose interaction is weighted: bonded atoms. Each pair once, its nearest images. The pair
 * is summed in full first and its share then taken off, so that the two may not be at the same
 * place.
 */
typedef struct enuf_exclusions {
    int64_t n;
    const int64_t *pairs;  /* [n][2] */
    const double *weights; /* [n]: 0 removes the pair, 1 leaves it; NULL: all 0 */
} enuf_exclusions;

/** Makes an object. Errors: ENUF_BAD_ARGUMENT, ENUF_NO_BACKEND, ENUF_OUT_OF_MEMORY. */
ENUF_API enuf_status enuf_ewald_create(const enuf_ewald_options *options, enuf_ewald **ewald);
ENUF_API void enuf_ewald_destroy(enuf_ewald **ewald);

/**
 * Sets the cell: rows a, b, c [3][3], any orientation, right- or left-handed, any tilt. Positions
 * are Cartesian in the same frame, the cell's corner at the coordinate origin (any corner serves:
 * only differences count, but for a slab, whose z is the caller's). Keeps the chosen parameters as
 * long as the accuracy allows it, else replans.
 *
 * Only the lattice counts: modes and grid are counted along its shortest vectors (of a slab's a and
 * b; c stays), which the report names. With options.grid they are counted along a, b, c as given.
 *
 * Errors: ENUF_BAD_ARGUMENT for a flat cell, or vectors that are not 1e-40 to 1e40 long. One so
 * thin or long that no sum of its charges ends soon is refused when parameters are chosen.
 */
ENUF_API enuf_status enuf_ewald_set_cell(enuf_ewald *ewald, const double cell[9]);

/** Sets charges [n] and exclusions (NULL: none); both are copied. Their arrays live on the host,
 * whatever options.memory says: a pointer to device memory must not be given. */
ENUF_API enuf_status enuf_ewald_set_charges(enuf_ewald *ewald, int64_t n, const double *charges,
                                            const enuf_exclusions *exclusions);

/**
 * Chooses the parameters for the accuracy. Called by compute when needed, without positions, and
 * then verified (see enuf_ewald_verify()); calling it oneself tells errors early.
 *
 * positions  [n][stride] where options.memory says, or NULL. NULL: the estimate for charges without
 *            order serves, which most systems undercut. Given: the estimate is that for charges
 *            of their spectrum, the error is measured on 128 atoms against exact sums, with more
 *            than 10000 charges on all of them against a finer mesh, and the parameters are chosen
 *            so that what is measured fits; the estimate then follows the cell as it changes,
 *            until another number of charges is set. Takes a
 *            third of a second for 10000 charges, most of it for the exact sums, and four to seven
 *            evaluations for a million.
 *            With the Gaussian splitting energy and virial gain what the modes beyond kmax have of
 *            them, by the structure factor of these positions; forces do not change, and an atom's
 *            share goes with the square of its charge (the report's energy_tail). Takes two to four
 *            evaluations.
 *            Both are left out when deterministic, whose numbers depend on no other positions, and
 *            for accuracies below 1e-11; the first where options.evaluations are too few to gain
 *            what it takes.
 *
 * Errors: ENUF_UNREACHABLE_ACCURACY, ENUF_OUT_OF_MEMORY, ENUF_NO_POINTS_SET (cell or charges).
 */
ENUF_API enuf_status enuf_ewald_tune(enuf_ewald *ewald, const double *positions, int64_t stride);

/**
 * Verifies the choice of parameters at positions, [n][stride] where options.memory says: forces and
 * energy of all atoms are compared with exact sums (up to 200 charges, and their virial) or with
 * the other splitting on a mesh twenty times as exact. Where they err by more than was asked for,
 * parameters are chosen again until they do not, explicit options kept. Where no choice errs less,
 * the one there was stays, and the report's `predicted` is what was found. Chooses first, where
 * nothing is chosen yet.
 *
 * Once for each choice: called again, it does nothing until parameters are chosen anew. compute()
 * and begin() do it themselves, at their first positions. It takes a quarter of what choosing took
 * and some evaluations: three of 1000 to six of 30000 charges, and as many again and a choice where
 * it chooses anew. With options.evaluations they leave it out where it takes more than a tenth of
 * those.
 *
 * A host that sums the pairs itself calls it before it reads the splitting from the report, as
 * real() and reciprocal() never change that. Where options give the splitting (cutoff, and alpha or
 * c), reciprocal() and begin_reciprocal() verify each choice of all else, as compute() does: so a
 * choice that a new cell or new charges have made in the middle of a run.
 *
 * deterministic, or accuracies below 1e-11: nothing is chosen again, the report says what was
 * found. Nothing is compared below 2e-12 with more than 200 charges.
 *
 * Errors: those of enuf_ewald_tune() and, of the positions, of enuf_ewald_compute().
 */
ENUF_API enuf_status enuf_ewald_verify(enuf_ewald *ewald, const double *positions, int64_t stride);

/** Parameters that serve the accuracy. Given as explicit options, with the report's basis as the
 * cell, they make what they say. */
typedef struct enuf_ewald_candidate {
    size_t struct_size;
    int chosen; /* 1: in use */
    enuf_split split;
    double alpha, c; /* that of the splitting, else 0 */
    double cutoff, kmax;
    int64_t modes[3], grid[3];
    enuf_window window;
    int width;
    double shape;
    double predicted; /* error, as accuracy A */
    /* of energy and forces on one core, or on the GPU, by the cost model */
    double seconds_real, seconds_reciprocal;
} enuf_ewald_candidate;

/**
 * Lists what the choice of parameters was made from: the set in use first, the others in the order
 * of their guessed costs, up to `dearest` times the cheapest. Chooses first, where nothing is
 * chosen yet.
 *
 * dearest     at least 1; 2 shows some dozens
 * candidates  [capacity]; struct_size of the first has to be set
 * n           how many were written; 0 without charges
 */
ENUF_API enuf_status enuf_ewald_list_candidates(enuf_ewald *ewald, double dearest, int64_t capacity,
                                                enuf_ewald_candidate *candidates, int64_t *n);

/**
 * Measures the rates of the cost model on this machine, on one core in about a quarter of a minute
 * or on the GPU, and writes them to `file`, to be named by options.calibration_file. Choices are
 * made by the rates shipped with the library or by such a file, never by a timing made in passing.
 *
 * options  backend, device, FFT options and log are taken from it; NULL: defaults. The log is told
 *          of eight steps.
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
    double real;       /* pairs inside the cutoff, excluded pairs not yet taken off */
    double reciprocal; /* modes */
    double self;
    double background; /* of the uniform charge that neutralises a net charge */
    double surface;    /* dipole term of surroundings or slab */
    double excluded;   /* what exclusions take off */
} enuf_ewald_parts;

/** Results, energies in C q^2/length. Arrays are the caller's; only those wanted are touched. */
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
} enuf_ewald_result;

/**
 * Everything: positions [n][stride], stride >= 3, anywhere in space; as the arrays of the result,
 * where options.memory says. Managed memory serves as either.
 *
 * In device memory the work follows what the stream held before, and compute() waits for its end,
 * as the result's sums and errors of the data come to the host; begin() only enqueues it. An error
 * of the data (positions that are not finite, two charges at one place) leaves the arrays on the
 * device with nothing of use.
 *
 * What is asked for again on a GPU, with the same arrays, wishes, cell and charges, is recorded as
 * a CUDA graph the second time and replayed from then on, which small systems gain most by: keep
 * positions and results where they are. Nothing has to be told when they move.
 */
ENUF_API enuf_status enuf_ewald_compute(enuf_ewald *ewald, const double *positions, int64_t stride,
                                        int wanted, enuf_ewald_result *result);

/** The pairs inside the cutoff and the exclusions only. */
ENUF_API enuf_status enuf_ewald_real(enuf_ewald *ewald, const double *positions, int64_t stride,
                                     int wanted, enuf_ewald_result *result);

/** The modes, self, background and surface terms only. */
ENUF_API enuf_status enuf_ewald_reciprocal(enuf_ewald *ewald, const double *positions,
                                           int64_t stride, int wanted, enuf_ewald_result *result);

/**
 * compute in two halves, to overlap it with the caller's own work. Positions, charges, cell and
 * result must stay untouched in between; other calls are refused. finish gives what compute gives,
 * the same bits where options.deterministic is set. On a GPU begin enqueues all the work and finish
 * waits for it; positions are looked at there, so that finish tells what is wrong with them.
 */
ENUF_API enuf_status enuf_ewald_begin(enuf_ewald *ewald, const double *positions, int64_t stride,
                                      int wanted, enuf_ewald_result *result);
ENUF_API enuf_status enuf_ewald_finish(enuf_ewald *ewald);

/** begin for what enuf_ewald_reciprocal() gives: for a host that sums the pairs itself. */
ENUF_API enuf_status enuf_ewald_begin_reciprocal(enuf_ewald *ewald, const double *positions,
                                                 int64_t stride, int wanted,
                                                 enuf_ewald_result *result);

/**
 * Locks the pages of [at, at + bytes) of the host's memory for the GPU of this object: positions in
 * them are read, and results in them written, beside the caller's work between begin and finish,
 * without a copy in between. Results that begin writes so are of no use after an error, and are not
 * added to earlier ones (result.add) on the way. Everything works without it, and on a CPU it does
 * nothing. Takes milliseconds: for arrays that are used many times. What is locked has to be
 * unlocked, by the same `at`, before it is freed and before the object is destroyed.
 *
 * Errors: ENUF_BAD_ARGUMENT for NULL or no bytes; ENUF_OUT_OF_MEMORY where the system locks no
 * more.
 */
ENUF_API enuf_status enuf_ewald_lock_pages(enuf_ewald *ewald, void *at, int64_t bytes);
ENUF_API enuf_status enuf_ewald_unlock_pages(enuf_ewald *ewald, void *at);

/**
 * What enuf_ewald_measure_error() found on its sample, in the caller's units unless said. Strong
 * charges are drawn more often than weak ones, and means are weighted so that they estimate those
 * over all charged atoms.
 */
typedef struct enuf_ewald_error {
    size_t struct_size;
    int64_t sample;   /* atoms measured */
    double rms_force; /* RMS of |error of the force vector| over the sample */
    double worst_force;
    double accuracy;      /* rms_force / F_ref: to be compared with the accuracy asked for */
    double rms_of_forces; /* RMS force itself, for a relative error */
    double energy; /* |error of 1/2 sum q phi over the sample|; over all atoms if sample = n */
    double energy_scale; /* 1/2 sum |q phi| over the sample */
    double virial; /* largest |error of a component|; NaN where the sample lacks charged atoms */
} enuf_ewald_error;

/**
 * Compares compute() with exact Ewald sums on `sample` of the charged atoms, drawn with `seed` (0
 * or more than there are: all of them). Positions as for compute().
 * Slow: O(n modes). The result is kept for the report.
 */
ENUF_API enuf_status enuf_ewald_measure_error(enuf_ewald *ewald, const double *positions,
                                              int64_t stride, int64_t sample, uint64_t seed,
                                              enuf_ewald_error *error);

/** Parameters chosen, and errors predicted for the cell and charges that are set: a few tenths of a
 * millisecond where these have changed. */
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
    double requested; /* accuracy A asked for */
    double predicted; /* A predicted; of a calibrated crystal, whose forces vanish, a tenth of the
                       * energy's relative error, where that is more */
    /* its parts; mesh: aliasing, by other charges and of each with itself */
    double predicted_real, predicted_truncation, predicted_mesh;
    double predicted_rounding; /* with that of the forces of close pairs that the last compute met,
                                * in double */
    double measured;           /* NaN until measure_error */
    double net_charge;
    int threads;
    double seconds_real, seconds_reciprocal; /* of the last compute; on a GPU they may overlap */
    int64_t bytes;
    /* Of the modes beyond kmax, whose forces average out, energy and virial lack the mean. Gaussian
     * splitting, positions given to enuf_ewald_tune(): it is measured there and added from then on,
     * energy_tail and virial_tail (included in all results; else 0). */
    double energy_tail, virial_tail[6];
    /* Estimated size of what energy and each diagonal component of the virial lack after that.
     * Measured: the scatter between configurations. Not measured: what uncorrelated charges would
     * lack; liquid water lacks a tenth of it or less, a salt up to twice as much, a crystal more.
     */
    double energy_bias, virial_bias;
    double basis[9]; /* rows, those of the cell that modes and grid are counted along; 0 without a
                      * cell */
    /* 1: `predicted` is what positions made of it; 0: it is that of uncorrelated charges, of which
     * enuf_ewald_verify() has found no other error, or has not looked */
    int calibrated;
    /* A that enuf_ewald_verify(), or the first compute() with this choice, found; where it is more
     * than `requested`, `predicted` is no less. NaN: not verified */
    double verified;
} enuf_ewald_report;

ENUF_API enuf_status enuf_ewald_get_report(const enuf_ewald *ewald, enuf_ewald_report *report);

enum { ENUF_PAIR_PIECES = 8, ENUF_PAIR_COEFFICIENTS = 24 };

/**
 * The pair functions of a splitting, for a host that sums the pairs itself. With s = (r/cutoff)^2
 * in [0, 1] the energy and the force over r of two unit charges (times C) are
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
 * Makes them. Needs no object.
 *
 * split      Gaussian (Q = erf(alpha r) cutoff/r) or prolate
 * parameter  alpha or c, as a report names them
 * error      absolute error of Q and R that may be left; 0: rounding
 *
 * Errors: ENUF_BAD_ARGUMENT; ENUF_UNREACHABLE_ACCURACY for too steep a splitting (alpha cutoff <= 8
 * and c <= 100 always serve). `functions` stays as it was then.
 */
ENUF_API enuf_status enuf_pair_functions_make(enuf_split split, double parameter, double cutoff,
                                              double error, enuf_pair_functions *functions);

/**
 * The ground truth: plain Ewald sums with libm's erfc and every mode summed one by one, no FFT, no
 * tables. Gaussian splitting.
 *
 * cell, n, positions, charges, exclusions, coulomb, surroundings, slab as above.
 * alpha, cutoff, kmax  0: chosen for an error at the rounding level; given: the truncated sums.
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
    enuf_log log;
    void *log_context;
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
