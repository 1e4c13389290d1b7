/* interrupted.c - see interrupted.h. SPDX-License-Identifier: BSD-3-Clause */
#include "interrupted.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 4 };

/* Static: a handler, which may run in any thread, must not meet memory that was released. */
static char paths[SLOTS][PATH_MAX];
static atomic_int used[SLOTS];

/* SA_RESETHAND: the signal raised here is delivered on return, and ends the program. */
static void remove_files(int number)
{
    for (int s = 0; s < SLOTS; ++s)
        if (atomic_load(&used[s])) unlink(paths[s]);
    raise(number);
}

static void install(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    struct sigaction ours = {.sa_handler = remove_files, .sa_flags = SA_RESETHAND}, old;
    sigemptyset(&ours.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        if (sigaction(numbers[k], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[k], &ours, NULL);
    }
}

int enuf_interrupted_add(const char *path)
{
    const size_t size = strlen(path) + 1;
    if (size > PATH_MAX) return -1;
    for (int s = 0; s < SLOTS; ++s) {
        if (atomic_load(&used[s])) continue;
        memcpy(paths[s], path, size);
        atomic_store(&used[s], 1);
        install();
        return s;
    }
    return -1;
}

void enuf_interrupted_forget(int slot)
{
    if (slot >= 0) atomic_store(&used[slot], 0);
}
