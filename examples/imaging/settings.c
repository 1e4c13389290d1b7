/* settings.c - the command line: one table of options. SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"
#include "backend.h"
#include "fail.h"
#include "phantom.h"
#include "sampling.h"

#include <enuf/nufft.h>

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct choice {
    const char *name, *help;
} choice;

#define X(NAME, name, help) {name, help},
static const choice commands[] = {COMMANDS(X){0}};
static const choice phantoms[] = {PHANTOMS(X){0}};
static const choice trajectories[] = {TRAJECTORIES(X){0}};
static const choice methods[] = {METHODS(X){0}};
static const choice densities[] = {DENSITIES(X){0}};
#undef X
#define X(NAME, name, help) {#name, help},
static const choice windows[] = {ENUF_WINDOWS(X){0}};
static const choice backends[] = {ENUF_BACKENDS(X){0}};
#undef X

enum { SIMULATES = 1 << COMMAND_SIMULATE, RECONSTRUCTS = 1 << COMMAND_RECONSTRUCT };
enum { TABULATES = 1 << COMMAND_TABLE };

typedef struct option {
    const char *name;
    int of;                /* the commands that take it */
    const choice *choices; /* NULL: a number */
    int whole;             /* a whole number */
    size_t at;             /* in settings */
    double least, most, value;
    const char *help;
} option;

#define AT(field) offsetof(settings, field)
static const option options[] = {
    {"--phantom", SIMULATES, phantoms, 1, AT(phantom), 0, 0, PHANTOM_SHEPP_LOGAN, "the object"},
    {"--trajectory", SIMULATES, trajectories, 1, AT(trajectory), 0, 0, TRAJECTORY_RADIAL,
     "where the samples are"},
    {"--side", SIMULATES | RECONSTRUCTS | TABULATES, NULL, 1, AT(side), 4, 4096, 0,
     "pixels along an axis; simulate 128, reconstruct as maps.npy, table 256"},
    {"--reduction", SIMULATES, NULL, 0, AT(reduction), 1, 1e6, 1, "takes 1/R of the readouts"},
    {"--frames", SIMULATES, NULL, 1, AT(frames), 1, 1000, 1, "images of one heart beat"},
    {"--coils", SIMULATES, NULL, 1, AT(coils), 1, 1000, 1, "that receive at once"},
    {"--noise", SIMULATES, NULL, 0, AT(noise), 0, 1e6, 0, "of a sample, over the RMS of the data"},
    {"--seed", SIMULATES, NULL, 1, AT(seed), 0, 9e15, 0, "of the noise"},
    {"--method", RECONSTRUCTS, methods, 1, AT(method), 0, 0, METHOD_GRIDDING, "of reconstruction"},
    {"--density", RECONSTRUCTS, densities, 1, AT(density), 0, 0, DENSITY_FILE,
     "where the weights of the samples come from"},
    {"--iterations", RECONSTRUCTS, NULL, 1, AT(iterations), 1, 10000, 20,
     "of the conjugate gradients, and of the weights"},
    {"--lambda", RECONSTRUCTS, NULL, 0, AT(lambda), 0, 1e6, 1e-3,
     "regularisation of cg, over the operator's diagonal"},
    {"--tolerance", RECONSTRUCTS, NULL, 0, AT(tolerance), 1e-14, 0.1, 1e-6,
     "relative error of the transforms"},
    {"--window", RECONSTRUCTS, windows, 1, AT(window), 0, 0, ENUF_WINDOW_PROLATE,
     "of the spreading"},
    {"--width", RECONSTRUCTS, NULL, 1, AT(width), 2, ENUF_MAX_WIDTH, 0,
     "of the window in cells, with --upsampling; in place of the tolerance"},
    {"--upsampling", RECONSTRUCTS, NULL, 0, AT(upsampling), 1, 64, 0, "fine grid over pixels"},
    {"--backend", RECONSTRUCTS | TABULATES, backends, 1, AT(backend), 0, 0, ENUF_BACKEND_AUTO,
     "where the transforms run"},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* "a, b or c" */
static const char *list_of(const choice *choices, char text[512])
{
    int length = 0;
    for (int i = 0; choices[i].name; i++)
        length += snprintf(text + length, (size_t)(512 - length), "%s%s",
                           i == 0                ? ""
                           : choices[i + 1].name ? ", "
                                                 : " or ",
                           choices[i].name);
    return text;
}

static void print_choices(const choice *choices, const char *indent)
{
    for (int i = 0; choices[i].name; i++)
        printf("%s%-14s %s\n", indent, choices[i].name, choices[i].help);
}

static void print_help(void)
{
    puts("Usage: imaging COMMAND FOLDER [OPTION VALUE]...\n\n"
         "Images from radial and spiral samples of k-space (docs/images.md). FOLDER exists.\n\n"
         "Commands:");
    print_choices(commands, "  ");
    for (int c = 0; c <= COMMAND_TABLE; c++) {
        printf("\nOptions of %s:\n", commands[c].name);
        for (int i = 0; i < OPTIONS; i++) {
            const option *o = &options[i];
            if (!(o->of >> c & 1)) continue;
            char shown[32] = "";
            if (!o->choices && (o->value != 0 || o->least == 0))
                snprintf(shown, sizeof shown, " [%g]", o->value);
            if (o->choices) snprintf(shown, sizeof shown, " [%s]", o->choices[(int)o->value].name);
            printf("  %-14s %s%s\n", o->name, o->help, shown);
            if (o->choices) print_choices(o->choices, "      ");
        }
    }
    puts("\nArrays of NumPy, '<f8' and '<c16', in FOLDER:\n"
         "  trajectory.npy (samples, 2) or (frames, samples, 2), in cycles per field of view\n"
         "  data.npy       (frames, coils, samples)\n"
         "  weights.npy    (samples,) or (frames, samples)\n"
         "  maps.npy       (coils, side, side); may be missing\n"
         "  truth.npy      (frames, side, side), of simulate; reconstruct prints the error against "
         "it");
}

static int64_t choose(const char *name, const choice *choices, const char *word)
{
    char list[512];
    for (int i = 0; choices[i].name; i++)
        if (strcmp(choices[i].name, word) == 0) return i;
    fail("%s '%.60s': use %s", name, word, list_of(choices, list));
}

static double read_number(const option *o, const char *word)
{
    char *end;
    errno = 0;
    const double value = strtod(word, &end);
    if (end == word || *end || errno || !(value >= o->least && value <= o->most) ||
        (o->whole && value != floor(value)))
        fail("%s '%.60s': use a %snumber from %g to %g", o->name, word, o->whole ? "whole " : "",
             o->least, o->most);
    return value;
}

static void set(settings *s, const option *o, double value)
{
    void *field = (char *)s + o->at;
    if (o->whole)
        *(int64_t *)field = (int64_t)value;
    else
        *(double *)field = value;
}

static const option *find(const char *name, int64_t of)
{
    for (int i = 0; i < OPTIONS; i++)
        if (strcmp(options[i].name, name) == 0) {
            if (!(options[i].of >> of & 1))
                fail("%s is no option of %s: see imaging --help", name, commands[of].name);
            return &options[i];
        }
    fail("there is no option '%.60s': see imaging --help", name);
}

settings settings_read(int n_words, char **words)
{
    settings s = {0};
    for (int i = 1; i < n_words; i++)
        if (strcmp(words[i], "--help") == 0) {
            print_help();
            exit(0);
        }
    if (n_words < 3) fail("give a command and a folder: see imaging --help");
    s.command = choose("command", commands, words[1]);
    s.folder = words[2];
    for (int i = 0; i < OPTIONS; i++) set(&s, &options[i], options[i].value);
    for (int i = 3; i < n_words; i += 2) {
        const option *o = find(words[i], s.command);
        if (i + 1 == n_words) fail("%s needs a value", words[i]);
        set(&s, o,
            o->choices ? (double)choose(o->name, o->choices, words[i + 1])
                       : read_number(o, words[i + 1]));
    }
    if ((s.width > 0) != (s.upsampling > 0)) fail("give --width and --upsampling together");
    check_backend((enuf_backend)s.backend);
    return s;
}
