/*
 * test_thread_count.c - threads by default stay within the control group's quota, also of several
 * processes together, and are what OMP_NUM_THREADS says. The machine is one of 64 processors with a
 * quota of 4. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "check.h"

#include "parallel.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSORS = 64, QUOTA = 4 };

static int said; /* by OMP_NUM_THREADS */

/* These stand before the system's and OpenMP's. */
FILE *fopen(const char *path, const char *mode)
{
    static char group[] = "0::/\n", quota[] = "400000 100000\n";
    if (strcmp(path, "/proc/self/cgroup") == 0) return fmemopen(group, strlen(group), "r");
    if (strcmp(path, "/sys/fs/cgroup/cpu.max") == 0) return fmemopen(quota, strlen(quota), "r");
    if (strncmp(path, "/sys/fs/cgroup", 14) == 0) return NULL;
    const int file = open(path, *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0666);
    return file < 0 ? NULL : fdopen(file, mode);
}

long sysconf(int name)
{
    long (*systems)(int);
    if (name == _SC_NPROCESSORS_ONLN) return PROCESSORS;
    *(void **)&systems = dlsym(RTLD_NEXT, "sysconf");
    return systems ? systems(name) : -1;
}

int omp_get_num_procs(void)
{
    return PROCESSORS;
}

int omp_get_max_threads(void)
{
    return said ? said : PROCESSORS;
}

/* Runs in a child: what the machine allows is found out once a process. */
static void in_child(int threads, void (*check)(void))
{
    char text[16];
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        said = threads;
        snprintf(text, sizeof text, "%d", threads);
        if (said)
            setenv("OMP_NUM_THREADS", text, 1);
        else
            unsetenv("OMP_NUM_THREADS");
        check();
        fflush(NULL);
        _exit(check_result());
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_quota_holds(void)
{
    CHECK(enuf_thread_count(0) == QUOTA && enuf_thread_count(3) == 3);
    for (int processes = 1; processes <= 8; processes *= 2) {
        const int each = enuf_thread_share(processes);
        printf("quota %d: %d processes, %d threads each\n", QUOTA, processes, each);
        CHECK(each == (QUOTA > processes ? QUOTA / processes : 1));
    }
}

static void what_is_said_holds(void)
{
    printf("OMP_NUM_THREADS=%d, quota %d: %d threads\n", said, QUOTA, enuf_thread_count(0));
    CHECK(enuf_thread_count(0) == said && enuf_thread_share(4) == said);
}

int main(void)
{
    in_child(0, the_quota_holds);
    in_child(3, what_is_said_holds);
    in_child(PROCESSORS, what_is_said_holds); /* which is OpenMP's default too */
    return check_result();
}
