/* ion_files.c - see ion_files.h. SPDX-License-Identifier: BSD-3-Clause */
#include "ion_files.h"

#include "error.h"
#include "write.h"

#include <string.h>
#include <sys/stat.h>

static const char *const options[CLI_ION_FILES] = {"forces", "per-atom", "potential"};

static const char *name_of(const cli_settings *settings, int k)
{
    const char *const names[CLI_ION_FILES] = {settings->forces, settings->per_atom,
                                              settings->potential};
    return names[k];
}

/* Whether an output is an input file, also through links and other spellings of the path. */
static int is_input(const cli_settings *settings, const char *output)
{
    struct stat in, out;
    if (stat(output, &out) != 0 || !S_ISREG(out.st_mode)) return 0;
    for (int f = 0; f < settings->n_inputs; ++f) {
        if (strcmp(settings->inputs[f], "-") == 0 || stat(settings->inputs[f], &in) != 0) continue;
        if (in.st_dev == out.st_dev && in.st_ino == out.st_ino) return 1;
    }
    return 0;
}

enuf_status cli_ion_files_open(const cli_settings *settings, cli_ion_files *files)
{
    for (int k = 0; k < CLI_ION_FILES; ++k) {
        const char *name = name_of(settings, k);
        if (name && is_input(settings, name))
            return enuf_fail(ENUF_BAD_ARGUMENT, "--%s names the FILE itself: give another name",
                             options[k]);
    }
    for (int k = 0; k < CLI_ION_FILES; ++k) {
        if (!name_of(settings, k)) continue;
        ENUF_TRY(enuf_output_open(name_of(settings, k), &files->of[k]));
        for (int j = 0; j < k; ++j) {
            if (files->of[j] && enuf_output_same(files->of[j], files->of[k]))
                return enuf_fail(ENUF_BAD_ARGUMENT, "--%s and --%s name the same file", options[j],
                                 options[k]);
        }
    }
    return ENUF_SUCCESS;
}

int cli_ion_files_on_stdout(const cli_settings *settings)
{
    for (int k = 0; k < CLI_ION_FILES; ++k) {
        const char *name = name_of(settings, k);
        if (name && (strcmp(name, "-") == 0 || strcmp(name, "/dev/stdout") == 0)) return 1;
    }
    return 0;
}

int cli_ion_files_wanted(const cli_settings *settings)
{
    return (settings->forces ? ENUF_WANT_FORCES : 0) |
           (settings->per_atom ? ENUF_WANT_ATOM_ENERGY | ENUF_WANT_ATOM_VIRIAL : 0) |
           (settings->potential ? ENUF_WANT_POTENTIAL : 0);
}

void cli_ion_files_add(cli_ion_files *files, const enuf_structure *structure,
                       const enuf_ewald_result *result)
{
    const enuf_column columns[CLI_ION_FILES][3] = {
        {{"charge", 1, structure->charges}, {"forces", 3, result->forces}},
        {{"charge", 1, structure->charges},
         {"energy", 1, result->atom_energy},
         {"virial", 6, result->atom_virial}},
        {{"charge", 1, structure->charges}, {"potential", 1, result->potential}}};
    static const int n_columns[CLI_ION_FILES] = {2, 3, 2};
    char comment[80];
    int used = snprintf(comment, sizeof comment, "energy=%.17g", result->energy);
    if (structure->step_given)
        snprintf(comment + used, sizeof comment - (size_t)used, " step=%lld",
                 (long long)structure->step);
    for (int k = 0; k < CLI_ION_FILES; ++k) {
        if (!files->of[k]) continue;
        enuf_write_extxyz(enuf_output_stream(files->of[k]), structure, columns[k], n_columns[k],
                          comment);
    }
}

enuf_status cli_ion_files_commit(cli_ion_files *files)
{
    enuf_output **const all[] = {&files->of[0], &files->of[1], &files->of[2]};
    return enuf_output_commit_all(CLI_ION_FILES, all);
}

void cli_ion_files_discard(cli_ion_files *files)
{
    for (int k = 0; k < CLI_ION_FILES; ++k) enuf_output_discard(&files->of[k]);
}
