/*
 * test_cli_tune.c - `enuf tune` lists candidates by measured time, with predicted errors below the
 * request, and marks the chosen one. --measure chooses the fastest and keeps it as wisdom, which
 * gives the same parameters without a timing. --ranks and --cells predict systems that are not
 * made. A calibration file is written and read; a wrong one is refused. SPDX-License-Identifier:
 * BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void candidates_are_listed(void)
{
    cJSON *report = JSON("tune", "nacl.xyz", "--accuracy", "1e-5", "--threads", "1", "--dearest",
                         "3", "--candidates", "6");
    const cJSON *list = json_at(report, "candidates"), *chosen = json_at(report, "chosen");
    const int n = cJSON_GetArraySize(list);
    int marked = 0;
    double before = 0;
    CHECK(n >= 2 && n <= 6);
    for (int k = 0; k < n; ++k) {
        const cJSON *row = cJSON_GetArrayItem(list, k);
        const double seconds = json_number(row, "seconds");
        CHECK_BELOW(json_number(row, "predicted_error"), 1e-5, "predicted error, accuracy");
        CHECK(json_number(row, "predicted_seconds") > 0);
        CHECK(seconds >= before); /* sorted by measured time */
        CHECK_CLOSE(json_number(row, "seconds_real") + json_number(row, "seconds_reciprocal"),
                    seconds, 1e-12, "real + reciprocal");
        CHECK(cJSON_GetArraySize(json_at(row, "grid")) == 3);
        CHECK(*json_text(row, "split") && *json_text(row, "window"));
        CHECK(isnan(json_number(row, "alpha")) != isnan(json_number(row, "c")));
        before = seconds;
        if (!cJSON_IsTrue(json_at(row, "chosen"))) continue;
        ++marked;
        CHECK(cJSON_Compare(row, chosen, 1));
    }
    CHECK(marked == 1);
    CHECK_CLOSE(json_number(report, "requested"), 1e-5, 1e-15, "requested");
    CHECK_CLOSE(json_number(report, "ions"), 8, 0, "ions");
    CHECK(cJSON_IsNull(json_at(report, "calibration")));
    cJSON_Delete(report);
}

static void table_is_printed(void)
{
    program_run run;
    RUN(&run, "tune", "nacl.xyz", "--split", "gaussian", "--cutoff", "3", "--candidates", "3");
    CHECK(run.status == 0);
    CHECK(strstr(run.out, "\n* gaussian    3.000") != NULL);
    CHECK(strstr(run.out, "prolate ") == NULL);
    CHECK(strstr(run.out, "* chosen by the model, the shipped rates; ") != NULL);
    CHECK(*run.err == 0);
    program_free(&run);
}

/* Checks a report of --measure. The chosen one is the fastest of those that were timed. */
static void check_measured(const cJSON *report, int from_wisdom)
{
    const cJSON *list = json_at(report, "candidates"), *chosen = json_at(report, "chosen");
    int marked = 0;
    for (int k = 0; k < cJSON_GetArraySize(list); ++k) {
        const cJSON *row = cJSON_GetArrayItem(list, k);
        const char *state = json_text(row, "state");
        const int is_chosen = strcmp(state, "chosen") == 0;
        marked += is_chosen;
        CHECK(cJSON_IsTrue(json_at(row, "chosen")) == is_chosen);
        CHECK(json_number(row, "predicted_seconds") > 0 && json_number(row, "bytes") > 0);
        if (is_chosen) CHECK(cJSON_Compare(row, chosen, 1));
        if (strcmp(state, "misses the tolerance") != 0)
            CHECK_BELOW(json_number(row, "predicted_error"), 1e-5, "predicted error, accuracy");
        if (strcmp(state, "slower") == 0)
            CHECK(json_number(row, "seconds") >= json_number(chosen, "seconds"));
        if (strcmp(state, "not timed") == 0) CHECK(isnan(json_number(row, "seconds")));
    }
    CHECK(marked == 1 && (json_number(chosen, "timings") > 0) == !from_wisdom);
    CHECK_BELOW(json_number(chosen, "measured_error"), 1e-5, "measured error, accuracy");
    CHECK(cJSON_IsTrue(json_at(report, "from_wisdom")) == from_wisdom);
}

#define MEASURED "tune", "nacl.xyz", "--accuracy", "1e-5", "--threads", "1", "--measure"

static void fastest_is_chosen(void)
{
    program_run run;
    remove("wisdom.json");
    cJSON *first = JSON(MEASURED, "--wisdom", "wisdom.json", "--dearest", "3");
    check_measured(first, 0);
    cJSON *again = JSON(MEASURED, "--wisdom", "wisdom.json");
    check_measured(again, 1);
    static const char *const same[] = {"cutoff", "kmax", "width", "shape", "seconds"};
    for (int k = 0; k < (int)(sizeof same / sizeof *same); ++k)
        CHECK(json_number(json_at(first, "chosen"), same[k]) ==
              json_number(json_at(again, "chosen"), same[k]));
    CHECK(strcmp(json_text(again, "wisdom"), "wisdom.json") == 0);
    cJSON_Delete(first);
    cJSON_Delete(again);
    RUN(&run, MEASURED, "--wisdom", "wisdom.json");
    CHECK(run.status == 0 && *run.err == 0);
    CHECK(strstr(run.out, "\n* chosen by wisdom; error at these positions ") != NULL);
    program_free(&run);
    RUN(&run, MEASURED, "--split", "gaussian", "--cutoff", "3");
    CHECK(run.status == 0 && *run.err == 0);
    CHECK(strstr(run.out, "\n* gaussian    3.000") != NULL && !strstr(run.out, "prolate  "));
    CHECK(strstr(run.out, "\n* chosen by time; error at these positions ") != NULL);
    program_free(&run);
    program_write_file("wisdom.json", "{\"format\": 3}");
    REFUSED("wisdom.json, line 1, column 12: expected a text", MEASURED, "--wisdom", "wisdom.json");
    remove("wisdom.json");
    REFUSED("--wisdom: cannot write nowhere/w.json: folder nowhere: No such file", MEASURED,
            "--wisdom", "nowhere/w.json");
    REFUSED("--wisdom keeps what --measure has timed", "tune", "nacl.xyz", "--wisdom", "w.json");
    REFUSED("--measure and --calibrate: give one of the two", "tune", "--measure", "--calibrate",
            "rates");
    REFUSED("leave out --ranks, --cells and mpirun", MEASURED, "--ranks", "4");
    REFUSED("--uncorrelated is of --measure", "tune", "nacl.xyz", "--uncorrelated");
    REFUSED("the least error is", MEASURED, "--cutoff", "2", "--grid", "4,4,4");
}

/* A cutoff that the model does not choose shows where the parameters are from. */
#define AS_TUNED "--accuracy", "1e-5", "--threads", "1", "--wisdom", "wisdom.json"

static void energies_take_wisdom(void)
{
    remove("wisdom.json");
    REFUSED("wisdom.json: No such file", "energy", "nacl.xyz", AS_TUNED);
    cJSON *tuned = JSON(MEASURED, "--wisdom", "wisdom.json", "--dearest", "3");
    cJSON *energy = JSON("energy", "nacl.xyz", AS_TUNED);
    CHECK(json_number(json_at(tuned, "chosen"), "cutoff") ==
          json_number(json_at(energy, "parameters"), "cutoff"));
    cJSON_Delete(tuned);
    cJSON_Delete(energy);
    REFUSED("wisdom has no entry that serves Ewald sums", "energy", "nacl.xyz", AS_TUNED,
            "--cutoff", "4");
    REFUSED("`enuf tune nacl.xyz --measure --wisdom wisdom.json`, with the same options", "energy",
            "nacl.xyz", AS_TUNED, "--cutoff", "4");
    REFUSED("--wisdom and --calibrate: give one of the two", "energy", "nacl.xyz", AS_TUNED,
            "--calibrate");
    remove("wisdom.json");
}

static void deterministic_runs_take_wisdom(void)
{
    REFUSED("--deterministic give --wisdom FILE", MEASURED, "--deterministic");
    /* an entry of charges at the positions does not serve */
    cJSON *at_positions = JSON(MEASURED, "--wisdom", "wisdom.json");
    REFUSED("`enuf tune nacl.xyz --measure --uncorrelated --wisdom wisdom.json`", MEASURED,
            "--wisdom", "wisdom.json", "--deterministic");
    cJSON *tuned = JSON(MEASURED, "--wisdom", "wisdom.json", "--uncorrelated");
    CHECK(json_number(json_at(tuned, "chosen"), "timings") > 0);
    CHECK(isnan(json_number(json_at(tuned, "chosen"), "measured_error"))); /* not looked at */
    cJSON *again = JSON(MEASURED, "--wisdom", "wisdom.json", "--deterministic");
    CHECK(cJSON_IsTrue(json_at(again, "from_wisdom")));
    CHECK(json_number(json_at(tuned, "chosen"), "cutoff") ==
          json_number(json_at(again, "chosen"), "cutoff"));
    cJSON *energy = JSON("energy", "nacl.xyz", AS_TUNED, "--deterministic");
    CHECK(json_number(json_at(tuned, "chosen"), "cutoff") ==
          json_number(json_at(energy, "parameters"), "cutoff"));
    cJSON_Delete(at_positions);
    cJSON_Delete(tuned);
    cJSON_Delete(again);
    cJSON_Delete(energy);
    remove("wisdom.json");
}

/* --ranks predicts times on ranks that are not started; --cells of a system that is not made, also
 * for GPUs that this machine lacks. */
static void ranks_are_predicted(void)
{
    cJSON *info = JSON("info");
    const int without = strcmp(json_text(info, "mpi"), "not built in") == 0;
    cJSON_Delete(info);
    if (without) {
        REFUSED("built without it", "tune", "nacl.xyz", "--ranks", "8");
        REFUSED("built without it", "tune", "nacl.xyz", "--cells", "8");
        return;
    }
    cJSON *report = JSON("tune", "nacl.xyz", "--candidates", "2", "--ranks", "8", "--threads", "2");
    const cJSON *mpi = json_at(report, "mpi");
    CHECK_CLOSE(json_number(mpi, "ranks"), 8, 0, "ranks");
    CHECK_CLOSE(json_number(mpi, "threads"), 2, 0, "threads");
    CHECK(isnan(json_number(json_at(mpi, "replicated"), "seconds")));
    CHECK(isnan(json_number(report, "cells")));
    cJSON_Delete(report);
    report = JSON("tune", "nacl.xyz", "--candidates", "2", "--ranks", "8", "--accuracy", "1e-4",
                  "--precision", "by_accuracy");
    CHECK(strcmp(json_text(json_at(report, "mpi"), "precision"), "mixed") == 0);
    cJSON_Delete(report);
    report = JSON("tune", "nacl.xyz", "--cells", "40", "--ranks", "16", "--backend", "cuda",
                  "--accuracy", "1e-4", "--deterministic");
    mpi = json_at(report, "mpi");
    CHECK_CLOSE(json_number(mpi, "charges"), 8 * 64000, 0, "charges");
    CHECK(strcmp(json_text(mpi, "backend"), "cuda") == 0);
    CHECK(strcmp(json_text(mpi, "precision"), "mixed") == 0);
    CHECK_CLOSE(json_number(report, "cells"), 40, 0, "cells");
    CHECK(cJSON_GetArraySize(json_at(report, "candidates")) == 0);
    CHECK_BELOW(json_number(json_at(report, "chosen"), "predicted_error"), 1e-4, "error");
    const double modes = json_number(json_at(mpi, "distributed"), "work_seconds");
    cJSON_Delete(report);
    /* half the ranks, the same parameters: each has twice the work */
    report = JSON("tune", "nacl.xyz", "--cells", "40", "--ranks", "8", "--backend", "cuda",
                  "--accuracy", "1e-4", "--deterministic");
    CHECK_CLOSE(json_number(json_at(json_at(report, "mpi"), "distributed"), "work_seconds"),
                2 * modes, 1e-12, "work of modes on half the ranks");
    cJSON_Delete(report);
    program_run run;
    RUN(&run, "tune", "nacl.xyz", "--cells", "40", "--ranks", "16");
    CHECK(run.status == 0 && *run.err == 0);
    CHECK(strstr(run.out, "512000 charges on 16 ranks of 1 thread, double precision") != NULL);
    CHECK(strstr(run.out, "\n* modes ") != NULL);
    program_free(&run);
    REFUSED("ranks", "tune", "nacl.xyz", "--ranks", "0");
    REFUSED("cells is 100000", "tune", "nacl.xyz", "--cells", "100000");
    REFUSED("give --ranks P", "tune", "nacl.xyz", "--latency", "5");
    REFUSED("--bandwidth", "tune", "nacl.xyz", "--bandwidth", "5");
}

/* The calibration takes half a minute on an idle machine, so it runs once. */
static void machine_is_calibrated(void)
{
    program_run run;
    RUN(&run, "tune", "--calibrate", "rates");
    CHECK(run.status == 0 && *run.out == 0 && *run.err == 0);
    program_free(&run);
    char *rates = program_read_file("rates");
    CHECK(strncmp(rates, "enuf-calibration 1 cpu\n", 23) == 0);
    free(rates);
    cJSON *report = JSON("tune", "nacl.xyz", "--calibration", "rates", "--candidates", "2");
    CHECK(strcmp(json_text(report, "calibration"), "rates") == 0);
    cJSON_Delete(report);
    RUN(&run, "energy", "nacl.xyz", "--calibration", "rates");
    CHECK(run.status == 0);
    program_free(&run);
    RUN(&run, "energy", "nacl.xyz", "--calibrate");
    CHECK(run.status == 0);
    program_free(&run);
    RUN(&run, "madelung", "fluorite", "--calibration", "rates");
    CHECK(run.status == 0);
    program_free(&run);
    remove("rates");
}

static void wrong_words_are_refused(void)
{
    program_write_file("bad", "enuf-calibration 1 cpu\ndouble-ion 3\n");
    REFUSED("no FILE given (see enuf tune --help)", "tune");
    REFUSED("missing.xyz", "tune", "missing.xyz");
    REFUSED("bad, line 2: double-ion is no row of a calibration file", "tune", "nacl.xyz",
            "--calibration", "bad");
    REFUSED("calibration file nothing: No such file", "energy", "nacl.xyz", "--calibration",
            "nothing");
    REFUSED("--calibrate measures the machine, not nacl.xyz", "tune", "nacl.xyz", "--calibrate",
            "rates");
    REFUSED("dearest", "tune", "nacl.xyz", "--dearest", "0.9");
    REFUSED("candidates", "tune", "nacl.xyz", "--candidates", "0");
    REFUSED("unknown option --forces", "tune", "nacl.xyz", "--forces", "f.xyz");
    remove("bad");
}

int main(void)
{
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);
    candidates_are_listed();
    table_is_printed();
    fastest_is_chosen();
    energies_take_wisdom();
    deterministic_runs_take_wisdom();
    wrong_words_are_refused();
    ranks_are_predicted();
    machine_is_calibrated();
    program_leave_directory();
    return check_result();
}
