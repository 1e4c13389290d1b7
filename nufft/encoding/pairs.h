/*
 * pairs.h - exp(-(conj z + z') t) of all pairs of pixels, z = i omega + decay, as a sum over times:
 *
 *   exp(-(conj z + z') t) ~ sum_l B_l(t) exp(-(conj z + z') t_l)
 *
 * B_l is real, as the conjugate of a pair is the pair the other way round. So
 *
 *   A^H W A ~ sum_l D_l^H T_l D_l,   D_l = diag(exp(-z t_l)),
 *
 * and T_l is the Gram operator of the samples with the real weights W_j B_l(t_j): a real spectrum.
 * The times t_l are chosen one by one, each where the times before leave the most. Then |B_l| stays
 * below 2, and there are as few as singular vectors of the pairs would be, to one or two.
 * Equispaced times (Fessler et al.) take up to twice as many, with weights of up to 1e9.
 *
 * Sources: Fessler et al., IEEE Trans. Signal Process. 53 (2005) 3393, section IV; interpolative
 * decompositions, Cheng, Gimbutas, Martinsson, Rokhlin, SIAM J. Sci. Comput. 26 (2005) 1389.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_PAIRS_H
#define ENUF_ENCODING_PAIRS_H

#include "drawn.h"
#include "histogram.h"

typedef struct enuf_pairs {
    int count;
    double *time;         /* [count] t_l */
    enuf_histogram times; /* of the samples */
    double *table;        /* [nodes of times][count] B_l(t) exp(decay (t - middle)) */
    double decay, middle; /* the factor that the table leaves out */
    double error;         /* relative l2, at some samples and pairs */
    double gain;          /* relative l2 error of the sum, where that of all T_l is 1 */
} enuf_pairs;

/** Frees the arrays, and leaves zeros. */
void enuf_pairs_free(enuf_pairs *pairs);

/** Bytes of its arrays. */
int64_t enuf_pairs_bytes(const enuf_pairs *pairs);

/** How B_l is read at a time: nodes of the table, and their weights. */
typedef struct enuf_pair_place {
    int first, n;
    double weight[ENUF_MOST_NODES];
} enuf_pair_place;

/** rules of enuf_fill_rules(). */
void enuf_pair_place_at(const enuf_pairs *pairs, const double *rules, double time,
                        enuf_pair_place *place);

/** B_l at the place. */
static inline double enuf_pair_weight(const enuf_pairs *pairs, const enuf_pair_place *place, int l)
{
    double sum = 0;
    for (int a = 0; a < place->n; a++)
        sum += place->weight[a] * pairs->table[(int64_t)(place->first + a) * pairs->count + l];
    return sum;
}

#endif
