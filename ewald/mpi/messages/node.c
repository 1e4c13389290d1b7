/*
 * node.c - see node.h. A reduction goes up a tree of CHILDREN branches and its result down again.
 * A rank writes its own words only, so a word needs no lock: a counter, which never goes back, says
 * to which meeting or round the numbers beside it belong.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "node.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum {
    CHILDREN = 8,
    RECENT = 16,  /* rounds of which a rank's rooms are known */
    LINE = 128,   /* two cache lines: processors fetch them together */
    POLLS = 2000, /* before a waiting rank yields, where each rank has a processor */
    MOST_RING = 1 << 23
};

/* Numbers of a reduction, and the meeting that they belong to. */
typedef struct numbers {
    _Alignas(LINE) _Atomic uint64_t meeting;
    uint64_t number[ENUF_NODE_MOST_NUMBERS];
} numbers;

/* The words of a rank, which the others read. */
typedef struct post {
    numbers up, down;
    _Alignas(LINE) _Atomic uint64_t sent; /* rounds */
    int64_t room[RECENT];                 /* offset in the ring; -1: none */
    _Alignas(LINE) _Atomic uint64_t ended;
} post;

struct enuf_node {
    post *posts; /* [size] */
    char *rings; /* [size][ring] */
    int rank, size, polls;
    uint64_t meetings, rounds;
    int64_t ring, next; /* its bytes, and the next free one */
    uint64_t unread;    /* rounds since all ranks met */
    int64_t room;       /* of this round */
};

size_t enuf_node_bytes(int ranks, int64_t ring)
{
    return (size_t)ranks * (sizeof(post) + (size_t)ring);
}

int64_t enuf_node_ring(int ranks, int64_t total)
{
    const int64_t ring = total / ranks / LINE * LINE;
    return ring < MOST_RING ? ring : MOST_RING;
}

void enuf_node_start(int rank, int ranks, int64_t ring, void *block, enuf_node *node)
{
    *node = (enuf_node){.posts = block, .rank = rank, .size = ranks, .ring = ring};
    node->rings = (char *)(node->posts + ranks);
    node->polls = sysconf(_SC_NPROCESSORS_ONLN) >= ranks ? POLLS : 1;
}

size_t enuf_node_size(void)
{
    return sizeof(enuf_node);
}

void *enuf_node_block(const enuf_node *node)
{
    return node->posts;
}

int enuf_node_rank(const enuf_node *node)
{
    return node->rank;
}

int enuf_node_ranks(const enuf_node *node)
{
    return node->size;
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static void wait_for(const enuf_node *node, _Atomic uint64_t *counter, uint64_t least)
{
    for (int k = 0; atomic_load_explicit(counter, memory_order_acquire) < least; k++) {
        if (k < node->polls)
            pause_briefly();
        else
            sched_yield();
    }
}

/* ---- Reductions ---- */

static void combine(enuf_node_operation operation, int n, const uint64_t *from, uint64_t *to)
{
    for (int i = 0; i < n; i++) {
        int64_t a, b;
        double x, y;
        memcpy(&a, to + i, sizeof a);
        memcpy(&b, from + i, sizeof b);
        memcpy(&x, to + i, sizeof x);
        memcpy(&y, from + i, sizeof y);
        switch (operation) {
        case ENUF_NODE_LEAST:
            a = b < a ? b : a;
            break;
        case ENUF_NODE_SUM:
            a += b;
            break;
        case ENUF_NODE_SUM_DOUBLES:
            x += y;
            break;
        case ENUF_NODE_LARGEST:
            x = y > x ? y : x;
            break;
        }
        if (operation == ENUF_NODE_LEAST || operation == ENUF_NODE_SUM)
            memcpy(to + i, &a, sizeof a);
        else
            memcpy(to + i, &x, sizeof x);
    }
}

static void say(numbers *where, uint64_t meeting, int n, const uint64_t *of)
{
    memcpy(where->number, of, (size_t)n * sizeof *of);
    atomic_store_explicit(&where->meeting, meeting, memory_order_release);
}

static void hear(const enuf_node *node, numbers *where, int n, uint64_t *to)
{
    wait_for(node, &where->meeting, node->meetings);
    memcpy(to, where->number, (size_t)n * sizeof *to);
}

/* All ranks have ended the rounds before. The ring begins anew, so that messages go to bytes that
 * are still in caches. */
static void all_have_read(enuf_node *node)
{
    node->unread = 0;
    node->next = 0;
}

void enuf_node_reduce(enuf_node *node, enuf_node_operation operation, int n, void *values)
{
    post *mine = node->posts + node->rank;
    const int64_t first = (int64_t)CHILDREN * node->rank + 1;
    uint64_t sum[ENUF_NODE_MOST_NUMBERS], of_child[ENUF_NODE_MOST_NUMBERS];
    node->meetings++;
    memcpy(sum, values, (size_t)n * sizeof *sum);
    for (int64_t c = first; c < first + CHILDREN && c < node->size; c++) {
        hear(node, &node->posts[c].up, n, of_child);
        combine(operation, n, of_child, sum);
    }
    if (node->rank > 0) {
        say(&mine->up, node->meetings, n, sum);
        hear(node, &node->posts[(node->rank - 1) / CHILDREN].down, n, sum);
    }
    if (first < node->size) say(&mine->down, node->meetings, n, sum);
    memcpy(values, sum, (size_t)n * sizeof *sum);
    all_have_read(node);
}

/* ---- Messages ---- */

static void wait_until_all_have_read(enuf_node *node)
{
    for (int r = 0; r < node->size; r++) wait_for(node, &node->posts[r].ended, node->rounds);
    all_have_read(node);
}

int64_t enuf_node_room(const enuf_node *node)
{
    return node->ring;
}

char *enuf_node_begin(enuf_node *node, int64_t bytes)
{
    const int64_t lines = (bytes + LINE - 1) / LINE * LINE;
    const int fits = lines <= node->ring;
    if (node->unread == RECENT || (fits && node->next + lines > node->ring))
        wait_until_all_have_read(node);
    node->room = fits ? node->next : -1;
    if (fits) node->next += lines;
    node->rounds++;
    node->unread++;
    return node->room < 0 ? NULL : node->rings + node->rank * node->ring + node->room;
}

void enuf_node_send(enuf_node *node)
{
    post *mine = node->posts + node->rank;
    mine->room[node->rounds % RECENT] = node->room;
    atomic_store_explicit(&mine->sent, node->rounds, memory_order_release);
}

const char *enuf_node_receive(enuf_node *node, int rank)
{
    post *theirs = node->posts + rank;
    wait_for(node, &theirs->sent, node->rounds);
    const int64_t room = theirs->room[node->rounds % RECENT];
    return room < 0 ? NULL : node->rings + rank * node->ring + room;
}

void enuf_node_end(enuf_node *node)
{
    atomic_store_explicit(&node->posts[node->rank].ended, node->rounds, memory_order_release);
}
