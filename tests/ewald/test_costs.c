/*
 * test_costs.c - the cost model gives the measured times at the measured sizes, and more work costs
 * more. A calibration file keeps its rates to four digits and determines the choice of parameters.
 * A wrong file is refused with an error that names its line or row. A file that cannot be written
 * leaves no file behind, and calibration then measures nothing. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "choose/costs.h"
#include "systems.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/enuf_costs_XXXXXX";

static void enter_directory(void)
{
    if (!mkdtemp(directory) || chdir(directory) != 0) exit(CHECK_FAILED);
}

static void leave_directory(void)
{
    CHECK(chdir("/") == 0 && rmdir(directory) == 0); /* no file is left in it */
}

/* A request for n ions in a volume of 1 each. */
static enuf_choice_request request_of(int64_t n, double requested, enuf_ewald_options *options,
                                      const enuf_costs *costs)
{
    enuf_ewald_options_init(options);
    return (enuf_choice_request){.options = options,
                                 .volume = (double)n,
                                 .n_charged = n,
                                 .requested = requested,
                                 .costs = costs};
}

static void measured_points_come_back(void)
{
    const enuf_cost_rates *rates = &enuf_costs_shipped.rates[0];
    enuf_ewald_options options;
    int64_t n = (int64_t)enuf_cost_systems[ENUF_COST_USUAL];
    enuf_choice_request request =
        request_of(n, enuf_cost_accuracies[1], &options, &enuf_costs_shipped);
    for (int k = 0; k < ENUF_COST_NEIGHBOURS; k++) {
        double cutoff = cbrt(enuf_cost_neighbours[k] / 4.18879020478639);
        CHECK_CLOSE(enuf_cost_of_pairs(&request, ENUF_SPLIT_PROLATE, cutoff),
                    1e-9 * (double)n * rates->pairs[1][1][k], 1e-12, "pairs at a measured point");
    }
    /* 32768 ions on 64^3 cells: rates for an eighth of an ion per cell */
    for (int w = 0; w < ENUF_COST_WIDTHS; w++) {
        const int64_t grid[3] = {64, 64, 64}, modes[3] = {32, 32, 32};
        request = request_of(32768, 1e-5, &options, &enuf_costs_shipped);
        int g = 0;
        while (enuf_cost_grids[g] != 64) g++;
        double seconds = enuf_cost_of_mesh(&request, modes, grid, enuf_cost_widths[w]);
        double apart = rates->ion_apart[1] + (rates->ion_apart[2] - rates->ion_apart[1]) *
                                                 log(32768.0 / 30000) / log(1e6 / 30000);
        double expected =
            32768e-9 * (rates->ion[1][w] + apart) + 262144e-9 * rates->transform[1][g];
        CHECK_CLOSE(seconds, expected, 1e-9, "mesh at a measured point");
    }
}

/* The additional time of a system (rates ion_apart times ions) is interpolated between the times of
 * the measured systems. */
static void additional_times_are_interpolated(void)
{
    const double *systems = enuf_cost_systems;
    enuf_costs costs = enuf_costs_shipped_cuda;
    double *apart = costs.rates[0].ion_apart, times[2] = {4e5, 2e4}; /* ns */
    for (int k = 0; k < 2; k++) apart[k] = times[k] / systems[k];
    const int64_t n = 10000, grid[3] = {64, 64, 64}, modes[3] = {32, 32, 32};
    enuf_ewald_options options;
    enuf_choice_request request = request_of(n, 1e-5, &options, &costs);
    const double with = enuf_cost_of_mesh(&request, modes, grid, 8);
    apart[0] = apart[1] = 0;
    const double without = enuf_cost_of_mesh(&request, modes, grid, 8);
    const double part = log((double)n / systems[0]) / log(systems[1] / systems[0]);
    CHECK_CLOSE(with - without, 1e-9 * (times[0] + part * (times[1] - times[0])), 1e-9,
                "additional time of 10000 ions");
}

/* On GPUs whose double is slow, pairs in double take 26 times as long; in float as long; the mesh,
 * part arithmetic and part memory, longer in both. */
static void slow_double_costs_more(void)
{
    const double ratio = 34 / 1.29; /* TFLOP/s in double of an H100 and of an RTX 4090 */
    const int64_t grid[3] = {96, 96, 96}, modes[3] = {48, 48, 48};
    enuf_costs slow = enuf_costs_shipped_cuda;
    enuf_ewald_options options;
    enuf_costs_on_slow_fp64(&slow);
    for (int k = 0; k < 2; k++) {
        enuf_choice_request now = request_of(100000, 1e-5, &options, &slow);
        options.arithmetic = k ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
        const double pairs = enuf_cost_of_pairs(&now, ENUF_SPLIT_PROLATE, 10);
        const double mesh = enuf_cost_of_mesh(&now, modes, grid, 8);
        now.costs = &enuf_costs_shipped_cuda;
        const double apart = 1e-9 * 100000 * now.costs->rates[k].pairs_apart[2];
        CHECK_CLOSE(pairs - apart,
                    (k ? 1 : ratio) * (enuf_cost_of_pairs(&now, ENUF_SPLIT_PROLATE, 10) - apart),
                    0.3, "seconds of pairs");
        CHECK(mesh > enuf_cost_of_mesh(&now, modes, grid, 8));
    }
}

/* More work costs more, where the rates of neighbouring sizes are similar. */
static void costs_grow(void)
{
    enuf_ewald_options options;
    enuf_choice_request request = request_of(100000, 1e-6, &options, &enuf_costs_shipped);
    double before = 0;
    for (double cutoff = 1.3; cutoff < 12; cutoff *= 1.05) {
        double now = enuf_cost_of_pairs(&request, ENUF_SPLIT_GAUSSIAN, cutoff);
        CHECK(now > before);
        before = now;
    }
    for (int arithmetic = 0; arithmetic < 2; arithmetic++) {
        options.arithmetic = arithmetic ? ENUF_ARITHMETIC_MIXED : ENUF_ARITHMETIC_DOUBLE;
        before = 0;
        for (int64_t edge = 16; edge <= 1024; edge *= 2) {
            const int64_t grid[3] = {edge, edge, edge}, modes[3] = {edge / 2, edge / 2, edge / 2};
            double now = enuf_cost_of_mesh(&request, modes, grid, 8);
            CHECK(now > before);
            before = edge >= 64 ? now : 0; /* on tiny grids many ions share a cell */
        }
    }
    /* the cheapest size of an axis is an FFT size and at least the requested one */
    for (int64_t least = 2; least < 700; least++) {
        int64_t size = enuf_cheapest_grid(&request, least);
        CHECK(size >= least && size == enuf_fft_size(size) && size <= 2 * least + 8);
    }
}

static void files_keep_the_rates(void)
{
    enuf_costs back;
    memset(&back, 0, sizeof back);
    CHECK_STATUS(enuf_costs_write("rates", &enuf_costs_shipped), ENUF_SUCCESS);
    /* the reader does not depend on the locale, which may have decimal commas */
    const char *comma = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    CHECK_STATUS(enuf_costs_read("rates", &back), ENUF_SUCCESS);
    if (comma) setlocale(LC_NUMERIC, "C");
    const double *a = (const double *)&enuf_costs_shipped, *b = (const double *)&back;
    double worst = 0;
    for (size_t k = 0; k < sizeof back / sizeof(double); k++)
        worst = fmax(worst, fabs(b[k] - a[k]) / (fabs(a[k]) + 1e-300));
    CHECK_BELOW(worst, 5e-4, "rates written with four digits");

    /* costs of messages that are 0 were not measured: they are not written, and the reader gives
     * the shipped ones */
    enuf_costs alone = enuf_costs_shipped;
    alone.messages = (enuf_message_costs){0, 0};
    CHECK_STATUS(enuf_costs_write("rates", &alone), ENUF_SUCCESS);
    CHECK_STATUS(enuf_costs_read("rates", &back), ENUF_SUCCESS);
    CHECK(back.messages.message == enuf_costs_shipped.messages.message &&
          back.messages.byte == enuf_costs_shipped.messages.byte);

    charge_system s = make_ions(1, 200, CELL_CUBIC, 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.calibration_file = "rates";
    enuf_ewald *ewald = make_ewald(&options, &s, NULL);
    CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
    enuf_ewald_destroy(&ewald);
    CHECK_STATUS(enuf_costs_write("nowhere/rates", &back), ENUF_IO);
    CHECK_TEXT("nowhere/rates");
    /* the name of a folder: no temporary file is left beside it, as leave_directory() checks */
    CHECK(mkdir("folder", 0700) == 0);
    CHECK_STATUS(enuf_costs_write("folder", &back), ENUF_IO);
    CHECK(rmdir("folder") == 0);
    free_system(&s);
    remove("rates");
}

static void count_steps(void *context, const char *text)
{
    (void)text;
    ++*(int *)context;
}

/* If the file cannot be written, nothing is measured. */
static void nothing_is_measured_without_a_file(void)
{
    int steps = 0;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.log = count_steps;
    options.log_context = &steps;
    CHECK_STATUS(enuf_ewald_calibrate_machine(&options, "nowhere/rates"), ENUF_IO);
    CHECK_TEXT("calibration file: cannot write nowhere/rates: No such file or directory");
    CHECK_STATUS(enuf_ewald_calibrate_machine(&options, "/"), ENUF_IO);
    CHECK_TEXT("Is a directory");
    CHECK(steps == 0);
}

/* The rates determine the choice: cheap pairs give a larger cutoff than expensive ones. */
static void rates_determine_the_choice(void)
{
    charge_system s = make_ions(2, 1000, CELL_CUBIC, 0);
    double cutoff[2];
    for (int expensive = 0; expensive < 2; expensive++) {
        enuf_costs costs = enuf_costs_shipped;
        double *pairs = &costs.rates[0].pairs[0][0][0];
        for (size_t k = 0; k < sizeof costs.rates[0].pairs / sizeof *pairs; k++)
            pairs[k] *= expensive ? 10 : 0.1;
        for (int k = 0; k < ENUF_COST_SYSTEMS; k++) costs.rates[0].pairs_apart[k] = 0;
        CHECK_STATUS(enuf_costs_write("rates", &costs), ENUF_SUCCESS);
        enuf_ewald_options options = options_for(1e-6, ENUF_SPLIT_AUTO);
        options.calibration_file = "rates";
        enuf_ewald *ewald = make_ewald(&options, &s, NULL);
        enuf_ewald_report report = {.struct_size = sizeof report};
        CHECK_STATUS(enuf_ewald_tune(ewald, NULL, 3), ENUF_SUCCESS);
        CHECK_STATUS(enuf_ewald_get_report(ewald, &report), ENUF_SUCCESS);
        cutoff[expensive] = report.cutoff;
        enuf_ewald_destroy(&ewald);
        remove("rates");
    }
    printf("cutoff with cheap pairs %.2f, with expensive ones %.2f\n", cutoff[0], cutoff[1]);
    CHECK(cutoff[0] > 1.5 * cutoff[1]);
    free_system(&s);
}

/* Replaces `from` in the file by `to`. The file is refused, and the error contains `text`. */
static void refused(const char *whole, const char *from, const char *to, const char *text)
{
    const char *at = strstr(whole, from);
    CHECK(at != NULL);
    if (!at) return;
    FILE *file = fopen("bad", "w");
    fprintf(file, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    fclose(file);
    enuf_costs costs = enuf_costs_shipped;
    CHECK_STATUS(enuf_costs_read("bad", &costs), ENUF_BAD_FILE);
    CHECK_TEXT(text);
    CHECK(memcmp(&costs, &enuf_costs_shipped, sizeof costs) == 0);
    enuf_ewald_options options = options_for(1e-5, ENUF_SPLIT_AUTO);
    options.calibration_file = "bad";
    enuf_ewald *ewald;
    CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_BAD_FILE);
    CHECK(ewald == NULL);
    remove("bad");
}

static void wrong_files_are_refused(void)
{
    static char whole[20000];
    CHECK_STATUS(enuf_costs_write("good", &enuf_costs_shipped), ENUF_SUCCESS);
    FILE *file = fopen("good", "r");
    whole[fread(whole, 1, sizeof whole - 1, file)] = 0;
    fclose(file);
    remove("good");
    refused(whole, "enuf-calibration 1", "enuf-calibration 2", "line 1");
    refused(whole, "double-ion-apart", "double-iron-apart", "line 11: double-iron-apart");
    refused(whole, "double-ion-apart ", "double-ion-apart 1 ", "has 4 numbers, it needs 3");
    refused(whole, "double-ion-in-1-cell ", "double-ion-in-1-cell -", "not a positive number");
    refused(whole, "double-ion-in-1-cell ", "double-ion-in-1-cell nan", "not a positive number");
    refused(whole, "float-transform-2", "double-transform-2", "comes a second time");
    refused(whole, "messages ", "messages 1 ", "messages has 3 numbers, it needs 2");
    refused(whole, "messages ", "messages -", "not a positive number");
    refused(whole, "messages ", "message ", "message is no row");
    refused(whole, strstr(whole, "float-transform-2"), "", "float-transform-2 is missing");
    char spaces[1100];
    snprintf(spaces, sizeof spaces, "double-ion-apart%1060s", "");
    refused(whole, "double-ion-apart ", spaces, "line 11: longer than");
    enuf_costs costs;
    CHECK_STATUS(enuf_costs_read(".", &costs), ENUF_IO);
    CHECK_STATUS(enuf_costs_read("missing", &costs), ENUF_IO);
    CHECK_TEXT("calibration file missing");
}

int main(void)
{
    enter_directory();
    measured_points_come_back();
    additional_times_are_interpolated();
    slow_double_costs_more();
    costs_grow();
    files_keep_the_rates();
    nothing_is_measured_without_a_file();
    rates_determine_the_choice();
    wrong_files_are_refused();
    leave_directory();
    return check_result();
}
