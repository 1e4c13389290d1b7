/*
 * stream.h - the stream of the evaluation, beside that of KOKKOS' instance.
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_STREAM_H
#define ENUF_STREAM_H

#include <Kokkos_Core.hpp>

namespace enuf
{

/** On the host there is none. */
template <class Space> class Stream
{
  public:
    void *handle() const
    {
        return nullptr;
    }
    static int device()
    {
        return -1;
    }
};

#ifdef KOKKOS_ENABLE_CUDA
/**
 * It does not wait for the default stream, and its kernels go first where both streams have some:
 * those of the modes are many and short, so that pairs fill what they leave free.
 */
template <> class Stream<Kokkos::Cuda>
{
  public:
    Stream()
    {
        int least = 0, greatest = 0;
        cudaSetDevice(device());
        cudaDeviceGetStreamPriorityRange(&least, &greatest);
        // without a stream of its own the evaluation is right, but does not run beside the pairs
        if (cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest) != cudaSuccess)
            stream_ = nullptr;
    }
    ~Stream()
    {
        if (stream_) cudaStreamDestroy(stream_);
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    void *handle() const
    {
        return stream_;
    }
    /** The GPU of KOKKOS. */
    static int device()
    {
        return Kokkos::Cuda().cuda_device();
    }

  private:
    cudaStream_t stream_ = nullptr;
};
#endif

} // namespace enuf
#endif
