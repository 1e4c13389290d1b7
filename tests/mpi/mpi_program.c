/* mpi_program.c - see mpi_program.h. SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_program.h"
#include "check.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int shared_memory_fails, shared_memory_calls;
int __real_memfd_create(const char *name, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags)
{
    shared_memory_calls++;
    if (!shared_memory_fails) return __real_memfd_create(name, flags);
    errno = ENOSPC;
    return -1;
}

#ifdef __SANITIZE_ADDRESS__

#include <sanitizer/lsan_interface.h>

__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

/* Ignores leaks of allocations that MPI makes later. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libmpi\nleak:libopen-\nleak:libpmix\nleak:libhwloc\nleak:libevent\nleak:mca_\n";
}

#else

static void __lsan_disable(void)
{
}

static void __lsan_enable(void)
{
}

static int __lsan_do_recoverable_leak_check(void)
{
    return 0;
}

#endif

void begin_mpi(int *argc, char ***argv)
{
    __lsan_disable();
    shared_memory_fails = getenv("ENUF_TEST_MESSAGES") != NULL;
    int threads_allowed;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &threads_allowed);
    __lsan_enable();
}

int end_mpi(int result)
{
    if (__lsan_do_recoverable_leak_check()) {
        puts("memory leaked: FAILED");
        result = CHECK_FAILED;
    }
    MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return result;
}
