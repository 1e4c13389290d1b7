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
    void goes_first() const
    {
    }
};

#ifdef KOKKOS_ENABLE_CUDA
/** It does not wait for the default stream. */
template <> class Stream<Kokkos::Cuda>
{
  public:
    Stream()
    {
        cudaSetDevice(device());
        // without a stream of its own the evaluation is right too
        if (cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != cudaSuccess)
            stream_ = nullptr;
        if (cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming) != cudaSuccess)
            begun_ = nullptr;
    }
    ~Stream()
    {
        if (begun_) cudaEventDestroy(begun_);
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
    /**
     * What KOKKOS' instance gets from now on waits for what this stream has got. Beside the modes a
     * kernel of pairs may be slow until it ends: 4.2 ms with 110,592 atoms, 16 to 19 with 862,488,
     * in turn 1.5 and 13.3, of which the modes take 0.1 and 0.4
     * (bench/results/pairs_beside_modes_h200_2026-12-01.csv). Probably a multiprocessor divides its
     * memory by the first of the two, so that little is left for the cache of pairs.
     */
    void goes_first() const
    {
        if (begun_ && cudaEventRecord(begun_, stream_) == cudaSuccess)
            cudaStreamWaitEvent(Kokkos::Cuda().cuda_stream(), begun_, 0);
    }

  private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begun_ = nullptr;
};
#endif

} // namespace enuf
#endif
