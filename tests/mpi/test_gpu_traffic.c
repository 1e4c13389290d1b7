/*
 * test_gpu_traffic.c - the bytes that GPUs send, by the formulas of docs/theory.md, "Parallel
 * decompositions", for the layers of ions of bench/mpi/ewald_gpus.c.
 *
 *   - Domains with the fewest ghosts, as the library of 22 November 2026 had them: the bytes
 *     measured on H200s, to 3 % (bench/results/ewald_gpus_*_h200_2026-11-22.csv).
 *   - Domains that follow the layers: cheaper by the weights of the choice of domains; eight GPUs
 *     send two thirds of those bytes at most, and half with parameters for eight GPUs.
 *   - bench/results/ewald_gpus_domains_predicted_2026-11-24.csv holds the numbers printed here.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "gpu_rows.h"
#include "mpi/mesh/pencils/distributed_layout.h"
#include "mpi_program.h"

#include <math.h>
#include <string.h>

/* Megabytes that the busiest GPU sends for energy and forces. */
typedef struct traffic {
    double moved, ghosts, points, mesh;
    double moved_part; /* of all ions */
} traffic;

static double sum_of(const traffic *t)
{
    return t->moved + t->ghosts + t->points + t->mesh;
}

typedef struct span {
    double low, high;
} span;

static double common(span a, span b)
{
    return fmax(fmin(a.high, b.high) - fmax(a.low, b.low), 0);
}

/* A part of the cell, in fractions along z: the layer where ions arrive is a whole number of
 * crystal cells. */
static span layer(const gpu_row *row, int gpu)
{
    const int cells = (int)lround(cbrt(row->ions / 12));
    return (span){(double)(cells * gpu / row->gpus) / cells,
                  (double)(cells * (gpu + 1) / row->gpus) / cells};
}

static span slab_of(const enuf_share *share, const enuf_layout *l)
{
    const double planes = (double)l->grid[2], low = (double)share->lo[ENUF_AXIS_Z];
    return (span){low / planes, (low + (double)share->n[ENUF_AXIS_Z]) / planes};
}

/* Ions there 32 bytes, forces back 24 or 3 numbers. Halos with padded rows, twice; modes twice. */
static traffic traffic_of(const gpu_row *row, const gpu_choice *c, const int count[3], int gpu)
{
    const enuf_parameters *p = &c->parameters;
    const enuf_layout l = enuf_layout_slabs(p->grid, p->modes, p->width, row->gpus);
    const enuf_share share = enuf_layout_share(&l, gpu);
    const double number = c->run.arithmetic == ENUF_ARITHMETIC_MIXED ? 4e-6 : 8e-6;
    const double n_y = (double)share.n_y, n_z = (double)share.n[ENUF_AXIS_Z];
    const int z = gpu % count[2];
    const span home = layer(row, gpu), slab = slab_of(&share, &l);
    const span domain = {(double)z / count[2], (z + 1.0) / count[2]};
    const double stay = common(home, domain) * count[2] / row->gpus;
    const double at_home = home.high - home.low, in_slab = common(home, slab);
    const double halo = (double)((l.halo_lo + l.halo_hi) * 2 * (p->grid[0] / 2 + 1) * p->grid[1]);
    const double modes = (double)l.modes_x.total *
                         (((double)l.modes[1] - n_y) * n_z + n_y * ((double)l.grid[2] - n_z));
    return (traffic){
        .moved = row->ions * ((at_home - stay) * 32e-6 + (1.0 / row->gpus - stay) * 24e-6),
        .ghosts = row->ions / row->gpus * 32e-6 *
                  enuf_domain_ghosts(&c->cell, p->splitting.cutoff, count),
        .points = row->ions *
                  ((at_home - in_slab) * 32e-6 + (slab.high - slab.low - in_slab) * 3 * number),
        .mesh = 2 * number * (halo + modes),
        .moved_part = at_home - stay};
}

/* Of the busiest GPU; the part of all ions that moves. */
static traffic busiest(const gpu_row *row, const gpu_choice *c, const int count[3])
{
    traffic most = {0};
    double moved = 0;
    for (int gpu = 0; gpu < row->gpus; gpu++) {
        const traffic t = traffic_of(row, c, count, gpu);
        if (sum_of(&t) > sum_of(&most)) most = t;
        moved += t.moved_part;
    }
    most.moved_part = moved;
    return most;
}

static double milliseconds(const gpu_row *row, const gpu_choice *c, const int count[3],
                           const traffic *t)
{
    const enuf_parameters *p = &c->parameters;
    const enuf_message_costs *m = &c->run.costs->messages;
    const double ghosts = enuf_domain_ghosts(&c->cell, p->splitting.cutoff, count);
    const enuf_ewald_mpi_cost work = {
        .work = p->cost_pairs / row->gpus * (1 + 3.0 / 16 * ghosts) + c->distributed.work,
        .seconds = 1e-9 * m->message * (c->pairs.messages + c->distributed.messages) +
                   1e-3 * m->byte * sum_of(t)};
    const enuf_ewald_mpi_cost all = {.work = work.work, .seconds = work.work + work.seconds};
    return 1e3 * enuf_seconds_beside(&c->run, &all);
}

/* ---- The table of predictions ---- */

static FILE *table;

/* Prints a row, and compares it with the next one of the file: numbers to 1 %. */
static void check_row(const gpu_row *row, const char *parameters, const gpu_choice *c,
                      const int count[3], const traffic *t, const char *measured)
{
    char printed[256], line[256] = "";
    double a[12], b[12];
    const enuf_parameters *p = &c->parameters;
    snprintf(printed, sizeof printed,
             "%d,%.0f,%s,%d x %d x %d,%.4g,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%s\n", row->gpus,
             row->ions, parameters, count[0], count[1], count[2], p->splitting.cutoff,
             (int)p->grid[0], t->moved, t->ghosts, t->points, t->mesh, sum_of(t),
             milliseconds(row, c, count, t), measured);
    printf("%s", printed);
    while (table && fgets(line, sizeof line, table) && (line[0] == '#' || line[0] == 'G')) continue;
    const char *form = "%lf,%lf,%*[^,],%*[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf";
    int same =
        sscanf(printed, form, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9) ==
            10 &&
        sscanf(line, form, b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7, b + 8, b + 9) == 10;
    for (int k = 0; k < 10 && same; k++) same = fabs(a[k] - b[k]) <= 0.01 * fabs(a[k]) + 1e-3;
    CHECK(same);
}

static void check_system(const gpu_row *row)
{
    const int layers[3] = {1, 1, row->gpus};
    gpu_choice now, suited;
    int count[3];
    choose_for_row(row, 1, &now);
    enuf_domains_choose(row->gpus, &now.cell, now.parameters.splitting.cutoff, count);
    const traffic before = busiest(row, &now, count), after = busiest(row, &now, layers);
    CHECK_CLOSE(sum_of(&before), row->megabytes, 0.03, "MB by the formulas, beside those measured");
    const enuf_domain_weights w = enuf_domain_weights_of(&now.run);
    const double cutoff = now.parameters.splitting.cutoff;
    CHECK(w.ghost * enuf_domain_ghosts(&now.cell, cutoff, layers) + w.moved * after.moved_part <=
          w.ghost * enuf_domain_ghosts(&now.cell, cutoff, count) + w.moved * before.moved_part);
    if (row->gpus < 8) return;
    char measured[64];
    snprintf(measured, sizeof measured, "%.1f,%.3f", row->megabytes, row->total);
    check_row(row, "of one GPU", &now, count, &before, measured);
    check_row(row, "of one GPU", &now, layers, &after, ",");
    CHECK_BELOW(sum_of(&after), 0.67 * sum_of(&before), "MB with domains in layers");
    choose_for_row(row, 0, &suited);
    const traffic fewer = busiest(row, &suited, layers);
    check_row(row, "of eight GPUs", &suited, layers, &fewer, ",");
    CHECK_BELOW(sum_of(&fewer), 0.5 * sum_of(&before), "MB with parameters of eight GPUs too");
}

static void check_table(int gpus, int weak)
{
    char name[64], line[512];
    gpu_row row;
    int found = 0;
    name_table(gpus, weak, name);
    FILE *file = open_results(name);
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        if (!read_gpu_row(line, &row) || strcmp(row.modes, "distributed") != 0) continue;
        if (row.ions < 1e5) continue; /* a few layers: counts of single cells */
        check_system(&row);
        found++;
    }
    fclose(file);
    CHECK(found > 0);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    table = open_results("ewald_gpus_domains_predicted_2026-11-24.csv");
    for (int gpus = 2; gpus <= 8; gpus *= 2)
        for (int weak = 0; weak < 2; weak++) check_table(gpus, weak);
    if (table) fclose(table);
    return end_mpi(check_result());
}
