/* shared_memory.c - see shared_memory.h. SPDX-License-Identifier: BSD-3-Clause */
#include "shared_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A unique name: it has the process's id, a count and the time. */
static void choose_name(size_t length, char *name)
{
    static int blocks;
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, length, "/enuf-%ld-%d-%08lx%08lx", (long)getpid(), blocks++,
             (unsigned long)now.tv_sec, (unsigned long)now.tv_nsec);
}

static void map(int file, enuf_shared_memory *block)
{
    void *at = mmap(NULL, block->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at != MAP_FAILED) block->at = at;
}

/* Allocates all pages now: a page that is missing later would end the process. */
static void make(const char *name, enuf_shared_memory *block)
{
    const int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
    if (file < 0) return;
    if (posix_fallocate(file, 0, (off_t)block->bytes) == 0) map(file, block);
    close(file);
}

static void open_made(const char *name, enuf_shared_memory *block)
{
    struct stat found;
    const int file = shm_open(name, O_RDWR, 0);
    if (file < 0) return;
    /* skip a block of another size: the first rank failed to fill it, or it is another machine's */
    if (fstat(file, &found) == 0 && found.st_size == (off_t)block->bytes) map(file, block);
    close(file);
}

int enuf_shared_memory_allocate(enuf_ranks *ranks, size_t bytes, enuf_shared_memory *block)
{
    char name[80] = "";
    *block = (enuf_shared_memory){.bytes = bytes};
    if (ranks->rank == 0) {
        choose_name(sizeof name, name);
        make(name, block);
    }
    enuf_ranks_from_first(ranks, (int64_t)sizeof name, name);
    if (ranks->rank != 0) open_made(name, block);
    int64_t mapped = block->at != NULL;
    enuf_ranks_sum_integers(ranks, 1, &mapped);
    if (ranks->rank == 0) shm_unlink(name);
    if (mapped < ranks->size) enuf_shared_memory_release(block);
    return mapped == ranks->size;
}

void enuf_shared_memory_release(enuf_shared_memory *block)
{
    if (block->at) munmap(block->at, block->bytes);
    *block = (enuf_shared_memory){.at = NULL};
}
