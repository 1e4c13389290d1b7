/*
 * shared_block.h - memory that all tasks of a LAMMPS see, where they are on one machine.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_SHARED_BLOCK_H
#define ENUF_SHARED_BLOCK_H

#include <pointers.h>

#include <cstddef>

namespace enuf
{

/** POSIX shared memory without a name: it is gone with the last task, however that ends. */
class SharedBlock : protected LAMMPS_NS::Pointers
{
  public:
    explicit SharedBlock(LAMMPS_NS::LAMMPS *lmp);
    ~SharedBlock() noexcept override;
    SharedBlock(const SharedBlock &) = delete;
    SharedBlock &operator=(const SharedBlock &) = delete;

    /** Lets go of what it holds and makes another block. False on all tasks where they are on
     * several machines, or the system has no room. Collective. */
    bool allocate(std::size_t bytes);
    /** Local. */
    void release();
    void *at() const
    {
        return at_;
    }

  private:
    void map(int file);

    void *at_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace enuf
#endif
