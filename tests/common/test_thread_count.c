/*
 * test_thread_count.c - the default number of threads, on a machine that this test pretends to be:
 * 64 processors and a control group with a quota of 4.
 *
 * Without OMP_NUM_THREADS the threads of 1 to 8 processes together stay within the quota, one
 * thread for each process at least. With OMP_NUM_THREADS its number holds.
 * SPDX-License-Identifier: BSD-3-Clause
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

static int omp_num_threads; /* the value of OMP_NUM_THREADS; 0: not set */

/* The linker takes these functions instead of those of the C library and of OpenMP. */
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
    long (*system_sysconf)(int);
    if (name == _SC_NPROCESSORS_ONLN) return PROCESSORS;
    *(void **)&system_sysconf = dlsym(RTLD_NEXT, "sysconf");
    return system_sysconf ? system_sysconf(name) : -1;
}

int omp_get_num_procs(void)
{
    return PROCESSORS;
}

int omp_get_max_threads(void)
{
    return omp_num_threads ? omp_num_threads : PROCESSORS;
}

/* Runs in a child process, because a process finds the limits of the machine only once. */
static void in_child(int threads, void (*check)(void))
{
    char text[16];
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        omp_num_threads = threads;
        snprintf(text, sizeof text, "%d", threads);
        if (omp_num_threads)
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

static void omp_num_threads_holds(void)
{
    printf("OMP_NUM_THREADS=%d, quota %d: %d threads\n", omp_num_threads, QUOTA,
           enuf_thread_count(0));
    CHECK(enuf_thread_count(0) == omp_num_threads && enuf_thread_share(4) == omp_num_threads);
}

int main(void)
{
    in_child(0, the_quota_holds);
    in_child(3, omp_num_threads_holds);
    in_child(PROCESSORS, omp_num_threads_holds); /* also where it is OpenMP's default */
    return check_result();
}
