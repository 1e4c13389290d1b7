/* thread_count.c - number of threads of a request, and of one process among several; see
 * parallel.h. SPDX-License-Identifier: BSD-3-Clause */
#include "parallel.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int processors; /* number of processors that the process may use */
static int quota;   /* processor time that its control group may use, in processors; 0: no limit */
static int is_said; /* 1 if OMP_NUM_THREADS is set */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Quota limit / period. Both stand in one file, or in two files. INFINITY: no limit. */
static double ratio_in(const char *path, const char *period_path)
{
    double limit = 0, period = 0;
    FILE *file = fopen(path, "r");
    if (!file) return INFINITY;
    int read = fscanf(file, "%lf", &limit); /* "max", and -1 in the older version, mean none */
    if (read == 1 && !period_path) read += fscanf(file, "%lf", &period);
    fclose(file);
    if (read == 1 && period_path && (file = fopen(period_path, "r"))) {
        read += fscanf(file, "%lf", &period);
        fclose(file);
    }
    return read == 2 && limit > 0 && period > 0 ? limit / period : INFINITY;
}

/* The smallest quota of the process's control group and its parent groups. */
static double quota_of_groups(void)
{
    static const char root[] = "/sys/fs/cgroup";
    double least =
        ratio_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    char group[1024] = "", path[sizeof root + sizeof group + 16];
    FILE *file = fopen("/proc/self/cgroup", "r");
    for (int more = file != NULL; more && fgets(group, sizeof group, file);)
        more = strncmp(group, "0::", 3) != 0;
    if (file) fclose(file);
    if (strncmp(group, "0::", 3) != 0) group[3] = '\0';
    char *name = group + 3;
    name[strcspn(name, "\n")] = '\0';
    for (char *end; (end = strrchr(name, '/')) != NULL; *end = '\0') {
        snprintf(path, sizeof path, "%s%s/cpu.max", root, name);
        least = fmin(least, ratio_in(path, NULL));
    }
    snprintf(path, sizeof path, "%s/cpu.max", root);
    return fmin(least, ratio_in(path, NULL));
}

static void look_at_machine(void)
{
    processors = omp_get_num_procs();
    const double share = quota_of_groups();
    if (share < INT_MAX) quota = (int)ceil(share);
    is_said = getenv("OMP_NUM_THREADS") != NULL;
}

int enuf_thread_count(int requested)
{
    pthread_once(&once, look_at_machine);
    const int room = ENUF_THREADS_OF_PROCESSOR * processors, most = room > 16 ? room : 16;
    int threads = requested > 0 ? requested : omp_get_max_threads();
    if (requested <= 0 && threads == processors && !is_said && quota > 0 && quota < threads)
        threads = quota;
    return threads < most ? threads : most;
}

int enuf_thread_share(int processes)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int mine = enuf_thread_count(0);
    const long room = quota > 0 && quota < online ? quota : online;
    if (is_said || room < 1 || (long)mine * processes <= room) return mine;
    return room > processes ? (int)(room / processes) : 1;
}
