/* isa.c - the choice of an instruction set. SPDX-License-Identifier: BSD-3-Clause */
#include "isa.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>

/* Sets of this build, the best last. */
static const enuf_isa sets[] = {
#define ENUF_X(NAME, set, ...) ENUF_ISA_##NAME,
    ENUF_KERNEL_SETS(ENUF_X, )
#undef ENUF_X
};

#if defined(__x86_64__)
#include <cpuid.h>

/* What compilers before gcc 14 and clang 18 cannot ask for by name. */
static int has_rest_of_v3(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_MOVBE) || !(c & bit_F16C)) return 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

static int has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_rest_of_v3();
}

static int has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static int runs(enuf_isa isa)
{
    return isa == ENUF_ISA_X86_64_V3 ? has_v3() : isa == ENUF_ISA_X86_64_V4 ? has_v4() : 1;
}
#else
static int runs(enuf_isa isa)
{
    (void)isa;
    return 1;
}
#endif

/* "x86-64, x86-64-v3" */
static void list_sets(char *list, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < ENUF_COUNT(sets) && used < size; k++)
        used += (size_t)snprintf(list + used, size - used, "%s%s", k ? ", " : "",
                                 enuf_isa_name(sets[k]));
}

static enuf_status check(enuf_isa isa)
{
    char list[64];
    int k = 0;
    list_sets(list, sizeof list);
    while (k < ENUF_COUNT(sets) && sets[k] != isa) k++;
    if (k == ENUF_COUNT(sets))
        return enuf_fail(ENUF_NO_BACKEND, "this enuf has no kernels for %s, but for %s",
                         enuf_isa_name(isa), list);
    if (!runs(isa))
        return enuf_fail(ENUF_NO_BACKEND, "this processor does not run %s", enuf_isa_name(isa));
    return ENUF_SUCCESS;
}

static enuf_status of_environment(const char *name, enuf_isa *found)
{
    if (enuf_isa_parse(name, found) != ENUF_SUCCESS || *found == ENUF_ISA_AUTO) {
        char list[64];
        list_sets(list, sizeof list);
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "ENUF_ISA is '%s': it has to be one of %s, or not set for the best of "
                         "this processor",
                         name, list);
    }
    const enuf_status status = check(*found);
    return status == ENUF_SUCCESS ? status : enuf_fail_in(status, "ENUF_ISA");
}

enuf_status enuf_isa_find(enuf_isa wanted, enuf_isa *found)
{
    const char *name = getenv("ENUF_ISA");
    if (!found) return enuf_fail(ENUF_BAD_ARGUMENT, "enuf_isa_find: found is NULL");
    if (!enuf_isa_name(wanted))
        return enuf_fail(ENUF_BAD_ARGUMENT, "isa is %d: it has to be one of enuf_isa", (int)wanted);
    *found = wanted;
    if (wanted != ENUF_ISA_AUTO) return check(wanted);
    if (name && *name) return of_environment(name, found);
    int k = ENUF_COUNT(sets) - 1;
    while (k > 0 && !runs(sets[k])) k--;
    *found = sets[k];
    return check(*found);
}

ENUF_DEFINE_QUOTED_NAMES(enuf_isa, ENUF_ISAS, "instruction set")
