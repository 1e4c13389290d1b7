/* options.c - see options.h. SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include "candidate_times.h"
#include "enuf/nufft_tuning.h"
#include "enuf/trajectories.h"
#include "error.h"
#include "option_values.h"
#include "read.h"
#include "units.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

#define TEXT_OF(x)    TEXT_OF_(x)
#define TEXT_OF_(x)   #x
#define ENERGY_TARGET 1e-6

enum {
    FROM_FILE = CLI_ENERGY | CLI_TUNE,
    COMPUTE = FROM_FILE | CLI_MADELUNG,
    READ = COMPUTE | CLI_STRUCTURE_FACTOR,
    ALL = READ | CLI_PLAN | CLI_INFO | CLI_BENCH
};

/* In the order of the enumeration. */
#define CHOICE_OF(NAME, name, help) {#name, help},
static const cli_choice splits[] = {ENUF_SPLITS(CHOICE_OF){NULL, NULL}};
static const cli_choice windows[] = {ENUF_WINDOWS(CHOICE_OF){NULL, NULL}};
static const cli_choice arithmetics[] = {ENUF_ARITHMETICS(CHOICE_OF){NULL, NULL}};
static const cli_choice backends[] = {ENUF_BACKENDS(CHOICE_OF){NULL, NULL}};
static const cli_choice decompositions[] = {ENUF_DECOMPOSITIONS(CHOICE_OF){NULL, NULL}};
static const cli_choice unit_systems[] = {ENUF_UNITS(CHOICE_OF){NULL, NULL}};
static const cli_choice excludes[] = {CLI_EXCLUDES(CHOICE_OF){NULL, NULL}};
static const cli_choice trajectories[] = {ENUF_TRAJECTORY_KINDS(CHOICE_OF){NULL, NULL}};
static const cli_choice efforts[] = {ENUF_TUNE_EFFORTS(CHOICE_OF){NULL, NULL}};
static const cli_choice weights[] = {CLI_WEIGHTS(CHOICE_OF){NULL, NULL}};

#define AT(field) offsetof(cli_settings, field)
#define HEADING(who, text)                                                                         \
    {                                                                                              \
        NULL, NULL, who, CLI_FLAG, 0, 0, 0, NULL, text                                             \
    }
#define FLAG(name, who, field, text)                                                               \
    {                                                                                              \
        name, NULL, who, CLI_FLAG, AT(field), 0, 0, NULL, text                                     \
    }
#define WORD(name, argument, who, field, text)                                                     \
    {                                                                                              \
        name, argument, who, CLI_TEXT, AT(field), 0, 0, NULL, text                                 \
    }
#define CHOICE(name, argument, who, field, choices, text)                                          \
    {                                                                                              \
        name, argument, who, CLI_CHOICE, AT(field), 0, 0, choices, text                            \
    }
#define REAL(name, argument, who, field, least, most, text)                                        \
    {                                                                                              \
        name, argument, who, CLI_REAL, AT(field), least, most, NULL, text                          \
    }
#define COUNT(name, argument, who, field, least, most, text)                                       \
    {                                                                                              \
        name, argument, who, CLI_COUNT, AT(field), least, most, NULL, text                         \
    }
#define NUMBER(name, argument, who, field, least, most, text)                                      \
    {                                                                                              \
        name, argument, who, CLI_NUMBER, AT(field), least, most, NULL, text                        \
    }
#define POSITIVE(name, argument, who, field, text)                                                 \
    REAL(name, argument, who, field, DBL_MIN, 0, text)

static const cli_option options[] = {
    HEADING(CLI_MADELUNG, "Crystal"),
    FLAG("list", CLI_MADELUNG, list, "list the structures: ions, charges, d, constant"),
    COUNT("cells", "N", CLI_MADELUNG, cells, 1, 1000, "N x N x N cells (default 4; for a FILE 1)"),
    {"sweep-alpha", "LO:HI:N", CLI_MADELUNG, CLI_RANGE, AT(sweep), 0, 0, NULL,
     "N splitting parameters, 1/length; writes CSV"},
    WORD("plot", "FILE", CLI_MADELUNG, plot,
         "draw the sweep (.png or .svg, by gnuplot) and write the .csv beside it"),

    HEADING(CLI_TUNE, "Candidates"),
    REAL("dearest", "X", CLI_TUNE, dearest, 1, 100,
         "time candidates up to X times the least predicted time (default 1.5)"),
    COUNT("candidates", "N", CLI_TUNE, candidates, 1, CLI_MOST_CANDIDATES,
          "time at most N candidates (default 16)"),
    FLAG("measure", CLI_TUNE, measure,
         "choose the fastest by time: candidates near the best are timed by turns,\n"
         "and the error of the fastest is measured"),
    WORD("wisdom", "FILE", CLI_TUNE, wisdom,
         "of --measure, what was found earlier: read if it is there, written if\n"
         "something was timed"),
    FLAG("uncorrelated", CLI_TUNE, uncorrelated,
         "of --measure, predict errors without the positions, as --deterministic\n"
         "does, which then takes the choice from --wisdom"),
    WORD("calibrate", "FILE", CLI_TUNE, calibrate,
         "only measure the cost rates of this machine, half a minute;\n"
         "under mpirun those of messages between ranks too"),

    HEADING(CLI_TUNE, "Many ranks"),
    NUMBER("ranks", "P", CLI_TUNE, ranks, 1, 100000000,
           "predict the time on P ranks of --threads (1) each, or on P GPUs\n"
           "(default under mpirun: its ranks, which are timed as well)"),
    COUNT("cells", "N", CLI_TUNE, cells, 1, 100000,
          "only predict, for N x N x N cells of the FILE"),
    POSITIVE("latency", "US", CLI_TUNE, latency,
             "of a message between ranks, microseconds (default: as calibrated)"),
    POSITIVE("bandwidth", "GB/s", CLI_TUNE, bandwidth,
             "of each rank while all send (default: as calibrated)"),

    HEADING(CLI_STRUCTURE_FACTOR, "Wave vectors: one of"),
    WORD("q", "H,K,L;...", CLI_STRUCTURE_FACTOR, q_list,
         "any numbers, in vectors of the reciprocal lattice"),
    WORD("q-file", "FILE", CLI_STRUCTURE_FACTOR, q_file, "the same, three numbers on a line"),
    {"sphere", "QMAX[:N]", CLI_STRUCTURE_FACTOR, CLI_SPHERE, AT(sphere), 0, 0, NULL,
     "means over N shells (default 100) of |q| <= QMAX, 1/length: of the\n"
     "reciprocal lattice, or of directions if the cell is not periodic"},

    HEADING(CLI_STRUCTURE_FACTOR, "Structure factors"),
    FLAG("cartesian", CLI_STRUCTURE_FACTOR, cartesian,
         "wave vectors are along x, y, z, in 1/length (without a cell: always)"),
    CHOICE("weights", "W", CLI_STRUCTURE_FACTOR, weights, weights, "of the ions"),
    WORD("plot", "FILE", CLI_STRUCTURE_FACTOR, plot,
         "draw them (.png or .svg, by gnuplot) and write the .csv beside it"),
    CHOICE("backend", "B", CLI_STRUCTURE_FACTOR, ewald.backend, backends, "(default auto)"),
    NUMBER("threads", "N", CLI_STRUCTURE_FACTOR, ewald.threads, 1, ENUF_MAX_THREADS,
           "(default: OpenMP's, within a quota of processor time)"),

    HEADING(READ, "Input"),
    WORD("format", "FORMAT", READ, format, ENUF_FORMATS " (default: by name and content)"),
    {"charge", "El=Q", READ, CLI_CHARGE, 0, 0, 0, NULL,
     "charge of a species; overrides the file's; repeatable"},
    {"cell", "CELL", READ, CLI_CELL, 0, 0, 0, NULL,
     "a,b,c or a,b,c,alpha,beta,gamma (degrees) or nine numbers,\n"
     "if the FILE has none"},
    CHOICE("units", "U", READ, units, unit_systems,
           "of the FILE (default: what it says, else metal)"),
    CHOICE("exclude", "E", FROM_FILE, exclude, excludes, "pairs that do not interact"),
    REAL("slab", "F", FROM_FILE, ewald.slab, 1, 0,
         "periodic in a and b only (EW3DC): the volume extended F-fold along z"),
    REAL("surroundings", "EPS", FROM_FILE, ewald.surroundings, 0, 0,
         "dielectric constant around all cells; 1: vacuum; 0: tinfoil (default)"),

    HEADING(CLI_ENERGY, "Output"),
    WORD("forces", "FILE", CLI_ENERGY, forces, "write forces (extended XYZ, column forces:R:3)"),
    WORD("per-atom", "FILE", CLI_ENERGY, per_atom,
         "write energies and virials (columns energy:R:1, virial:R:6)"),
    WORD("potential", "FILE", CLI_ENERGY, potential,
         "write the potentials at the ions (column potential:R:1)"),
    FLAG("virial", CLI_ENERGY, virial, "compute the virial -dE/d(strain)"),
    FLAG("calibrate", CLI_ENERGY, by_positions,
         "choose parameters by the positions, as a simulation would: the error\n"
         "then just meets the request; the choice takes several evaluations"),
    WORD("wisdom", "FILE", CLI_ENERGY, wisdom,
         "take the parameters that enuf tune --measure --wisdom FILE has found"),
    COUNT("measure-error", "N", CLI_ENERGY, sample, 1, 0,
          "compare N atoms with exact Ewald sums; slow"),

    HEADING(COMPUTE, "Accuracy: one of"),
    REAL("accuracy", "A", COMPUTE, ewald.accuracy, 1e-13, 1e-2,
         "RMS force error / F_ref, F_ref = C (sum q^2/N) (N/V)^(2/3)\n"
         "(default: energy, tune " TEXT_OF(ENERGY_TARGET) ", madelung " TEXT_OF(
             CLI_CRYSTAL_TARGET) ")"),
    POSITIVE("force-error", "F", COMPUTE, ewald.force_error, "RMS force error, in force units"),
    POSITIVE("lammps-accuracy", "D", COMPUTE, ewald.lammps_accuracy,
             "RMS force error / force of two unit charges at distance 1"),

    HEADING(COMPUTE, "Method: given values stay, the accuracy chooses the others"),
    CHOICE("split", "S", COMPUTE, ewald.split, splits, "splitting (default auto)"),
    POSITIVE("cutoff", "R", COMPUTE, ewald.cutoff, "of the real-space sum"),
    POSITIVE("alpha", "A", COMPUTE, ewald.alpha, "Gaussian splitting parameter, 1/length"),
    POSITIVE("kmax", "X", COMPUTE, ewald.kmax, "keep the modes |k| <= 2 pi X / V^(1/3)"),
    {"grid", "N,N,N", COMPUTE, CLI_GRID, AT(ewald.grid), 1, 1e6, NULL, "cells of the fine grid"},
    CHOICE("window", "W", COMPUTE, ewald.window, windows, "of the NUFFT"),
    NUMBER("width", "P", COMPUTE, ewald.width, 2, ENUF_MAX_WIDTH, "of the window, grid cells"),
    CHOICE("precision", "P", COMPUTE, ewald.arithmetic, arithmetics, "(default auto)"),
    WORD("calibration", "FILE", COMPUTE, ewald.calibration_file,
         "choose by the rates of this machine (enuf tune --calibrate)"),
    CHOICE("backend", "B", COMPUTE, ewald.backend, backends, "(default auto)"),
    FLAG("deterministic", COMPUTE, ewald.deterministic, "the same bits for any number of threads"),
    NUMBER("threads", "N", COMPUTE, ewald.threads, 1, ENUF_MAX_THREADS,
           "(default: OpenMP's, within a quota of processor time)"),
    CHOICE("decomposition", "D", CLI_ENERGY, decomposition, decompositions,
           "of the modes, under mpirun (default auto)"),

    HEADING(CLI_PLAN, "Transform"),
    {"modes", "N,N,N", CLI_PLAN, CLI_MODES, AT(plan.modes), 1, 1e9, NULL,
     "numbers of modes along x, y, z; one or two in 1D and 2D"},
    {"points", "FILE|KIND[:R]", CLI_PLAN, CLI_TEXT, AT(plan.points), 0, 0, trajectories,
     "x y z of a point on each line, in periods (turns, not radians);\n"
     "# begins a comment. Or samples of a KIND, one readout of R (default 1):"},
    REAL("tol", "E", CLI_PLAN, plan.tolerance, 1e-14, 1e-1,
         "relative l2 error (default 1e-6, the least with --float)"),
    REAL("repeats", "K", CLI_PLAN, plan.repeats, 1, 1e6,
         "calls of type 1, and of type 2, for each set of points (default 1)"),
    REAL("type1", "K", CLI_PLAN, plan.type1, 0, 1e6, "calls of type 1 (default --repeats)"),
    REAL("type2", "K", CLI_PLAN, plan.type2, 0, 1e6, "calls of type 2 (default --repeats)"),
    REAL("gram", "K", CLI_PLAN, plan.gram, 0, 1e6,
         "calls of the Gram operator, type 2 and its adjoint at once (default 0)"),
    FLAG("float", CLI_PLAN, plan.single, "single precision"),
    COUNT("memory", "BYTES", CLI_PLAN, plan.memory, 1, 0,
          "that a plan may hold with its points (default: no limit)"),

    HEADING(CLI_PLAN, "Search"),
    CHOICE("effort", "E", CLI_PLAN, plan.effort, efforts, "what to find out"),
    WORD("wisdom", "FILE", CLI_PLAN, wisdom,
         "methods found earlier: read if it is there, written if something was timed"),
    CHOICE("backend", "B", CLI_PLAN, ewald.backend, backends,
           "(default auto, the cpu); cuda times plans whose arrays are on the host"),
    NUMBER("threads", "N", CLI_PLAN, ewald.threads, 1, ENUF_MAX_THREADS,
           "(default: OpenMP's, within a quota of processor time)"),

    HEADING(CLI_BENCH, "Benchmarks"),
    NUMBER("threads", "N", CLI_BENCH, ewald.threads, 1, ENUF_MAX_THREADS,
           "(default: OpenMP's, within a quota of processor time)"),
    FLAG("quick", CLI_BENCH, quick, "a few seconds instead of half a minute: smaller, coarser"),

    HEADING(ALL, "Report"),
    FLAG("json", ALL, json, "one JSON object instead of the table (docs/cli.md)"),
    FLAG("quiet", READ | CLI_PLAN | CLI_BENCH, quiet, "no progress bar, no warnings"),
    FLAG("help", ALL, help, "this text"),
};

enum { N_OPTIONS = sizeof options / sizeof *options };

void cli_settings_init(cli_command command, cli_settings *settings)
{
    *settings = (cli_settings){.command = command, .units = CLI_UNITS_OF_FILE};
    enuf_ewald_options_init(&settings->ewald);
    settings->dearest = 1.5;
    settings->candidates = 16;
    settings->plan.tolerance = 1e-6;
    settings->plan.repeats = 1;
    settings->plan.type1 = settings->plan.type2 = -1;
    settings->ewald.accuracy = 0; /* 0: none of the three accuracies is given yet */
}

/* `word` is "name" or "name=value", without the dashes. */
static const cli_option *find(cli_command command, const char *word, size_t length)
{
    for (const cli_option *option = options; option < options + N_OPTIONS; ++option) {
        if (option->name && (option->commands & command) && strlen(option->name) == length &&
            memcmp(option->name, word, length) == 0)
            return option;
    }
    return NULL;
}

static enuf_status fail_with_help(const cli_settings *settings, const char *what, const char *word)
{
    return enuf_fail(ENUF_BAD_ARGUMENT, "%s%.60s (see %s --help)", what, word, settings->name);
}

/* Every option takes its argument as --name value or --name=value; the last of several holds. */
static enuf_status parse_option(int n_words, char **words, int *at, cli_settings *settings)
{
    const char *word = words[*at];
    const char *name = word[1] == '-' ? word + 2 : "";
    const size_t length = strcspn(name, "=");
    const cli_option *option = find(settings->command, name, length);
    if (strcmp(word, "-h") == 0) option = find(settings->command, "help", 4);
    if (!option) return fail_with_help(settings, "unknown option ", word);

    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (option->kind == CLI_FLAG) {
        if (value) return enuf_fail(ENUF_BAD_ARGUMENT, "--%s takes no argument", option->name);
    } else if (!value) {
        if (*at + 1 >= n_words) {
            return enuf_fail(ENUF_BAD_ARGUMENT, "--%s needs an argument: --%s %s", option->name,
                             option->name, option->argument);
        }
        value = words[++*at];
    }
    return cli_option_read(option, value, settings);
}

static enuf_status check_accuracy(cli_settings *settings)
{
    enuf_ewald_options *ewald = &settings->ewald;
    const int given =
        (ewald->accuracy != 0) + (ewald->force_error != 0) + (ewald->lammps_accuracy != 0);
    if (given > 1) {
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "give one of --accuracy, --force-error and --lammps-accuracy");
    }
    if (given == 0)
        ewald->accuracy = settings->command == CLI_MADELUNG ? CLI_CRYSTAL_TARGET : ENERGY_TARGET;
    return ENUF_SUCCESS;
}

/* Checks the library's fields before the library does. */
static enuf_status check_method(const cli_settings *settings)
{
    const enuf_ewald_options *ewald = &settings->ewald;
    if (ewald->alpha > 0 && ewald->split == ENUF_SPLIT_PROLATE)
        return enuf_fail(ENUF_BAD_ARGUMENT, "--alpha belongs to --split gaussian, and --split is "
                                            "prolate: leave one of the two out");
    if (ewald->surroundings > 0 && ewald->surroundings < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "--surroundings %g: give 1 (vacuum) or more, or 0 for tinfoil",
                         ewald->surroundings);
    if (ewald->surroundings > 0 && ewald->slab > 0)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "--surroundings and --slab: a slab has its own dipole term; give one of them");
    return ENUF_SUCCESS;
}

static enuf_status check_format(const char *format)
{
    if (!format) return ENUF_SUCCESS;
    for (int f = 0; enuf_format_name(f); ++f)
        if (strcmp(enuf_format_name(f), format) == 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_ARGUMENT, "--format '%.40s': choose " ENUF_FORMATS, format);
}

enuf_status cli_options_parse(int n_words, char **words, cli_settings *settings)
{
    int only_files = 0; /* behind -- */
    for (int i = 0; i < n_words && !settings->help; ++i) {
        const char *word = words[i];
        if (only_files || word[0] != '-' || word[1] == 0) {
            const int most = settings->command & (CLI_INFO | CLI_BENCH | CLI_PLAN) ? 0
                             : settings->command == CLI_ENERGY                     ? n_words
                                                                                   : 1;
            if (settings->n_inputs >= most)
                return fail_with_help(settings, "unexpected argument ", word);
            words[settings->n_inputs++] = words[i]; /* overwrites words that were read already */
            settings->inputs = words;
            settings->input = words[0];
        } else if (strcmp(word, "--") == 0) {
            only_files = 1;
        } else {
            ENUF_TRY(parse_option(n_words, words, &i, settings));
        }
    }
    if (settings->help) return ENUF_SUCCESS;
    ENUF_TRY(check_format(settings->format));
    ENUF_TRY(check_method(settings));
    return check_accuracy(settings);
}

static void print_choices(const cli_choice *choice, FILE *out)
{
    for (; choice->name; ++choice) fprintf(out, "%28s%-14s %s\n", "", choice->name, choice->help);
}

/* A line break inside the text is kept, and indented. */
static void print_text(const char *text, FILE *out)
{
    for (;;) {
        const size_t length = strcspn(text, "\n");
        fprintf(out, "%.*s\n", (int)length, text);
        if (!text[length]) return;
        fprintf(out, "%26s", "");
        text += length + 1;
    }
}

const cli_option *cli_options_next(unsigned commands, const cli_option *after)
{
    const cli_option *option = after ? after + 1 : options;
    while (option < options + N_OPTIONS && !(option->commands & commands)) ++option;
    return option < options + N_OPTIONS ? option : NULL;
}

void cli_options_help(cli_command command, FILE *out)
{
    for (const cli_option *option = options; option < options + N_OPTIONS; ++option) {
        if (!(option->commands & command)) continue;
        if (!option->name) {
            fprintf(out, "\n%s\n", option->help);
            continue;
        }
        char usage[64];
        snprintf(usage, sizeof usage, "--%s %s", option->name,
                 option->argument ? option->argument : "");
        fprintf(out, "  %-23s ", usage);
        print_text(option->help, out);
        if (option->choices) print_choices(option->choices, out);
    }
}
