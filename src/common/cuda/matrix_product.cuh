/*
 * matrix_product.cuh - products of small matrices by a warp, on the double-precision matrix units.
 * GPUs whose double is slow run them slowly. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CUDA_MATRIX_PRODUCT_CUH
#define ENUF_CUDA_MATRIX_PRODUCT_CUH

/**
 * C += A B: C 16 x 8, A 16 x 8, B 8 x 8. With g = lane / 4 and t = lane % 4 a lane holds A[g][t],
 * A[g + 8][t], A[g][t + 4], A[g + 8][t + 4]; B[t][g], B[t + 4][g]; C[g][2t], C[g][2t + 1],
 * C[g + 8][2t], C[g + 8][2t + 1].
 * Before sm_90 there is only 8 x 8 x 4: two of them a half. Before sm_80 there is none.
 */
static __device__ __forceinline__ void multiply_add(double c[4], const double a[4], double b0,
                                                    double b1)
{
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1));
#elif __CUDA_ARCH__ >= 800
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 2; k++)
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                : "d"(a[half + 2 * k]), "d"(k ? b1 : b0));
#elif defined(__CUDA_ARCH__)
#error "the CUDA backend needs compute capability 8.0 or newer: CMAKE_CUDA_ARCHITECTURES"
#endif
}

#endif
