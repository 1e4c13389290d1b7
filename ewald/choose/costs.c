/* costs.c - the cost model: interpolation between measured rates. SPDX-License-Identifier:
 * BSD-3-Clause */
#include "costs.h"

#include <math.h>

const double enuf_cost_neighbours[] = {20, 40, 80, 160, 320, 640, 1280, 2560};
const double enuf_cost_systems[] = {1000, 30000, 1e6};
const int64_t enuf_cost_grids[] = {8,   10,  12,  16,  18,  20,  24,  30,  32,  36,  40,
                                   48,  50,  54,  60,  64,  72,  80,  90,  96,  100, 108,
                                   120, 128, 144, 150, 160, 162, 180, 192, 216, 256};
const double enuf_cost_fills[] = {1.25, 2};
const double enuf_cost_accuracies[] = {1e-3, 1e-9};
const int enuf_cost_widths[] = {3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 32};

const double enuf_cost_densities[] = {1.0 / 64, 1.0 / 8, 1};

/* y at x between samples, straight in the logarithm of x, continued beyond the ends. */
static double between(const double *x, const double *y, int n, double at)
{
    int i = 0;
    while (i < n - 2 && at > x[i + 1]) i++;
    double part = log(at / x[i]) / log(x[i + 1] / x[i]);
    return y[i] + part * (y[i + 1] - y[i]);
}

/* The same, constant beyond the ends: larger systems behave like the largest one measured. */
static double held(const double *x, const double *y, int n, double at)
{
    return between(x, y, n, fmin(fmax(at, x[0]), x[n - 1]));
}

/* The additional rate per ion in systems of other sizes. In small systems the time changes slowly,
 * not the rate, because launches on a GPU take a constant time. */
static double rate_apart(const double rate[ENUF_COST_SYSTEMS], double n)
{
    const double *systems = enuf_cost_systems;
    const double times[2] = {systems[0] * rate[0], systems[1] * rate[1]};
    if (n < systems[1]) return held(systems, times, 2, n) / fmax(n, 1);
    return held(systems, rate, ENUF_COST_SYSTEMS, n);
}

/* Costs of an ion grow with the neighbours as a power that changes slowly. */
static double pairs_of_ion(const double rate[ENUF_COST_NEIGHBOURS], double neighbours)
{
    double log_rate[ENUF_COST_NEIGHBOURS];
    for (int k = 0; k < ENUF_COST_NEIGHBOURS; k++) log_rate[k] = log(rate[k]);
    return exp(between(enuf_cost_neighbours, log_rate, ENUF_COST_NEIGHBOURS, fmax(neighbours, 5)));
}

double enuf_cost_of_pairs(const enuf_choice_request *request, enuf_split split, double cutoff)
{
    const enuf_cost_rates *rates = enuf_cost_rates_of(request->costs, request->options->arithmetic);
    const double(*rate)[ENUF_COST_NEIGHBOURS] = rates->pairs[split == ENUF_SPLIT_PROLATE];
    double n = (double)request->n_charged;
    double neighbours = enuf_neighbours(enuf_density(request), cutoff);
    double of_accuracy[ENUF_COST_ACCURACIES];
    for (int a = 0; a < ENUF_COST_ACCURACIES; a++)
        of_accuracy[a] = pairs_of_ion(rate[a], neighbours);
    double ion = between(enuf_cost_accuracies, of_accuracy, ENUF_COST_ACCURACIES,
                         fmax(request->requested, 1e-13));
    ion += rate_apart(rates->pairs_apart, n);
    return 1e-9 * n * fmax(ion, 0.1 * of_accuracy[0]);
}

static double of_width(const double rate[ENUF_COST_WIDTHS], int width)
{
    int i = 0;
    while (i < ENUF_COST_WIDTHS - 2 && width > enuf_cost_widths[i + 1]) i++;
    double part =
        (double)(width - enuf_cost_widths[i]) / (enuf_cost_widths[i + 1] - enuf_cost_widths[i]);
    return fmax(rate[i] + part * (rate[i + 1] - rate[i]), 0.5 * rate[i]);
}

/* Rates change from one size to the next, by the factors 3 and 5 in it, and slowly with the size.
 * The slow part is a mean over sizes within a factor of 1.5, for any number of cells. */
static double slow_rate(const double rate[ENUF_COST_GRIDS], double edge)
{
    const double least = (double)enuf_cost_grids[0],
                 most = (double)enuf_cost_grids[ENUF_COST_GRIDS - 1];
    double sum = 0, n = 0, at = fmin(fmax(edge, least), most);
    for (int g = 0; g < ENUF_COST_GRIDS; g++) {
        double ratio = (double)enuf_cost_grids[g] / at;
        if (ratio > 1.5 || ratio < 1 / 1.5) continue;
        sum += log(rate[g]);
        n++;
    }
    return exp(sum / n);
}

/* Influence of the factors of a size; sizes that are larger than all measured ones have the one of
 * their halves. */
static double quick_part(const double rate[ENUF_COST_GRIDS], int64_t size)
{
    for (; size >= enuf_cost_grids[0]; size /= 2) {
        for (int g = 0; g < ENUF_COST_GRIDS; g++)
            if (enuf_cost_grids[g] == size) return rate[g] / slow_rate(rate, (double)size);
        if (size % 2) break;
    }
    return 1;
}

static double transform_of_cell(const double rate[ENUF_COST_GRIDS], const int64_t grid[3])
{
    double cells = 1, part = 0;
    for (int d = 0; d < 3; d++) {
        cells *= (double)grid[d];
        part += quick_part(rate, grid[d]) / 3;
    }
    return part * slow_rate(rate, cbrt(cells));
}

int64_t enuf_cheapest_grid(const enuf_choice_request *request, int64_t least)
{
    /* a larger size wins if its better factors outweigh its additional cells */
    const double *rate =
        enuf_cost_rates_of(request->costs, request->options->arithmetic)->transform[0];
    int64_t best = 0, last = least + least / 3;
    double best_cost = HUGE_VAL;
    for (int64_t size = enuf_fft_size(least); size <= last || best == 0;
         size = enuf_fft_size(size + 1)) {
        double cost = pow((double)size, 3) * quick_part(rate, size);
        if (cost >= best_cost) continue;
        best_cost = cost;
        best = size;
    }
    return best;
}

double enuf_cost_of_cell(const enuf_cost_rates *rates, const int64_t modes[3],
                         const int64_t grid[3])
{
    /* linear in the share of its cells that are modes */
    double cell[ENUF_COST_FILLS], share = 1, most = pow(enuf_cost_fills[0], -3),
                                  least = pow(enuf_cost_fills[1], -3);
    for (int d = 0; d < 3; d++) share *= (double)modes[d] / (double)grid[d];
    for (int f = 0; f < ENUF_COST_FILLS; f++)
        cell[f] = transform_of_cell(rates->transform[f], grid);
    double part = (share - least) / (most - least);
    return fmax(cell[1] + part * (cell[0] - cell[1]), 0.5 * cell[1]);
}

double enuf_cost_of_mesh(const enuf_choice_request *request, const int64_t modes[3],
                         const int64_t grid[3], int width)
{
    const enuf_cost_rates *rates = enuf_cost_rates_of(request->costs, request->options->arithmetic);
    double n = (double)request->n_charged, cells = 1, ions[ENUF_COST_DENSITIES];
    for (int d = 0; d < 3; d++) cells *= (double)grid[d];
    for (int k = 0; k < ENUF_COST_DENSITIES; k++) ions[k] = of_width(rates->ion[k], width);
    const double usual = held(enuf_cost_densities, ions, ENUF_COST_DENSITIES, n / cells);
    double ion = usual + rate_apart(rates->ion_apart, n);
    return 1e-9 * (n * fmax(ion, 0.1 * usual) + cells * enuf_cost_of_cell(rates, modes, grid));
}

double enuf_cost_of_evaluation(const enuf_choice_request *request,
                               const enuf_parameters *parameters)
{
    if (request->shared_work)
        return request->shared_work->seconds(request->shared_work, request, parameters);
    return parameters->cost_pairs + parameters->cost_mesh;
}
