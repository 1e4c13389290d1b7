/* command_pictures.c - the pictures of docs/images.md. SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"
#include "fail.h"
#include "least_squares.h"
#include "new_file.h"
#include "progress.h"
#include "sheet.h"
#include "table_v.h"

#include <stdlib.h>

static void finish(sheet *pictures, const char *folder, const char *name)
{
    char path[MOST_PATH];
    join_path(path, folder, name);
    sheet_write(pictures, path);
    sheet_free(pictures);
    puts(path);
}

/* A column for each row of the table with its Gaussian: the image, and below it its error. White is
 * 1 of the image; of the error 0.5 without upsampling, 0.02 with it. */
static void draw_table(const char *folder, trajectory kind, const char *name)
{
    enum { SIDE = 256, SHOWN = 128, PIXELS = SIDE * SIDE };
    measurement m = table_measurement(kind, SIDE);
    double complex *exact = allocate(PIXELS, sizeof *exact);
    double complex *image = allocate(PIXELS, sizeof *image);
    sheet pictures = sheet_make(TABLE_ROWS, 2, SHOWN);
    table_exact(&m, exact);
    for (int i = 0; i < TABLE_ROWS; i++) {
        const enuf_nufft_options method = table_gaussian(&table_rows[i], SIDE);
        gridding_images(&m, &method, image);
        sheet_put(&pictures, i, 0, SIDE, image, 1);
        for (int p = 0; p < PIXELS; p++) image[p] -= exact[p];
        sheet_put(&pictures, i, 1, SIDE, image, table_rows[i].upsampling == 1 ? 0.5 : 0.02);
    }
    finish(&pictures, folder, name);
    free(exact);
    free(image);
    measurement_free(&m);
}

/* The first column is the phantom in the first and in the fourth of eight frames. The others are
 * the fourth frame with R = 1, 4, 8: gridding above, conjugate gradients below. */
static void draw_heart(const char *folder)
{
    enum { SIDE = 80, PIXELS = SIDE * SIDE, FRAMES = 8, SHOWN = 3, COILS = 8, COLUMNS = 4 };
    static const double reductions[COLUMNS - 1] = {1, 4, 8};
    const enuf_nufft_options method = gridding_options(SIDE, 1e-5);
    const least_squares request = {20, 1e-3, progress_step};
    double complex *images = allocate(FRAMES * PIXELS, sizeof *images);
    double *truth = allocate(PIXELS, sizeof *truth);
    sheet pictures = sheet_make(COLUMNS, 2, SIDE);
    for (int row = 0; row < 2; row++) {
        ellipse ellipses[MOST_ELLIPSES];
        const int n = phantom_ellipses(PHANTOM_HEART,
                                       measurement_time(row == 0 ? 0 : SHOWN, FRAMES), ellipses);
        phantom_pixels(n, ellipses, SIDE, truth);
        for (int p = 0; p < PIXELS; p++) images[p] = truth[p];
        sheet_put(&pictures, 0, row, SIDE, images, 1);
    }
    for (int i = 0; i < COLUMNS - 1; i++) {
        sampling samples = sampling_make(TRAJECTORY_GOLDEN, SIDE, FRAMES, reductions[i]);
        measurement m = measurement_make(&samples, PHANTOM_HEART, COILS, 0.01, 1);
        gridding_images(&m, &method, images);
        sheet_put(&pictures, i + 1, 0, SIDE, images + SHOWN * PIXELS, 1);
        least_squares_images(&m, &method, &request, images);
        sheet_put(&pictures, i + 1, 1, SIDE, images + SHOWN * PIXELS, 1);
        measurement_free(&m);
        sampling_free(&samples);
    }
    finish(&pictures, folder, "images_heart.png");
    free(images);
    free(truth);
}

void command_pictures(const settings *s)
{
    progress_name("pictures");
    progress_step(0, 3);
    draw_table(s->folder, TRAJECTORY_RADIAL, "images_radial.png");
    progress_step(1, 3);
    draw_table(s->folder, TRAJECTORY_SPIRAL, "images_spiral.png");
    progress_name("conjugate gradients");
    draw_heart(s->folder);
}
