/* sheet.c - see sheet.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sheet.h"
#include "fail.h"
#include "png.h"

#include <math.h>
#include <stdlib.h>

sheet sheet_make(int64_t columns, int64_t rows, int64_t side)
{
    return (sheet){columns, rows, side, allocate(columns * rows * side * side, 1)};
}

void sheet_free(sheet *pictures)
{
    free(pictures->pixels);
    pictures->pixels = NULL;
}

void sheet_put(sheet *pictures, int64_t column, int64_t row, int64_t side,
               const double complex *image, double white)
{
    const int64_t block = side / pictures->side, shown = pictures->side;
    if (block * shown != side)
        fail("an image of %lld pixels along an axis does not divide into %lld", (long long)side,
             (long long)shown);
    for (int64_t p = 0; p < shown * shown; p++) {
        const int64_t x = p % shown, y = shown - 1 - p / shown; /* y upwards */
        double sum = 0;
        for (int64_t q = 0; q < block * block; q++)
            sum += cabs(image[(y * block + q / block) * side + x * block + q % block]);
        const double grey = 255 * sum / ((double)(block * block) * white);
        pictures->pixels[((row * shown + p / shown) * pictures->columns + column) * shown + x] =
            (uint8_t)lrint(fmin(fmax(grey, 0), 255));
    }
}

void sheet_write(const sheet *pictures, const char *path)
{
    png_write(path, pictures->columns * pictures->side, pictures->rows * pictures->side,
              pictures->pixels);
}
