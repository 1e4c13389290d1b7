/*
 * precision.h - the precision that a kernel file is compiled for: its numbers, and vectors of the
 * machine's width. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_DIRECT_PRECISION_H
#define ENUF_DIRECT_PRECISION_H

#include "simd.h"

#ifdef ENUF_SINGLE
typedef float real;
typedef vf vr;
typedef vi vb; /* integers, bits */
enum { VR_LANES = VF_LANES, VR_EXPONENT = 23, VR_SIGN = 31 };
#define ENUF_SUFFIXED(name) name##_f32
#define vr_load             vf_load
#define vr_store            vf_store
#define vr_set              vf_set
#define vb_set              vi_set
#define vr_min              vf_min
#else
typedef double real;
typedef vd vr;
typedef vl vb;
enum { VR_LANES = VD_LANES, VR_EXPONENT = 52, VR_SIGN = 63 };
#define ENUF_SUFFIXED(name) name##_f64
#define vr_load             vd_load
#define vr_store            vd_store
#define vr_set              vd_set
#define vb_set              vl_set
#define vr_min              vd_min
#endif

#endif
