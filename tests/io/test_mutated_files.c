/*
 * test_mutated_files.c - no bytes crash a reader. Valid files whose bytes are changed, doubled, cut
 * out or cut off (5000 random variants of each format) give a valid structure or are refused with a
 * text. Sanitizers make this test stronger.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "read.h"

#include <math.h>
#include <string.h>

static const char extxyz[] =
    "3\nLattice=\"9 0 0 1 9 0 0 2 9\" pbc=\"T T F\" Origin=\"0 0 -1\" units=real note='a b' "
    "Properties=species:S:1:pos:R:3:charge:R:1:mol:I:1:id:I:1\n"
    "O 1 2 3 -0.8476 1 1\nH 3.5 2 1 0.4238 1 2\nH -1e-1 2 1 .4238 1 3\n";

static const char lammps_data[] =
    "via write_data, units = real\n\n3 atoms\n2 bonds\n2 atom types\n\n-1 9 xlo xhi\n0 9 ylo yhi\n"
    "0 9 zlo zhi\n1 -2 3 xy xz yz\n\nMasses\n\n1 15.9994 # O\n2 1.008 # H\n\nPair Coeffs\n\n1 1 1\n"
    "2 0 0\n\nAtoms # full\n\n30 1 1 -0.8476 5 5 5 0 0 0\n10 1 2 0.4238 6 5 5 0 1 -1\n"
    "20 1 2 0.4238 5 6 5 0 0 0\n\nBonds\n\n1 1 30 10\n2 1 30 20\n";

static const char general_triclinic[] =
    "title\n2 atoms\n2 atom types\n0 5 5 avec\n5 0 5 bvec\n5 5 0 cvec\n0 0 0 abc origin\n\n"
    "Atom Type Labels\n\n1 Na\n2 Cl\n\nAtoms # charge\n\n1 Na 1.5 0 0 0\n2 2 -1.5 1 1 1\n";

static const char lammps_dump[] = "ITEM: UNITS\nreal\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\n"
                                  "ITEM: BOX BOUNDS xy xz yz pp pp ff\n-2 13 2\n2 11 -3\n3 9 1\n"
                                  "ITEM: ATOMS id type q xs ys zs ix iy iz\n1 1 1.5 0.1 0.2 0.3 0 "
                                  "1 -1\n2 2 -1.5 .5 .5 .5 0 0 0\n";

static const char pdb[] =
    "CRYST1    9.000    9.500   10.000  90.00  80.00 100.00 P 1           1\n"
    "ATOM      1 NA    NA A   1       1.000   2.000   3.000  1.00  0.00          NA\n"
    "HETATM    2 CL    CL A   2       4.000   5.000-666.000  1.00  0.00          CL\nEND\n";

static const char gro[] = "salt in water\n2\n    1Na      Na    1   0.100   0.200   0.300\n"
                          "    2Cl      Cl    2   0.400   0.500-999.999 0.1000 0.2000 0.3000\n"
                          "   0.90000   0.90000   0.90000 0 0 0.1 0 0.2 0.3\n";

/* xorshift64*: Vigna, ACM Trans. Math. Softw. 42 (2016) */
static uint64_t random_state = 20240607;

static size_t random_below(size_t n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (size_t)((random_state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % n;
}

/* Makes one random change; returns the new size. The buffer has room for twice the size. */
static size_t mutate(char *bytes, size_t size)
{
    static const char likely[] = "0123456789+-.eE#\"'=: \t\n\r\0T[]{}naif\xff";
    if (size == 0) return 0;
    size_t at = random_below(size), length = 1 + random_below(size - at);
    switch (random_below(6)) {
    case 0:
        bytes[at] = (char)random_below(256);
        return size;
    case 1:
        bytes[at] = likely[random_below(sizeof likely - 1)];
        return size;
    case 2:
        bytes[at] = likely[random_below(10)];
        return size; /* a digit */
    case 3:
        return at; /* cut off */
    case 4:        /* cut out */
        memmove(bytes + at, bytes + at + length, size - at - length);
        return size - length;
    default: /* doubled */
        memmove(bytes + at + length, bytes + at, size - at);
        return size + length;
    }
}

static int is_sane(const enuf_structure *s)
{
    int sane = s->n > 0 && s->n_species > 0 && enuf_structure_volume(s) > 0.0;
    for (int64_t i = 0; i < s->n && sane; ++i) {
        sane = s->species[i] >= 0 && s->species[i] < s->n_species && isfinite(s->charges[i]);
        for (int d = 0; d < 3; ++d) sane = sane && isfinite(s->positions[3 * i + d]);
    }
    for (int64_t b = 0; b < 2 * s->n_bonds && sane; ++b)
        sane = s->bonds[b] >= 0 && s->bonds[b] < s->n;
    for (int32_t k = 0; k < s->n_species && sane; ++k)
        sane = memchr(s->species_names[k], 0, ENUF_SPECIES_SIZE) != NULL && s->species_names[k][0];
    return sane;
}

static void read_mutant(const char *bytes, size_t size, const char *format, int *good)
{
    static const enuf_charge_rule rules[] = {{"Na", 1.0}, {"Cl", -1.0}};
    const int n_rules =
        format && (strcmp(format, "pdb") == 0 || strcmp(format, "gro") == 0) ? 2 : 0;
    enuf_text text;
    enuf_structure s;
    enuf_status status = enuf_text_copy("mutant", bytes, size, &text);
    if (status == ENUF_SUCCESS) {
        status = enuf_parse_structure(&text, format, rules, n_rules, &s);
        if (status == ENUF_SUCCESS) {
            *good += 1;
            CHECK(is_sane(&s));
            enuf_structure_free(&s);
        }
        enuf_text_free(&text);
    }
    if (status == ENUF_BAD_ARGUMENT && n_rules > 0) return; /* no ion of a rule's species is left */
    CHECK(status == ENUF_SUCCESS || status == ENUF_BAD_FILE);
    CHECK(status == ENUF_SUCCESS || strncmp(enuf_last_error(), "mutant", 6) == 0);
}

static void mutants_never_crash(const char *file, size_t size, const char *format)
{
    enum { MUTANTS = 5000, MOST_CHANGES = 4 };
    int good = 0;
    read_mutant(file, size, format, &good);
    CHECK(good == 1);
    for (int m = 0; m < MUTANTS; ++m) {
        char bytes[1024 << MOST_CHANGES];
        memcpy(bytes, file, size);
        size_t mutant = size;
        for (size_t c = 0, n = 1 + random_below(MOST_CHANGES); c < n; ++c)
            mutant = mutate(bytes, mutant);
        read_mutant(bytes, mutant, format, &good);
    }
    /* a change of a number or a comment leaves a valid file, so some variants are read, not all */
    CHECK(good > MUTANTS / 50 && good < MUTANTS * 9 / 10);
}

int main(void)
{
    mutants_never_crash(extxyz, sizeof extxyz - 1, "extxyz");
    mutants_never_crash(lammps_data, sizeof lammps_data - 1, "lammps-data");
    mutants_never_crash(lammps_dump, sizeof lammps_dump - 1, "lammps-dump");
    mutants_never_crash(pdb, sizeof pdb - 1, "pdb");
    mutants_never_crash(gro, sizeof gro - 1, "gro");
    mutants_never_crash(general_triclinic, sizeof general_triclinic - 1, NULL);
    return check_result();
}
