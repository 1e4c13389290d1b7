/* symbol.h - finds functions of a library that was opened at run time. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef BENCH_PEERS_SYMBOL_H
#define BENCH_PEERS_SYMBOL_H

#include <dlfcn.h>
#include <string.h>

/** Sets the function pointer at `function`; memcpy, because ISO C cannot cast the result of dlsym()
 * to it. Returns 0 if the library has no function of that name. */
static inline int peer_symbol(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

#endif
