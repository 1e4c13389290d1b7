/* shared_block.cpp - memory that all tasks see. SPDX-License-Identifier: GPL-2.0-only */
#include "shared_block.h"

#include <comm.h>
#include <lammps.h>

#include <mpi.h>

#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace LAMMPS_NS;

namespace enuf
{

SharedBlock::SharedBlock(LAMMPS *lmp) : Pointers(lmp)
{
}

SharedBlock::~SharedBlock() noexcept
{
    release();
}

void SharedBlock::release()
{
    if (at_) munmap(at_, bytes_);
    at_ = nullptr;
    bytes_ = 0;
}

void SharedBlock::map(int file)
{
    void *found = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) at_ = found;
}

/* The first task makes the block, the others open it by its name; that no other machine has one of
 * this name is the random number's part. */
bool SharedBlock::allocate(std::size_t bytes)
{
    release();
    bytes_ = bytes;
    char name[64] = "";
    int file = -1;
    if (comm->me == 0) {
        std::random_device random;
        std::snprintf(name, sizeof name, "/enuf-%ld-%08x%08x", static_cast<long>(getpid()),
                      static_cast<unsigned>(random()), static_cast<unsigned>(random()));
        file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
        // asked for now: later, a page that is not there would end the process
        if (file >= 0 && posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0) map(file);
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, world);
    if (comm->me != 0) {
        file = shm_open(name, O_RDWR, 0);
        if (file >= 0) map(file);
    }
    if (file >= 0) close(file);
    int mapped = at_ != nullptr, all;
    MPI_Allreduce(&mapped, &all, 1, MPI_INT, MPI_MIN, world);
    if (comm->me == 0) shm_unlink(name);
    if (!all) release();
    return all != 0;
}

} // namespace enuf
