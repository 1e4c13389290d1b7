/* given_options.c - see given_options.h. SPDX-License-Identifier: BSD-3-Clause */
#include "given_options.h"

#include <stdio.h>
#include <string.h>

/* X(field of the library, option, whether it was given). KEPT: parameters; OTHERS: accuracies */
#define KEPT(X)                                                                                    \
    X("cutoff", "--cutoff", ewald->cutoff > 0)                                                     \
    X("alpha", "--alpha", ewald->alpha > 0)                                                        \
    X("kmax", "--kmax", ewald->kmax > 0)                                                           \
    X("grid", "--grid", ewald->grid[0] > 0)                                                        \
    X("window", "--window", ewald->window != 0)                                                    \
    X("width", "--width", ewald->width > 0)
#define OTHERS(X)                                                                                  \
    X("accuracy", "--accuracy", ewald->accuracy > 0)                                               \
    X("force_error", "--force-error", ewald->force_error > 0)                                      \
    X("lammps_accuracy", "--lammps-accuracy", ewald->lammps_accuracy > 0)                          \
    X("surroundings", "--surroundings", ewald->surroundings != 0)                                  \
    X("slab", "--slab", ewald->slab != 0)                                                          \
    X("threads", "--threads", ewald->threads > 0)                                                  \
    X("deterministic:", "--deterministic:", ewald->deterministic)

int cli_given(const cli_settings *settings, char list[CLI_GIVEN_SIZE])
{
    const enuf_ewald_options *ewald = &settings->ewald;
    int n = 0;
    list[0] = 0;
#define X(field, option, given)                                                                    \
    if (given) {                                                                                   \
        const size_t used = strlen(list);                                                          \
        snprintf(list + used, CLI_GIVEN_SIZE - used, "%s%s", n++ ? ", " : "", option);             \
    }
    KEPT(X)
#undef X
    return n;
}

const char *cli_option_of_field(const cli_settings *settings, const char *field, size_t length)
{
    const enuf_ewald_options *ewald = &settings->ewald;
#define X(name, option, given)                                                                     \
    if (strlen(name) == length && memcmp(name, field, length) == 0 && (given)) return option;
    KEPT(X)
    OTHERS(X)
#undef X
    return NULL;
}
