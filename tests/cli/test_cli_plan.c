/*
 * test_cli_plan.c - `enuf plan`: the candidates are those that enuf_nufft_tune() finds at the same
 * points, of a trajectory, of a file or of the standard input. The table marks one. Wisdom is
 * written after timing and gives the method again; a damaged file stays as it is. What cannot be
 * met, wrong options and wrong files are refused.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include "enuf/nufft_tuning.h"
#include "enuf/trajectories.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The same candidates ---- */

typedef struct scan {
    enuf_nufft_options options;
    int64_t n, readouts;
    double *s; /* [n][dim] */
} scan;

static scan make(enuf_trajectory_kind kind, int dim, const int64_t modes[3], double reduction)
{
    scan t;
    enuf_trajectory_options o;
    enuf_trajectory_options_init(&o);
    enuf_nufft_options_init(&t.options);
    o.kind = kind;
    o.dim = t.options.dim = dim;
    memcpy(o.modes, modes, sizeof o.modes);
    memcpy(t.options.modes, modes, sizeof o.modes);
    o.reduction = reduction;
    t.options.threads = 1;
    CHECK_STATUS(enuf_trajectory_count(&o, &t.n, &t.readouts), ENUF_SUCCESS);
    t.s = calloc((size_t)(t.n * dim), sizeof *t.s);
    CHECK_STATUS(
        enuf_trajectory_fill(&o, t.n, t.s, dim > 1 ? t.s + 1 : NULL, dim > 2 ? t.s + 2 : NULL, dim),
        ENUF_SUCCESS);
    return t;
}

static void check_candidate(const cJSON *row, const enuf_candidate *c, int dim)
{
    const cJSON *grid = json_at(row, "grid");
    CHECK(cJSON_IsTrue(json_at(row, "chosen")) == (c->state == ENUF_CANDIDATE_CHOSEN));
    CHECK(strcmp(json_text(row, "state"), enuf_candidate_state_text(c->state)) == 0);
    CHECK(strcmp(json_text(row, "window"), enuf_window_name(c->method.window)) == 0);
    CHECK(strcmp(json_text(row, "level"), enuf_level_name(c->method.level)) == 0);
    CHECK(json_number(row, "width") == c->method.width);
    CHECK(json_number(row, "shape") == c->method.shape);
    CHECK(json_number(row, "upsampling") == c->method.upsampling);
    CHECK(cJSON_GetArraySize(grid) == dim);
    for (int d = 0; d < dim; ++d)
        CHECK(cJSON_GetArrayItem(grid, d)->valuedouble == (double)c->method.fine_grid[d]);
    CHECK(json_number(row, "predicted_error") == c->error);
    CHECK(json_number(row, "bytes") == (double)c->bytes);
    CHECK(json_number(row, "predicted_seconds") == c->predicted_seconds);
    CHECK(isnan(json_number(row, "seconds")) && json_number(row, "timings") == 0);
}

/* The cost model's choice depends on no clock. */
static void check_report(const cJSON *report, const scan *t, double type1, double type2,
                         double gram)
{
    const cJSON *list = json_at(report, "candidates");
    enuf_nufft_options o = t->options;
    enuf_tuning_request request;
    enuf_tuning *tuning = NULL;
    int chosen = 0;
    enuf_tuning_request_init(&request);
    request.type1 = type1;
    request.type2 = type2;
    request.gram = gram;
    CHECK_STATUS(enuf_nufft_tune(&o, &request, t->n, t->s, o.dim > 1 ? t->s + 1 : NULL,
                                 o.dim > 2 ? t->s + 2 : NULL, o.dim, &tuning),
                 ENUF_SUCCESS);
    printf("%s: %d candidates\n", json_text(report, "input"), enuf_tuning_count(tuning));
    CHECK(cJSON_GetArraySize(list) == enuf_tuning_count(tuning) && enuf_tuning_count(tuning) > 5);
    for (int i = 0; i < enuf_tuning_count(tuning); ++i) {
        enuf_candidate c = {.struct_size = sizeof c};
        CHECK_STATUS(enuf_tuning_get(tuning, i, &c), ENUF_SUCCESS);
        check_candidate(cJSON_GetArrayItem(list, i), &c, o.dim);
        if (c.state != ENUF_CANDIDATE_CHOSEN) continue;
        ++chosen;
        CHECK(cJSON_Compare(cJSON_GetArrayItem(list, i), json_at(report, "chosen"), 1));
    }
    CHECK(chosen == 1);
    CHECK(json_number(report, "points") == (double)t->n);
    CHECK(json_number(report, "type1") == type1 && json_number(report, "type2") == type2);
    CHECK(json_number(report, "gram") == gram);
    CHECK(json_number(report, "threads") == 1);
    CHECK(strcmp(json_text(report, "backend"), "cpu") == 0);
    CHECK(cJSON_IsFalse(json_at(report, "from_wisdom")));
    CHECK(cJSON_GetArraySize(json_at(report, "modes")) == o.dim);
    enuf_tuning_destroy(&tuning);
}

static void candidates_are_the_librarys(void)
{
    const int64_t cube[3] = {20, 18, 16}, square[3] = {40, 32, -1};
    scan t = make(ENUF_TRAJECTORY_CONES, 3, cube, 2.5);
    cJSON *report = JSON("plan", "--modes", "20,18,16", "--points", "cones:2.5", "--threads", "1",
                         "--repeats", "30");
    check_report(report, &t, 30, 30, 0);
    CHECK(json_number(report, "readouts") == (double)t.readouts);
    CHECK(json_number(report, "tolerance") == 1e-6);
    CHECK(strcmp(json_text(report, "precision"), "double") == 0);
    CHECK(strcmp(json_text(report, "effort"), "estimate") == 0);
    CHECK(cJSON_IsNull(json_at(report, "memory")) && cJSON_IsNull(json_at(report, "wisdom")));
    cJSON_Delete(report);
    free(t.s);
    t = make(ENUF_TRAJECTORY_RADIAL, 2, square, 1);
    t.options.tolerance = 1e-3;
    t.options.precision = ENUF_FLOAT;
    report = JSON("plan", "--modes", "40,32", "--points", "radial", "--threads", "1", "--tol",
                  "1e-3", "--float", "--repeats", "4", "--type1", "0");
    check_report(report, &t, 0, 4, 0);
    CHECK(strcmp(json_text(report, "precision"), "float") == 0);
    cJSON_Delete(report);
    t.options.tolerance = 1e-6;
    t.options.precision = ENUF_DOUBLE;
    report = JSON("plan", "--modes", "40,32", "--points", "radial", "--threads", "1", "--type1",
                  "0", "--type2", "0", "--gram", "100000");
    check_report(report, &t, 0, 0, 100000);
    CHECK(strcmp(json_text(json_at(report, "chosen"), "level"), "gram") == 0);
    cJSON_Delete(report);
    program_run run;
    RUN(&run, "plan", "--modes", "40,32", "--points", "radial", "--gram", "50", "--quiet");
    CHECK(run.status == 0 && strstr(run.out, "1 of type 2, 50 of the Gram operator") != NULL);
    program_free(&run);
    free(t.s);
}

/* ---- Files ---- */

static void points_of_a_file(void)
{
    const int64_t modes[3] = {24, 12, -1};
    scan t = make(ENUF_TRAJECTORY_RANDOM, 2, modes, 1);
    char *text = calloc((size_t)t.n + 2, 60), *at = text;
    at += sprintf(at, "# random\n\n");
    for (int64_t j = 0; j < t.n; ++j)
        at += sprintf(at, "%.17g\t%.17g%s\n", t.s[2 * j], t.s[2 * j + 1], j ? "" : " # the first");
    program_write_file("points.txt", text);
    cJSON *report = JSON("plan", "--modes", "24,12", "--points", "points.txt", "--threads", "1");
    check_report(report, &t, 1, 1, 0);
    CHECK(cJSON_IsNull(json_at(report, "readouts")));
    cJSON *same = JSON("plan", "--modes", "24,12", "--points", "random", "--threads", "1");
    CHECK(cJSON_Compare(json_at(report, "candidates"), json_at(same, "candidates"), 1));
    cJSON_Delete(same);
    program_run run;
    program_start(
        &run, text,
        (const char *const[]){"plan", "--modes", "24,12", "--points", "-", "--threads", "1", NULL});
    CHECK(run.status == 0 && strstr(run.out, "288 points of -,") != NULL);
    program_free(&run);
    program_write_file("random", text); /* a kind comes before a file of its name */
    RUN(&run, "plan", "--modes", "24,12", "--points", "./random", "--quiet");
    CHECK(run.status == 0 && strstr(run.out, "288 points of ./random,") != NULL);
    program_free(&run);
    cJSON_Delete(report);
    free(text);
    free(t.s);
}

static void table_is_printed(void)
{
    program_run run;
    RUN(&run, "plan", "--modes", "20,20,20", "--points", "stack_of_stars:4", "--threads", "1",
        "--repeats", "7");
    CHECK(run.status == 0 && *run.err == 0);
    CHECK(strstr(run.out, "enuf plan: 20 x 20 x 20 modes, 3200 points of stack_of_stars:4, "
                          "tolerance 1e-06, double precision, 1 thread;\n"
                          "calls for each set of points: 7 of type 1, 7 of type 2\n") == run.out);
    int marked = 0;
    for (const char *line = run.out; (line = strstr(line, "\n* ")); line += 3) ++marked;
    CHECK(marked == 2); /* a candidate, and the line below the table */
    CHECK(strstr(run.out, "  chosen\n") && strstr(run.out, "  not timed\n"));
    CHECK(strstr(run.out, "\n* chosen by the cost model.") != NULL);
    program_free(&run);
}

/* ---- Time and wisdom ---- */

#define TIMED "--modes", "16,16", "--points", "radial", "--threads", "1", "--repeats", "9"

static void wisdom_gives_it_again(void)
{
    cJSON *first = JSON("plan", TIMED, "--effort", "measure", "--wisdom", "wisdom.json");
    char *written = program_read_file("wisdom.json");
    const cJSON *row = json_at(first, "candidates")->child;
    int timed = 0;
    double least = HUGE_VAL;
    CHECK(*written && strstr(written, "radial") == NULL); /* of any points of this number */
    for (; row; row = row->next) {
        if (isnan(json_number(row, "seconds"))) continue;
        ++timed;
        least = fmin(least, json_number(row, "seconds"));
    }
    /* pairs of rounds decide: test_tuning; a single one of another candidate may have been lucky */
    CHECK(timed > 0 && json_number(json_at(first, "chosen"), "seconds") <= 2 * least);
    cJSON *again = JSON("plan", TIMED, "--effort", "wisdom_only", "--wisdom", "wisdom.json");
    CHECK(cJSON_IsTrue(json_at(again, "from_wisdom")));
    CHECK(strcmp(json_text(again, "wisdom"), "wisdom.json") == 0);
    static const char *const keys[] = {"window", "width",           "shape",   "grid",
                                       "level",  "predicted_error", "seconds", "bytes"};
    for (int k = 0; k < (int)(sizeof keys / sizeof *keys); ++k)
        CHECK(cJSON_Compare(json_at(json_at(first, "chosen"), keys[k]),
                            json_at(json_at(again, "chosen"), keys[k]), 1));
    program_run run;
    RUN(&run, "plan", TIMED, "--effort", "measure", "--wisdom", "wisdom.json");
    CHECK(run.status == 0 && strstr(run.out, "* chosen by wisdom.") && *run.err == 0);
    program_free(&run);
    char *after = program_read_file("wisdom.json");
    CHECK(strcmp(written, after) == 0);
    cJSON_Delete(first);
    cJSON_Delete(again);
    free(after);
    free(written);
    REFUSED("wisdom has no entry", "plan", TIMED, "--float", "--effort", "wisdom_only", "--wisdom",
            "wisdom.json");
    REFUSED("wisdom has no entry", "plan", TIMED, "--effort", "wisdom_only", "--wisdom", "new");
    remove("wisdom.json");
}

static void wrong_wisdom_is_refused(void)
{
    static const char damaged[] = "{\n  \"format\": \"something else\"\n}\n";
    program_write_file("damaged", damaged);
    REFUSED("damaged, line 2, column 13: expected", "plan", TIMED, "--effort", "measure",
            "--wisdom", "damaged");
    char *after = program_read_file("damaged");
    CHECK(strcmp(after, damaged) == 0);
    free(after);
    REFUSED("--wisdom: cannot write none/w: folder none: No such file", "plan", TIMED, "--wisdom",
            "none/w");
    REFUSED("--effort wisdom_only needs --wisdom FILE", "plan", TIMED, "--effort", "wisdom_only");
    remove("damaged");
}

/* ---- Limits ---- */

static void memory_leaves_candidates_out(void)
{
    cJSON *all = JSON("plan", "--modes", "64,64", "--points", "random", "--threads", "1");
    cJSON *few = JSON("plan", "--modes", "64,64", "--points", "random", "--threads", "1",
                      "--memory", "600000");
    int out = 0;
    for (const cJSON *row = json_at(few, "candidates")->child; row; row = row->next)
        out += strcmp(json_text(row, "state"), "too much memory") == 0;
    CHECK(out > 0 && json_number(few, "memory") == 600000);
    CHECK(json_number(json_at(few, "chosen"), "bytes") <= 600000);
    CHECK(cJSON_GetArraySize(json_at(few, "candidates")) ==
          cJSON_GetArraySize(json_at(all, "candidates")));
    cJSON_Delete(all);
    cJSON_Delete(few);
    REFUSED("--memory 1000: the least need is about ", "plan", "--modes", "64,64", "--points",
            "random", "--memory", "1000");
    REFUSED("--tol 1e-09: float precision serves", "plan", "--modes", "64,64", "--points", "random",
            "--tol", "1e-9", "--float");
}

#define IN_2D "--modes", "8,8"

static void wrong_words_are_refused(void)
{
    REFUSED("no --modes given (see enuf plan --help)", "plan", "--points", "radial");
    REFUSED("no --points given (see enuf plan --help)", "plan", IN_2D);
    REFUSED("--modes '8,0': give one to three whole numbers above 0", "plan", "--modes", "8,0");
    REFUSED("--modes '8,8,8,8'", "plan", "--modes", "8,8,8,8");
    REFUSED("--modes '8,x'", "plan", "--modes", "8,x");
    REFUSED("--points 'radial:0.5': give KIND:R with R of at least 1", "plan", IN_2D, "--points",
            "radial:0.5");
    REFUSED("--points 'radial:'", "plan", IN_2D, "--points", "radial:");
    REFUSED("--points cones: dim is 2: cones needs 3", "plan", IN_2D, "--points", "cones");
    REFUSED("cannot open spiral: No such file or directory; besides files there are radial, "
            "stack_of_stars, cones, random, cluster, cartesian",
            "plan", IN_2D, "--points", "spiral");
    REFUSED("--repeats '0': give a number from 1", "plan", IN_2D, "--points", "random", "--repeats",
            "0");
    REFUSED("--type1 0 and --type2 0", "plan", IN_2D, "--points", "random", "--type1", "0",
            "--type2", "0");
    REFUSED("--effort 'hard': choose one of estimate, measure, exhaustive, wisdom_only", "plan",
            IN_2D, "--points", "random", "--effort", "hard");
    REFUSED("unexpected argument points.txt", "plan", IN_2D, "points.txt");
    program_write_file("bad.txt", "0.1 0.2\n# comment\n0.1 0.2 0.3\n");
    REFUSED("bad.txt, line 3: 3 columns, but --modes has 2 numbers", "plan", IN_2D, "--points",
            "bad.txt");
    program_write_file("bad.txt", "0.1 0.2\n0.1 nan\n");
    REFUSED("bad.txt, line 2: ", "plan", IN_2D, "--points", "bad.txt");
    program_write_file("bad.txt", "# nothing\n");
    REFUSED("bad.txt: no points: give 2 numbers on each line", "plan", IN_2D, "--points",
            "bad.txt");
}

int main(void)
{
    program_enter_directory();
    candidates_are_the_librarys();
    points_of_a_file();
    table_is_printed();
    wisdom_gives_it_again();
    wrong_wisdom_is_refused();
    memory_leaves_candidates_out();
    wrong_words_are_refused();
    program_leave_directory();
    return check_result();
}
