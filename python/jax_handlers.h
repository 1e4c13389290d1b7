/*
 * jax_handlers.h - Ewald sums as calls of a compiled program of JAX, by XLA's foreign function
 * interface. In the library of the wheel, where the build has found the header of a jaxlib.
 *
 * Handlers are of type XLA_FFI_Handler. Buffers are float or double, in the memory of the platform:
 *
 *   energy     positions [n][3], charges [n], cell [3][3]
 *              -> E, dE/dpositions, dE/dcharges, dE/dcell
 *   potential  the same -> potentials [n]
 *   product    and a direction of the same three -> the product with the Hessian of E
 *
 * The attribute `object` is the address of an enuf_jax. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_JAX_HANDLERS_H
#define ENUF_JAX_HANDLERS_H

#include "enuf/ewald.h"

typedef struct enuf_jax enuf_jax;

/** The version of the jaxlib that the handlers were compiled for; NULL: there are none. */
ENUF_API const char *enuf_jax_version(void);

/**
 * An object for n atoms. Calls set charges and cell where they differ from those of the last one,
 * and wait for each other.
 *
 * ewald       for arrays on the host
 * options     of objects for arrays on GPUs, which calls make: one for each device and stream
 * exclusions  NULL: none
 *
 * These belong to the caller, and live as long as the object, with what they point to.
 */
ENUF_API enuf_status enuf_jax_create(enuf_ewald *ewald, int64_t n,
                                     const enuf_ewald_options *options,
                                     const enuf_exclusions *exclusions, enuf_jax **made);

/** The handler of a name, "energy", "potential", "product", for a platform of XLA, "cpu" or "CUDA";
 * NULL: there is none. */
ENUF_API void *enuf_jax_handler(const char *name, const char *platform);

#endif
