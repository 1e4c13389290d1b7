/* command_table.c - the table of errors as CSV. SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"
#include "fail.h"
#include "new_file.h"
#include "progress.h"
#include "table_v.h"

#include <stdlib.h>
#include <time.h>

static void write_line(new_file *file, const char *line, int length)
{
    new_file_write(file, line, (size_t)length);
    fputs(line, stdout);
}

static void write_head(new_file *file, int64_t side)
{
    char line[512], day[32];
    const time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    write_line(file, line,
               snprintf(line, sizeof line,
                        "# imaging table, %s: relative RMS error of the adjoint against direct "
                        "sums, Shepp-Logan head of %lld x %lld pixels\n"
                        "trajectory,samples,upsampling,width,width_fine_cells,deviation,gaussian,"
                        "published,prolate\n",
                        day, (long long)side, (long long)side));
}

static double error_with(const measurement *m, const enuf_nufft_options *method,
                         const double complex *exact)
{
    const int64_t pixels = m->side * m->side;
    double complex *image = allocate(pixels, sizeof *image);
    gridding_images(m, method, image);
    const double error = table_error(pixels, image, exact);
    free(image);
    return error;
}

/* An entry that does not exist is left empty. */
static const char *entry(double value, char text[32])
{
    if (value > 0)
        snprintf(text, 32, "%.4g", value);
    else
        text[0] = 0;
    return text;
}

static void write_rows(new_file *file, trajectory kind, int64_t side, enuf_backend backend)
{
    measurement m = table_measurement(kind, side);
    double complex *exact = allocate(side * side, sizeof *exact);
    table_exact(&m, exact);
    for (int i = 0; i < TABLE_ROWS; i++) {
        const table_row *row = &table_rows[i];
        enuf_nufft_options gaussian = table_gaussian(row, side);
        enuf_nufft_options prolate = table_default(row, side);
        gaussian.backend = prolate.backend = backend;
        char line[256], published[32];
        write_line(file, line,
                   snprintf(line, sizeof line, "%s,%lld,%d,%d,%d,%.4g,%.3e,%s,%.3e\n",
                            trajectory_name(kind), (long long)m.samples, row->upsampling,
                            row->width, row->upsampling * row->width, row->deviation,
                            error_with(&m, &gaussian, exact),
                            entry(kind == TRAJECTORY_RADIAL ? row->published : 0, published),
                            error_with(&m, &prolate, exact)));
    }
    free(exact);
    measurement_free(&m);
}

void command_table(const settings *s)
{
    static const trajectory kinds[] = {TRAJECTORY_RADIAL, TRAJECTORY_SPIRAL, TRAJECTORY_SPIRAL_CLV};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    const int64_t side = s->side > 0 ? s->side : 256;
    char path[MOST_PATH];
    new_file file;
    join_path(path, s->folder, "table.csv");
    new_file_begin(&file, path);
    write_head(&file, side);
    progress_name("trajectory");
    for (int k = 0; k < KINDS; k++) {
        progress_step(k, KINDS);
        write_rows(&file, kinds[k], side, (enuf_backend)s->backend);
    }
    progress_step(KINDS, KINDS);
    new_file_end(&file);
}
