/* output.c - see output.h. SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include "error.h"
#include "interrupted.h"
#include "memory.h"
#include "replacement.h"

#include <string.h>

enum { MOST_TOGETHER = 8 };

struct enuf_output {
    enuf_replacement file;
    int slot; /* of the unfinished file in interrupted.h */
};

/* The name of the unfinished file is registered before the file exists. */
static enuf_status open_file(const char *path, enuf_output *output)
{
    ENUF_TRY(enuf_replacement_name(path, &output->file));
    if (output->file.part[0]) output->slot = enuf_interrupted_add(output->file.part);
    const enuf_status status = enuf_replacement_open(&output->file);
    if (status) enuf_interrupted_forget(output->slot);
    return status;
}

enuf_status enuf_output_open(const char *path, enuf_output **output)
{
    *output = NULL;
    enuf_output *opened;
    ENUF_TRY(enuf_allocate(&opened, 1, sizeof *opened, "an output file"));
    opened->slot = -1;
    const enuf_status status = open_file(path, opened);
    if (status == ENUF_SUCCESS)
        *output = opened;
    else
        enuf_release(&opened);
    return status;
}

FILE *enuf_output_stream(enuf_output *output)
{
    return output->file.stream;
}

int enuf_output_same(const enuf_output *a, const enuf_output *b)
{
    if (a->file.stream == b->file.stream) return 1;
    return a->file.part[0] && strcmp(a->file.path, b->file.path) == 0;
}

enuf_status enuf_output_commit_all(int n, enuf_output **const outputs[])
{
    enuf_replacement *files[MOST_TOGETHER];
    int n_files = 0;
    if (n > MOST_TOGETHER)
        return enuf_fail(ENUF_INTERNAL, "%d output files at once, but at most %d are possible", n,
                         MOST_TOGETHER);
    for (int k = 0; k < n; ++k)
        if (*outputs[k]) files[n_files++] = &(*outputs[k])->file;
    enuf_interrupted_hold();
    const enuf_status status = enuf_replacement_commit(n_files, files);
    for (int k = 0; k < n; ++k) {
        if (*outputs[k]) enuf_interrupted_forget((*outputs[k])->slot);
        enuf_release(outputs[k]);
    }
    enuf_interrupted_let();
    return status;
}

enuf_status enuf_output_commit(enuf_output **output)
{
    enuf_output **const all[] = {output};
    return enuf_output_commit_all(1, all);
}

void enuf_output_discard(enuf_output **output)
{
    if (!*output) return;
    enuf_replacement_discard(&(*output)->file);
    enuf_interrupted_forget((*output)->slot);
    enuf_release(output);
}
