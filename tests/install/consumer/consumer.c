/*
 * consumer.c - a program that includes the public headers of an installed enuf. It checks a NUFFT
 * of one point (4e-10), the Madelung constant of rock salt (3.5e-8), and the version, argv[1].
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <enuf/direct.h>
#include <enuf/ewald.h>
#include <enuf/nufft.h>
#include <enuf/nufft_stages.h>
#include <enuf/status.h>
#include <enuf/window.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One point of strength 1 at x = 1/3: mode m is exp(-2 pi i m/3). */
static int nufft_works(void)
{
    enuf_nufft_options options;
    enuf_nufft *plan;
    double x = 1.0 / 3, strength[2] = {1, 0}, modes[2 * 8], squares = 0;
    enuf_nufft_options_init(&options);
    options.dim = 1;
    options.modes[0] = 8;
    options.tolerance = 1e-10;
    if (enuf_nufft_create(&options, &plan) != ENUF_SUCCESS) return 0;
    int works = enuf_nufft_set_points(plan, 1, &x, NULL, NULL, 1) == ENUF_SUCCESS &&
                enuf_nufft_type1(plan, strength, modes) == ENUF_SUCCESS;
    enuf_nufft_destroy(&plan);
    for (int k = 0; works && k < 8; k++) {
        double phase = -2 * acos(-1.0) * (k - 4) / 3;
        double re = modes[2 * k] - cos(phase), im = modes[2 * k + 1] - sin(phase);
        squares += re * re + im * im;
    }
    double error = sqrt(squares / 8);
    printf("one point in 1D: relative l2 error %.1e, bound 4 tolerance = 4e-10\n", error);
    return works && error <= 4e-10;
}

/*
 * Madelung constant of NaCl from 8 ions, accuracy 1e-9. The energy is promised to
 * 20 accuracy 1/2 sum |q phi|, here 20 * 1e-9 * 1.75 per formula unit.
 */
static int ewald_works(void)
{
    enuf_ewald_options options;
    enuf_ewald *ewald;
    double cell[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, x[24], q[8];
    for (int i = 0; i < 8; i++) {
        for (int d = 0; d < 3; d++) x[3 * i + d] = i >> d & 1;
        q[i] = (i ^ i >> 1 ^ i >> 2) & 1 ? -1 : 1;
    }
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-9;
    enuf_ewald_result result;
    memset(&result, 0, sizeof result);
    result.struct_size = sizeof result;
    if (enuf_ewald_create(&options, &ewald) != ENUF_SUCCESS) return 0;
    int works = enuf_ewald_set_cell(ewald, cell) == ENUF_SUCCESS &&
                enuf_ewald_set_charges(ewald, 8, q, NULL) == ENUF_SUCCESS &&
                enuf_ewald_compute(ewald, x, 3, ENUF_WANT_ENERGY, &result) == ENUF_SUCCESS;
    enuf_ewald_destroy(&ewald);
    double error = fabs(-result.energy / 4 - 1.747564594633182191);
    printf("rock salt: Madelung constant %.10f, error %.1e, bound 3.5e-8\n", -result.energy / 4,
           error);
    return works && error <= 3.5e-8;
}

int main(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], enuf_version()) != 0) {
        fprintf(stderr, "version %s, expected %s\n", enuf_version(), argc == 2 ? argv[1] : "one");
        return 1;
    }
    if (nufft_works() && ewald_works()) return 0;
    fprintf(stderr, "failed: %s\n", enuf_last_error());
    return 1;
}
