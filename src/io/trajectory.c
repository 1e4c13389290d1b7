/* trajectory.c - see trajectory.h. SPDX-License-Identifier: BSD-3-Clause */
#include "trajectory.h"

#include "error.h"
#include "formats.h"
#include "memory.h"
#include "reading.h"
#include "text_stream.h"

#include <string.h>

/* Bytes loaded at first, enough to find the format. */
enum { FIRST_PIECE = 1 << 18 };

struct enuf_trajectory {
    enuf_text_stream stream;
    enuf_read_options options;
    const enuf_format *format;
    int64_t frames; /* read so far */
    /* of the last frame; the next frame uses them if the file gives them only once */
    enuf_units units;
    int units_given;
    double cell[9];
    int64_t cell_line;
};

/* Loads until the text holds a frame and the beginning of the next one. */
static enuf_status load_frame(enuf_trajectory *t)
{
    enuf_text_stream *stream = &t->stream;
    if (!t->format->missing) return enuf_text_stream_load_all(stream);
    while (!enuf_text_stream_at_end(stream)) {
        const int64_t missing = t->format->missing(&stream->text);
        if (missing == 0) break;
        ENUF_TRY(enuf_text_stream_load(stream, missing));
    }
    return ENUF_SUCCESS;
}

/* Finds the format from the beginning of the file. */
static enuf_status begin(enuf_trajectory *t, const enuf_read_options *options)
{
    t->options = *options;
    while (t->stream.text.size < FIRST_PIECE && !enuf_text_stream_at_end(&t->stream))
        ENUF_TRY(enuf_text_stream_load(&t->stream, FIRST_PIECE));
    return enuf_format_find(&t->stream.text, options->format, &t->format);
}

static enuf_status start(enuf_status status, const enuf_read_options *options, enuf_trajectory **t)
{
    if (status == ENUF_SUCCESS) status = begin(*t, options);
    if (status != ENUF_SUCCESS) enuf_trajectory_close(t);
    return status;
}

enuf_status enuf_trajectory_open(const char *path, const enuf_read_options *options,
                                 enuf_trajectory **trajectory)
{
    ENUF_TRY(enuf_allocate(trajectory, 1, sizeof **trajectory, "a trajectory"));
    memset(*trajectory, 0, sizeof **trajectory);
    return start(enuf_text_stream_open(path, &(*trajectory)->stream), options, trajectory);
}

enuf_status enuf_trajectory_open_text(const enuf_text *text, const enuf_read_options *options,
                                      enuf_trajectory **trajectory)
{
    ENUF_TRY(enuf_allocate(trajectory, 1, sizeof **trajectory, "a trajectory"));
    memset(*trajectory, 0, sizeof **trajectory);
    return start(enuf_text_stream_copy(text, &(*trajectory)->stream), options, trajectory);
}

void enuf_trajectory_close(enuf_trajectory **trajectory)
{
    if (!*trajectory) return;
    enuf_text_stream_close(&(*trajectory)->stream);
    enuf_release(trajectory);
}

void enuf_trajectory_progress(const enuf_trajectory *trajectory, int64_t *done, int64_t *total)
{
    *done = trajectory->stream.dropped;
    *total = trajectory->stream.total;
}

static enuf_status read_frame(enuf_trajectory *t, enuf_reading *reading)
{
    const enuf_text *text = &t->stream.text;
    reading->given_cell = t->options.cell;
    reading->without_cell = t->options.without_cell;
    reading->without_charges = t->options.without_charges;
    reading->units_before = t->units;
    reading->units_before_given = t->units_given;
    memcpy(reading->cell_before, t->cell, sizeof t->cell);
    reading->cell_before_line = t->cell_line;
    ENUF_TRY(load_frame(t));
    ENUF_TRY(t->format->read(text, reading));
    if (reading->given_cell && reading->ions.cell_line > 0)
        return enuf_text_fail(text, reading->ions.cell_line,
                              "the file gives its cell here: --cell is for files without one");
    return enuf_charge_rules_apply(text, t->options.rules, t->options.n_rules, reading);
}

enuf_status enuf_trajectory_next(enuf_trajectory *t, enuf_structure *frame, int *found)
{
    enuf_reading reading = {0};
    *found = t->frames == 0 || t->stream.text.size > 0;
    if (!*found) return ENUF_SUCCESS;
    const enuf_status status = read_frame(t, &reading);
    if (status == ENUF_SUCCESS) {
        const enuf_line all = {.next = t->stream.text.bytes + t->stream.text.size};
        reading.ions.frame = ++t->frames;
        t->units = reading.ions.units;
        t->units_given = reading.ions.units_given;
        memcpy(t->cell, reading.ions.cell, sizeof t->cell);
        t->cell_line = reading.ions.cell_line;
        *frame = reading.ions;
        reading.ions = (enuf_structure){0};
        enuf_text_stream_drop(&t->stream,
                              t->format->missing && frame->more_frames ? &reading.end : &all);
    }
    enuf_reading_free(&reading);
    return status;
}
