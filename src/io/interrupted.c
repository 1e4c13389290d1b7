/* interrupted.c - see interrupted.h. SPDX-License-Identifier: BSD-3-Clause */
#include "interrupted.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 8 };

/* Static, because a handler may run in any thread at any time and must not read freed memory. */
static char paths[SLOTS][PATH_MAX];
static atomic_int used[SLOTS];
static atomic_int held;
static atomic_int handlers; /* number of handlers that run now */
static atomic_int awaited;  /* signal that arrived while signals were held */
static sigset_t mask_before;

/* Signals of errors in the program. They arrive at once, in the thread with the error. */
static int is_fault(int number)
{
    static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; ++k)
        if (number == faults[k]) return 1;
    return 0;
}

static void end_by(int number)
{
    for (int s = 0; s < SLOTS; ++s)
        if (atomic_load(&used[s])) unlink(paths[s]);
    signal(number, SIG_DFL);
    kill(getpid(), number); /* the signal takes effect when its handler returns */
}

/* The handler must not wait: the interrupted thread may own a lock that the thread holding the
 * signals needs. */
static void handle(int number)
{
    const int error = errno;
    atomic_fetch_add(&handlers, 1);
    atomic_store(&awaited, number);
    if (!atomic_load(&held) || is_fault(number)) {
        end_by(number);
        return; /* leave `handlers` raised: enuf_interrupted_hold() then waits for the end of the
                   program */
    }
    atomic_fetch_sub(&handlers, 1);
    errno = error;
}

/* Whether a signal's default action ends the program: POSIX, and signal(7). */
static int ends_the_program(int number)
{
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN,
                                 SIGTTOU, SIGCONT, SIGCHLD, SIGURG,
#ifdef SIGWINCH
                                 SIGWINCH
#endif
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (number == others[k]) return 0;
    return 1;
}

static void install(void)
{
    struct sigaction ours = {.sa_handler = handle, .sa_flags = SA_RESTART}, old;
    sigemptyset(&ours.sa_mask);
    for (int number = 1; number <= SIGRTMAX; ++number) {
        if (!ends_the_program(number)) continue;
        if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(number, &ours, NULL); /* fails for the signals reserved by libc */
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

void enuf_interrupted_hold(void)
{
    const struct timespec moment = {0, 1000000};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask_before);
    atomic_store(&held, 1);
    /* wait for a running handler: it ends the program */
    while (atomic_load(&handlers)) nanosleep(&moment, NULL);
}

void enuf_interrupted_let(void)
{
    atomic_store(&held, 0);
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
    /* a handler writes `awaited` before it reads `held`, so no signal is lost */
    const int number = atomic_exchange(&awaited, 0);
    if (number) end_by(number);
}
