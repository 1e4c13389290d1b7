/*
 * error_honesty.c - the accuracy asked for against the error delivered, on liquids and crystals
 * whose charges screen each other. The parameters are chosen with the positions known, which
 * measures the error on a sample of ions; here it is measured on 256 drawn anew, against exact
 * sums. In every row
 *
 *     0.1 <= delivered/requested <= 1   and   0.5 <= predicted/delivered <= 2
 *
 * Usage: error_honesty [FOLDER [DATA [short]]]. FOLDER gets error_honesty.csv and, where gnuplot is
 * installed, error_honesty.png; DATA is where the systems' files are, examples/data unless given;
 * `short` takes three accuracies of the small systems. SPDX-License-Identifier: BSD-3-Clause
 */
#include "correlated_systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 256, SEED = 20 };

static void check(enuf_status status)
{
    if (status == ENUF_SUCCESS) return;
    fprintf(stderr, "error_honesty: %s\n", enuf_last_error());
    exit(1);
}

/* Tunes and measures: the errors predicted and delivered, both in units of the accuracy. */
static void measure(const ionic_system *s, enuf_split split, double accuracy,
                    enuf_ewald_report *report)
{
    const enuf_exclusions excluded = {s->n_excluded, s->excluded, NULL};
    enuf_ewald *ewald;
    enuf_ewald_options options;
    enuf_ewald_error error = {.struct_size = sizeof error};
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.split = split;
    check(enuf_ewald_create(&options, &ewald));
    check(enuf_ewald_set_cell(ewald, s->cell));
    check(enuf_ewald_set_charges(ewald, s->n, s->charges, &excluded));
    check(enuf_ewald_tune(ewald, s->positions, 3));
    check(enuf_ewald_measure_error(ewald, s->positions, 3, SAMPLE, SEED, &error));
    *report = (enuf_ewald_report){.struct_size = sizeof *report};
    check(enuf_ewald_get_report(ewald, report));
    enuf_ewald_destroy(&ewald);
}

/* Prints one row; 1 where the claim does not hold in it. */
static int row(const ionic_system *s, enuf_split split, double accuracy, FILE *csv)
{
    enuf_ewald_report r;
    measure(s, split, accuracy, &r);
    const double of_request = r.measured / accuracy, of_truth = r.predicted / r.measured;
    const int wrong = !(of_request >= 0.1 && of_request <= 1 && of_truth >= 0.5 && of_truth <= 2);
    fprintf(csv, "%s,%s,%g,%.4g,%.4g,%.4g,%.4g\n", s->name, enuf_split_name(split), accuracy,
            r.predicted, r.measured, of_request, of_truth);
    printf("%-12s %-9s %7.0e %10.2e %10.2e %8.2f %8.2f%s\n", s->name, enuf_split_name(split),
           accuracy, r.predicted, r.measured, of_request, of_truth, wrong ? "  <--" : "");
    return wrong;
}

/* One panel: every system in its colour, open circles for the Gaussian, full ones for the prolate.
 * Columns as gnuplot's; `aside` keeps the systems apart by this factor in x. */
static void draw_systems(FILE *gnuplot, const char *folder, const char *y, double aside)
{
    static const char *const systems[SYSTEM_COUNT][2] = {
#define ENUF_X(NAME, name, description) {#name, description},
        CORRELATED_SYSTEMS(ENUF_X)
#undef ENUF_X
    };
    static const char *const colours[SYSTEM_COUNT] = {"#1f77b4", "#17becf", "#9467bd", "#d62728",
                                                      "black",   "#ff7f0e", "#e377c2", "#2ca02c"};
    for (int k = 0; k < SYSTEM_COUNT; k++)
        for (int split = 0; split < 2; split++)
            fprintf(gnuplot,
                    ", '%s/error_honesty.csv' skip 1 using ((stringcolumn(1) eq '%s' && "
                    "stringcolumn(2) eq '%s') ? $3*%g : NaN):%s with points pt %d lc rgb '%s' "
                    "title '%s'",
                    folder, systems[k][0],
                    enuf_split_name(split ? ENUF_SPLIT_PROLATE : ENUF_SPLIT_GAUSSIAN),
                    pow(aside, k - 0.5 * (SYSTEM_COUNT - 1)), y, split ? 7 : 6, colours[k],
                    split && aside == 1 ? systems[k][1] : "");
    fputc('\n', gnuplot);
}

/* gnuplot is asked for, never required. */
static void draw(const char *folder)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0) {
        puts("gnuplot is not installed: no picture");
        return;
    }
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot) return;
    fprintf(gnuplot,
            "set terminal pngcairo size 1000,560 font 'Sans,11'\n"
            "set output '%s/error_honesty.png'\nset datafile separator ','\nset grid\n"
            "set multiplot layout 1,2\nset logscale xy\nset format x '10^{%%T}'\n"
            "set xlabel 'accuracy requested'\nset xrange [3e-11:3e-3]\n"
            "set ylabel 'error delivered / F_{ref}'\nset format y '10^{%%T}'\n"
            "set yrange [3e-12:10]\nset key top left Left reverse samplen 1\n"
            "plot x with lines lc 'black' title 'requested', x/10 with lines lc 'black' dt 2 "
            "title 'one tenth of it'",
            folder);
    draw_systems(gnuplot, folder, "5", 1);
    fputs("set ylabel 'predicted / delivered'\nset format y '%g'\nset yrange [0.4:2.5]\n"
          "set ytics (0.5, 0.7, 1, 1.4, 2)\n"
          "plot 0.5 with lines lc 'black' dt 2 notitle, 2 with lines lc 'black' dt 2 notitle",
          gnuplot);
    draw_systems(gnuplot, folder, "7", 1.15);
    if (pclose(gnuplot) != 0) puts("gnuplot failed: no picture");
}

int main(int n_words, char **words)
{
    const char *folder = n_words > 1 ? words[1] : ".";
    const char *data = n_words > 2 ? words[2] : "examples/data";
    const int brief = n_words > 3 && strcmp(words[3], "short") == 0;
    int rows = 0, wrong = 0;
    char path[4096];
    snprintf(path, sizeof path, "%s/error_honesty.csv", folder);
    FILE *csv = fopen(path, "w");
    if (!csv) return perror(path), 1;
    fputs("system,split,requested,predicted,delivered,delivered/requested,predicted/delivered\n",
          csv);
    puts("system       split     request  predicted  delivered  del/req  pre/del");
    for (int k = 0; k < SYSTEM_COUNT; k++) {
        ionic_system s;
        if (brief && k == SYSTEM_WATER_BOX) continue;
        if (!ionic_system_build((correlated_system)k, data, &s)) return perror(data), 1;
        for (int digits = 3; digits <= 10; digits += brief ? 3 : 1)
            for (int split = ENUF_SPLIT_GAUSSIAN; split <= ENUF_SPLIT_PROLATE; split++, rows++)
                wrong += row(&s, (enuf_split)split, pow(10, -digits), csv);
        ionic_system_free(&s);
    }
    if (fclose(csv) != 0) return perror(path), 1;
    draw(folder);
    printf("\n%d rows, the claim fails in %d\n", rows, wrong);
    return wrong > 0;
}
