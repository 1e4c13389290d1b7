/* jax_missing.c - a wheel without handlers for JAX: the build had no header of jaxlib. enuf.jax
 * then calls back into Python. SPDX-License-Identifier: BSD-3-Clause */
#include "jax_handlers.h"

const char *enuf_jax_version(void)
{
    return NULL;
}

enuf_status enuf_jax_create(enuf_ewald *ewald, int64_t n, const enuf_ewald_options *options,
                            const enuf_exclusions *exclusions, enuf_jax **made)
{
    (void)ewald, (void)n, (void)options, (void)exclusions, (void)made;
    return ENUF_UNSUPPORTED;
}

void *enuf_jax_handler(const char *name, const char *platform)
{
    (void)name, (void)platform;
    return NULL;
}
