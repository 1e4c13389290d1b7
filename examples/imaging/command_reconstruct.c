/* command_reconstruct.c - images from the arrays of a folder. SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"
#include "density.h"
#include "fail.h"
#include "least_squares.h"
#include "measurement_files.h"
#include "new_file.h"
#include "npy.h"
#include "progress.h"
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static enuf_nufft_options method_of(const settings *s, int64_t side)
{
    enuf_nufft_options options = gridding_options(side, s->width > 0 ? 0 : s->tolerance);
    options.window = (enuf_window)s->window;
    options.width = (int)s->width;
    options.upsampling = s->upsampling;
    options.backend = (enuf_backend)s->backend;
    return options;
}

static void find_weights(const settings *s, measurement *m)
{
    progress_name("weights");
    for (int64_t t = 0; t < m->trajectories; t++)
        density_by_iteration((enuf_backend)s->backend, m->side, m->samples,
                             m->k + 2 * t * m->samples, (int)s->iterations, progress_step,
                             m->weights + t * m->samples);
}

/* Frames in rows of about as many as there are rows. */
static void draw(const char *path, const measurement *m, const double complex *images)
{
    const int64_t pixels = m->side * m->side;
    const int64_t columns = (int64_t)ceil(sqrt((double)m->frames));
    sheet pictures = sheet_make(columns, (m->frames + columns - 1) / columns, m->side);
    double most = 0;
    for (int64_t p = 0; p < m->frames * pixels; p++) most = fmax(most, cabs(images[p]));
    for (int64_t f = 0; f < m->frames; f++)
        sheet_put(&pictures, f % columns, f / columns, m->side, images + f * pixels,
                  most > 0 ? most : 1);
    sheet_write(&pictures, path);
    sheet_free(&pictures);
}

/* The phantom's images, where `simulate` has left them; else NULL. */
static double *read_truth(const char *folder, const measurement *m)
{
    char path[MOST_PATH], shape[MOST_SHAPE];
    join_path(path, folder, "truth.npy");
    if (access(path, F_OK) != 0) return NULL;
    const npy_array truth = npy_read(path, NPY_DOUBLE);
    if (truth.axes != 3 || truth.shape[0] != m->frames || truth.shape[1] != m->side ||
        truth.shape[2] != m->side)
        fail("%s has the shape %s: the images have (%lld, %lld, %lld): remove it, or simulate anew",
             path, npy_shape(&truth, shape), (long long)m->frames, (long long)m->side,
             (long long)m->side);
    return truth.numbers;
}

/* || image - truth || / || truth || over all frames */
static double error_of(int64_t n, const double complex *images, const double *truth)
{
    double missed = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        missed += creal((images[i] - truth[i]) * conj(images[i] - truth[i]));
        size += truth[i] * truth[i];
    }
    return sqrt(missed / size);
}

void command_reconstruct(const settings *s)
{
    measurement m = measurement_read(s->folder, s->side, s->density == DENSITY_ITERATIVE);
    const enuf_nufft_options method = method_of(s, m.side);
    const int64_t shape[3] = {m.frames, m.side, m.side};
    double complex *images = allocate(m.frames * m.side * m.side, sizeof *images);
    double *truth = read_truth(s->folder, &m);
    char array[MOST_PATH], picture[MOST_PATH];
    join_path(array, s->folder, "image.npy");
    join_path(picture, s->folder, "image.png");
    if (s->density == DENSITY_ITERATIVE) find_weights(s, &m);
    printf("%s: %lld frames of %lld x %lld pixels from %lld coils with %lld samples", s->folder,
           (long long)m.frames, (long long)m.side, (long long)m.side, (long long)m.coils,
           (long long)m.samples);
    if (s->method == METHOD_CG) {
        progress_name("conjugate gradients");
        const least_squares request = {(int)s->iterations, s->lambda, progress_step};
        const double residual = least_squares_images(&m, &method, &request, images);
        printf(", residual %.1e after %lld iterations", residual, (long long)s->iterations);
    } else {
        gridding_images(&m, &method, images);
        fputs(", by gridding", stdout);
    }
    if (truth)
        printf(", relative error %.3f against truth.npy",
               error_of(m.frames * m.side * m.side, images, truth));
    putchar('\n');
    npy_write(array, NPY_COMPLEX, 3, shape, images);
    draw(picture, &m, images);
    free(truth);
    free(images);
    measurement_free(&m);
}
