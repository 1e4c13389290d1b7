/* settings.c - see settings.h. SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"
#include "backend.h"
#include "fail.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct option {
    const char *name;
    int whole;
    size_t at; /* in settings */
    double least, most, value;
    const char *help;
} option;

#define AT(field) offsetof(settings, field)
static const option options[] = {
    {"--images", 1, AT(images), 1, 1e7, 300, "their number"},
    {"--pixels", 1, AT(pixels), 3, 1000, 25, "of an edge of the detector"},
    {"--photons", 0, AT(photons), 1e-9, 1e9, 1, "counted where the intensity is 1"},
    {"--atoms", 1, AT(atoms), 1, 1e6, 60, "of the molecule"},
    {"--half", 1, AT(half), 2, 100, 8, "voxels of the largest radius of the molecule"},
    {"--wrong", 0, AT(wrong), 0, 180, 5, "largest error of the orientations at first, degrees"},
    {"--rounds", 1, AT(rounds), 1, 1000, 12, "of merging"},
    {"--iterations", 1, AT(iterations), 1, 1000, 12, "of conjugate gradients"},
    {"--phasing", 1, AT(phasing), 1, 100000, 400, "iterations of phasing"},
    {"--starts", 1, AT(starts), 1, 1000, 4, "of phasing, from random densities"},
    {"--seed", 1, AT(seed), 0, 9e15, 1, "of all random numbers"},
    {"--q", 0, AT(q), 0.1, 3.14, 2.2, "largest q, radians a voxel"},
};
enum { OPTIONS = sizeof options / sizeof *options };

static void print_help(void)
{
    puts("Usage: mtip FOLDER [OPTION VALUE]...\n\n"
         "Finds a molecule from simulated X-ray images in unknown orientations, on any number of\n"
         "ranks (docs/images.md). FOLDER exists; it gets density.npy, autocorrelation.npy,\n"
         "shell_correlation.csv, density.png and slices.png.\n");
    for (int i = 0; i < OPTIONS; i++)
        printf("  %-13s %s [%g]\n", options[i].name, options[i].help, options[i].value);
    puts("  --backend     of the transforms: auto, cpu or cuda; ranks of a machine share its GPUs "
         "[auto]");
}

static void set(settings *s, const option *o, double value)
{
    void *field = (char *)s + o->at;
    if (o->whole)
        *(int64_t *)field = (int64_t)value;
    else
        *(double *)field = value;
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

settings settings_read(int n_words, char **words)
{
    settings s = {.backend = ENUF_BACKEND_AUTO, .device = -1};
    for (int i = 0; i < OPTIONS; i++) set(&s, &options[i], options[i].value);
    for (int w = 1; w < n_words; w++) {
        int i = 0;
        if (strcmp(words[w], "--help") == 0) {
            print_help();
            exit(0);
        }
        if (words[w][0] != '-') {
            if (s.folder) fail("'%.60s': one folder is needed, mtip --help tells more", words[w]);
            s.folder = words[w];
            continue;
        }
        const int backend = strcmp(words[w], "--backend") == 0;
        while (i < OPTIONS && strcmp(options[i].name, words[w]) != 0) i++;
        if ((i == OPTIONS && !backend) || w + 1 == n_words)
            fail("'%.60s': %s, mtip --help tells more", words[w],
                 w + 1 == n_words && (backend || i < OPTIONS) ? "its value is missing" : "unknown");
        if (backend)
            check(enuf_backend_parse(words[++w], &s.backend));
        else
            set(&s, &options[i], read_number(&options[i], words[++w]));
    }
    if (!s.folder) fail("no folder given, mtip --help tells more");
    if (access(s.folder, W_OK | X_OK) != 0)
        fail("%s: %s: a folder that can be written is needed", s.folder, strerror(errno));
    check_backend(s.backend);
    s.side = 4 * s.half + 1;
    return s;
}
