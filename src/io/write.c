/* write.c - see write.h. SPDX-License-Identifier: BSD-3-Clause */
#include "write.h"

#include "units.h"

static void write_numbers(FILE *stream, const double *numbers, int count, const char *before)
{
    for (int k = 0; k < count; ++k) {
        fputs(k == 0 ? before : " ", stream);
        fprintf(stream, "%.17g", numbers[k]);
    }
}

static void write_head(FILE *stream, const enuf_structure *structure, const enuf_column *columns,
                       int n_columns, const char *comment)
{
    fprintf(stream, "%lld\n", (long long)structure->n);
    write_numbers(stream, structure->cell, 9, "Lattice=\"");
    write_numbers(stream, structure->origin, 3, "\" Origin=\"");
    fputs("\" Properties=species:S:1:pos:R:3", stream);
    if (structure->molecules) fputs(":molid:I:1", stream);
    if (structure->ids) fputs(":id:I:1", stream);
    for (int c = 0; c < n_columns; ++c)
        fprintf(stream, ":%s:R:%d", columns[c].name, columns[c].width);
    fputs(" pbc=\"", stream);
    for (int d = 0; d < 3; ++d)
        fprintf(stream, "%s%c", d > 0 ? " " : "", structure->periodic[d] ? 'T' : 'F');
    fprintf(stream, "\" units=%s", enuf_unit_system_of(structure->units)->name);
    fprintf(stream, "%s%s\n", comment ? " " : "", comment ? comment : "");
}

void enuf_write_extxyz(FILE *stream, const enuf_structure *structure, const enuf_column *columns,
                       int n_columns, const char *comment)
{
    write_head(stream, structure, columns, n_columns, comment);
    for (int64_t i = 0; i < structure->n && !ferror(stream); ++i) {
        fputs(structure->species_names[structure->species[i]], stream);
        write_numbers(stream, &structure->positions[3 * i], 3, " ");
        if (structure->molecules) fprintf(stream, " %lld", (long long)structure->molecules[i]);
        if (structure->ids) fprintf(stream, " %lld", (long long)structure->ids[i]);
        for (int c = 0; c < n_columns; ++c)
            write_numbers(stream, &columns[c].values[columns[c].width * i], columns[c].width, " ");
        fputc('\n', stream);
    }
}
