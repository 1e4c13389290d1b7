/* excluded_pairs.c - see excluded_pairs.h. SPDX-License-Identifier: BSD-3-Clause */
#include "excluded_pairs.h"

#include "memory.h"

#include <stdlib.h>

typedef struct member {
    int64_t molecule, ion;
} member;

static int by_molecule(const void *a, const void *b)
{
    const member *p = a, *q = b;
    if (p->molecule != q->molecule) return p->molecule < q->molecule ? -1 : 1;
    return (p->ion > q->ion) - (p->ion < q->ion);
}

static int by_ions(const void *a, const void *b)
{
    const int64_t *p = a, *q = b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* Files may list a bond twice, and in either direction. */
static enuf_status pairs_of_bonds(const enuf_structure *structure, int64_t (**out)[2], int64_t *n)
{
    int64_t(*pairs)[2], count = 0;
    ENUF_TRY(enuf_allocate(&pairs, structure->n_bonds, sizeof *pairs, "excluded pairs"));
    for (int64_t b = 0; b < structure->n_bonds; ++b) {
        const int64_t *bond = &structure->bonds[2 * b];
        pairs[b][0] = bond[0] < bond[1] ? bond[0] : bond[1];
        pairs[b][1] = bond[0] < bond[1] ? bond[1] : bond[0];
    }
    if (structure->n_bonds > 0) qsort(pairs, (size_t)structure->n_bonds, sizeof *pairs, by_ions);
    for (int64_t b = 0; b < structure->n_bonds; ++b) {
        if (count > 0 && by_ions(pairs[count - 1], pairs[b]) == 0) continue;
        pairs[count][0] = pairs[b][0];
        pairs[count++][1] = pairs[b][1];
    }
    *out = pairs;
    *n = count;
    return ENUF_SUCCESS;
}

/* Number of pairs of neighbours in the sorted list, written to `pairs` unless it is NULL. */
static int64_t pair_up(const member *members, int64_t n, int64_t (*pairs)[2])
{
    int64_t count = 0;
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin; end < n && members[end].molecule == members[begin].molecule;) ++end;
        if (!pairs) {
            count += (end - begin) * (end - begin - 1) / 2;
            continue;
        }
        for (int64_t i = begin; i < end; ++i) {
            for (int64_t j = i + 1; j < end; ++j, ++count) {
                pairs[count][0] = members[i].ion;
                pairs[count][1] = members[j].ion;
            }
        }
    }
    return count;
}

/* Molecule 0 means "none", as in LAMMPS. */
static enuf_status pairs_of_molecules(const enuf_structure *structure, int64_t (**out)[2],
                                      int64_t *n)
{
    member *members;
    int64_t n_members = 0;
    ENUF_TRY(enuf_allocate(&members, structure->n, sizeof *members, "molecules"));
    for (int64_t i = 0; i < structure->n; ++i) {
        if (structure->molecules[i] != 0)
            members[n_members++] = (member){structure->molecules[i], i};
    }
    if (n_members > 0) qsort(members, (size_t)n_members, sizeof *members, by_molecule);
    *n = pair_up(members, n_members, NULL);
    const enuf_status status = enuf_allocate(out, *n, sizeof **out, "excluded pairs");
    if (!status) pair_up(members, n_members, *out);
    enuf_release(&members);
    return status;
}

enuf_status cli_excluded_pairs(cli_exclude exclude, const enuf_structure *structure,
                               enuf_exclusions *exclusions)
{
    int64_t(*pairs)[2] = NULL, n = 0;
    if (exclude == CLI_EXCLUDE_BONDS) {
        if (structure->n_bonds == 0) {
            return enuf_fail(ENUF_BAD_ARGUMENT, "--exclude bonds: the file has no bonds (a LAMMPS "
                                                "data file lists them under Bonds)");
        }
        ENUF_TRY(pairs_of_bonds(structure, &pairs, &n));
    } else if (exclude == CLI_EXCLUDE_MOLECULE) {
        if (!structure->molecules) {
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "--exclude molecule: the file has no molecule ids (LAMMPS data: atom "
                             "styles molecular and full; extended XYZ: a column molid:I:1)");
        }
        ENUF_TRY(pairs_of_molecules(structure, &pairs, &n));
    }
    *exclusions = (enuf_exclusions){.n = n, .pairs = pairs ? pairs[0] : NULL};
    return ENUF_SUCCESS;
}

void cli_excluded_pairs_free(enuf_exclusions *exclusions)
{
    int64_t *pairs = (int64_t *)(uintptr_t)exclusions->pairs; /* allocated here */
    enuf_release(&pairs);
    *exclusions = (enuf_exclusions){0};
}
