/* symbol.h - functions of a library that was opened at run time. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef BENCH_PEERS_SYMBOL_H
#define BENCH_PEERS_SYMBOL_H

#include <dlfcn.h>
#include <string.h>

/** Puts the address of a function into the pointer behind `function`: ISO C has no cast from what
 * dlsym gives. 0 where the library has none of that name. */
static inline int peer_symbol(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

#endif
