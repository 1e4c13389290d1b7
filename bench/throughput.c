/* throughput.c - see throughput.h. SPDX-License-Identifier: BSD-3-Clause */
#include "throughput.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "stopwatch.h"

#include <math.h>
#include <stdint.h>

enum { ROUNDS = 2000000, REPEATS = 5, IN_A_ROUND = 8 };

/* Eight instructions, each on its own register: enough to hide the latency of any of them. */
#define EIGHT(one) one(0) one(1) one(2) one(3) one(4) one(5) one(6) one(7)

#define MULTIPLY(k) "vfmadd231pd %%zmm30, %%zmm31, %%zmm" #k "\n\t"
#define ADD(k)      "vaddpd %%zmm30, %%zmm31, %%zmm" #k "\n\t"
#define RSQRT(k)    "vrsqrt14pd %%zmm30, %%zmm" #k "\n\t"
#define SHUFFLE(k)  "vpermpd (%[memory]), %%zmm31, %%zmm1" #k "\n\t"
#define COMPRESS(k) "vcompresspd %%zmm31, %%zmm" #k "%{%%k1%}%{z%}\n\t"
#define EXPAND(k)   "vexpandpd (%[memory]), %%zmm" #k "%{%%k1%}%{z%}\n\t"
#define BOTH(k)     MULTIPLY(k) SHUFFLE(k)
#define LOAD(k)     "vmovapd (%[memory]), %%zmm" #k "\n\t"
#define STORE(k)    "vmovapd %%zmm" #k ", (%[memory])\n\t"

#define REGISTERS                                                                                  \
    "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm10", "zmm11", "zmm12",     \
        "zmm13", "zmm14", "zmm15", "zmm16", "zmm17", "zmm30", "zmm31", "k1"

/* Seconds of ROUNDS rounds, the best of REPEATS. The vectors are zeros; values do not change the
 * time. */
#define DEFINE_LOOP(name, body)                                                                    \
    __attribute__((target("avx512f"))) static double name(void)                                    \
    {                                                                                              \
        double memory[8] __attribute__((aligned(64))) = {0};                                       \
        double best = 1e30;                                                                        \
        for (int k = 0; k < REPEATS; k++) {                                                        \
            int64_t rounds = ROUNDS;                                                               \
            const double start = bench_thread_seconds();                                           \
            __asm__ volatile("vpxorq %%zmm30, %%zmm30, %%zmm30\n\t"                                \
                             "vpxorq %%zmm31, %%zmm31, %%zmm31\n\t"                                \
                             "kxnorw %%k1, %%k1, %%k1\n"                                           \
                             "1:\n\t" body "dec %[rounds]\n\t"                                     \
                             "jnz 1b\n\t"                                                          \
                             "vzeroupper"                                                          \
                             : [rounds] "+r"(rounds)                                               \
                             : [memory] "r"(memory)                                                \
                             : REGISTERS, "memory", "cc");                                         \
            best = fmin(best, bench_thread_seconds() - start);                                     \
        }                                                                                          \
        return best;                                                                               \
    }

DEFINE_LOOP(multiply_loop, EIGHT(MULTIPLY))
DEFINE_LOOP(add_loop, EIGHT(ADD))
DEFINE_LOOP(rsqrt_loop, EIGHT(RSQRT))
DEFINE_LOOP(shuffle_loop, EIGHT(SHUFFLE))
DEFINE_LOOP(both_loop, EIGHT(BOTH))
DEFINE_LOOP(compress_loop, EIGHT(COMPRESS))
DEFINE_LOOP(expand_loop, EIGHT(EXPAND))
DEFINE_LOOP(load_loop, EIGHT(LOAD))
DEFINE_LOOP(store_loop, EIGHT(STORE))

/* Each addition needs the result of the one before, so that it takes one cycle. */
static double clock_rate(void)
{
    double best = 1e30;
    for (int k = 0; k < REPEATS; k++) {
        int64_t rounds = 4 * ROUNDS, x = 0;
        const double start = bench_thread_seconds();
        __asm__ volatile("1:\n\t"
                         "add $1, %[x]\n\tadd $1, %[x]\n\tadd $1, %[x]\n\tadd $1, %[x]\n\t"
                         "add $1, %[x]\n\tadd $1, %[x]\n\tadd $1, %[x]\n\tadd $1, %[x]\n\t"
                         "dec %[rounds]\n\t"
                         "jnz 1b"
                         : [rounds] "+r"(rounds), [x] "+r"(x)
                         :
                         : "cc");
        best = fmin(best, bench_thread_seconds() - start);
    }
    return 4.0 * ROUNDS * IN_A_ROUND / best;
}

int bench_measure_throughput(bench_throughput *t)
{
    if (!__builtin_cpu_supports("avx512f")) return 0;
    t->clock = clock_rate();
    const double cycles = t->clock / (1.0 * ROUNDS * IN_A_ROUND);
    t->multiply = cycles * multiply_loop();
    t->add = cycles * add_loop();
    t->rsqrt = cycles * rsqrt_loop();
    t->shuffle = cycles * shuffle_loop();
    t->multiply_and_shuffle = cycles * both_loop();
    t->compress = cycles * compress_loop();
    t->expand = cycles * expand_loop();
    t->load = cycles * load_loop();
    t->store = cycles * store_loop();
    return 1;
}

#else

int bench_measure_throughput(bench_throughput *t)
{
    (void)t;
    return 0;
}

#endif
