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
     * What KOKKOS' instance gets from now on waits for what this stream has got. Beside the kernels
     * of the modes, which hold much shared memory, a kernel of pairs has a small first cache until
     * it ends: with 884,736 atoms it takes 15.6 ms, behind them 9.4, and they take 0.3
     * (bench/results/pairs_beside_modes_h200_2026-12-01.csv).
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
