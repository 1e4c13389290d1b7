/* node_sum.c - see node_sum.h. SPDX-License-Identifier: BSD-3-Clause */
#include "node_sum.h"

#include <string.h>

/* Adds n numbers in place. */
typedef void (*adder)(int64_t n, const void *from, void *to);

static void add_doubles(int64_t n, const void *from, void *to)
{
    const double *a = from;
    double *sum = to;
    for (int64_t i = 0; i < n; i++) sum[i] += a[i];
}

static void add_floats(int64_t n, const void *from, void *to)
{
    const float *a = from;
    float *sum = to;
    for (int64_t i = 0; i < n; i++) sum[i] += a[i];
}

static void add_integers(int64_t n, const void *from, void *to)
{
    const int64_t *a = from;
    int64_t *sum = to;
    for (int64_t i = 0; i < n; i++) sum[i] += a[i];
}

/* The part of `rank`: from its first number to that of the next rank. */
static int64_t part_of(const enuf_node *node, int64_t n, int rank)
{
    return n * rank / enuf_node_ranks(node);
}

static void sum_own_part(enuf_node *node, int64_t n, size_t size, adder add, char *sums)
{
    const int me = enuf_node_rank(node), ranks = enuf_node_ranks(node);
    const int64_t first = part_of(node, n, me), here = part_of(node, n, me + 1) - first;
    const size_t at = (size_t)first * size;
    memcpy(enuf_node_begin(node, n * (int64_t)size), sums, (size_t)n * size);
    enuf_node_send(node);
    for (int r = 0; r < ranks && here > 0; r++) {
        const char *theirs = enuf_node_receive(node, r);
        if (r == 0)
            memcpy(sums + at, theirs + at, (size_t)here * size);
        else
            add(here, theirs + at, sums + at);
    }
    enuf_node_end(node);
}

static void gather_parts(enuf_node *node, int64_t n, size_t size, char *sums)
{
    const int me = enuf_node_rank(node), ranks = enuf_node_ranks(node);
    const int64_t first = part_of(node, n, me), here = part_of(node, n, me + 1) - first;
    memcpy(enuf_node_begin(node, here * (int64_t)size), sums + (size_t)first * size,
           (size_t)here * size);
    enuf_node_send(node);
    for (int k = 1; k < ranks; k++) {
        const int r = (me + k) % ranks;
        const int64_t at = part_of(node, n, r), there = part_of(node, n, r + 1) - at;
        if (there > 0)
            memcpy(sums + (size_t)at * size, enuf_node_receive(node, r), (size_t)there * size);
    }
    enuf_node_end(node);
}

/* In pieces of a quarter of the ring: so ranks seldom wait for room. */
static void sum(enuf_node *node, int64_t n, size_t size, adder add, void *sums)
{
    const int64_t most = enuf_node_room(node) / 4 / (int64_t)size;
    for (int64_t done = 0; done < n; done += most) {
        const int64_t here = n - done < most ? n - done : most;
        char *piece = (char *)sums + (size_t)done * size;
        sum_own_part(node, here, size, add, piece);
        gather_parts(node, here, size, piece);
    }
}

void enuf_node_sum_doubles(enuf_node *node, int64_t n, double *sums)
{
    sum(node, n, sizeof *sums, add_doubles, sums);
}

void enuf_node_sum_floats(enuf_node *node, int64_t n, float *sums)
{
    sum(node, n, sizeof *sums, add_floats, sums);
}

void enuf_node_sum_integers(enuf_node *node, int64_t n, int64_t *sums)
{
    sum(node, n, sizeof *sums, add_integers, sums);
}
