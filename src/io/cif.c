/*
 * cif.c - reader of CIF, the format of crystallographic databases: cell constants, symmetry, and
 * the sites of the asymmetric unit, which are expanded to all ions of the cell. Angstrom.
 *
 * Tags: International Tables for Crystallography G (2005), chapter 4.1.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cell_constants.h"
#include "cif_formula.h"
#include "cif_symmetry.h"
#include "cif_syntax.h"
#include "close_ions.h"
#include "error.h"
#include "memory.h"
#include "orbit.h"
#include "reading.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Angstrom. No crystal is flatter; no ions are nearer to each other. */
static const double LEAST_HEIGHT = 1.0, LEAST_DISTANCE = 0.5;

/* How far an occupancy may be off 1. */
static const double OCCUPANCY_TOLERANCE = 1e-6;

typedef struct cif_symmetry {
    int n;
    enuf_symmetry_operation operations[ENUF_MOST_OPERATIONS];
} cif_symmetry;

/* A number with its standard uncertainty: "5.4626(3)" is 5.4626. */
static enuf_status read_real(const enuf_text *text, enuf_cif_value value, const char *what,
                             double *number)
{
    enuf_word word = value.word;
    const char *bracket = word.length > 2 ? memchr(word.begin, '(', word.length) : NULL;
    if (bracket && bracket > word.begin && word.begin[word.length - 1] == ')') {
        const size_t digits = strspn(bracket + 1, "0123456789");
        if (bracket + 1 + digits == word.begin + word.length - 1)
            word.length = (size_t)(bracket - word.begin);
    }
    if (word.length == 0) return enuf_text_fail(text, value.line, "no %s", what);
    return enuf_word_real(text, value.line, word, what, number);
}

static enuf_status read_cell(const enuf_text *text, const enuf_cif *cif, double cell[9],
                             double angles[3], int64_t *line)
{
    static const char *const tags[6] = {"_cell_length_a",   "_cell_length_b",
                                        "_cell_length_c",   "_cell_angle_alpha",
                                        "_cell_angle_beta", "_cell_angle_gamma"};
    double constants[6], heights[3];
    for (int k = 0; k < 6; ++k) {
        const enuf_cif_column column = enuf_cif_find(cif, tags[k]);
        if (column.n != 1)
            return enuf_text_fail(text, 0, "no %s: an Ewald sum needs a cell", tags[k]);
        const enuf_cif_value value = enuf_cif_at(cif, column, 0);
        ENUF_TRY(read_real(text, value, tags[k], &constants[k]));
        if (!(constants[k] > 0.0) || (k >= 3 && !(constants[k] < 180.0)))
            return enuf_text_fail(text, value.line, "%s %g should be above 0%s", tags[k],
                                  constants[k], k < 3 ? "" : " and below 180");
        if (k == 0) *line = value.line;
    }
    memcpy(angles, constants + 3, 3 * sizeof *angles);
    enuf_cell_from_constants(constants, angles, cell);
    ENUF_TRY(enuf_reading_check_cell(text, *line, cell));
    enuf_cell_heights(cell, heights);
    for (int d = 0; d < 3; ++d)
        if (!(heights[d] >= LEAST_HEIGHT))
            return enuf_text_fail(text, *line,
                                  "the cell is %g Angstrom high along %c: less than 1, so that its "
                                  "constants are hardly in Angstrom and degrees",
                                  heights[d], "abc"[d]);
    return ENUF_SUCCESS;
}

/* The element of a label such as "Ca1": the letters it begins with. */
static enuf_word letters_of(enuf_word label)
{
    size_t n = 0;
    while (n < label.length && isalpha((unsigned char)label.begin[n])) ++n;
    return (enuf_word){label.begin, n};
}

typedef struct cif_sites {
    enuf_cif_column fraction[3], label, symbol, occupancy;
} cif_sites;

static enuf_status find_sites(const enuf_text *text, const enuf_cif *cif, cif_sites *sites)
{
    static const char *const tags[3] = {"_atom_site_fract_x", "_atom_site_fract_y",
                                        "_atom_site_fract_z"};
    for (int d = 0; d < 3; ++d) sites->fraction[d] = enuf_cif_find(cif, tags[d]);
    sites->label = enuf_cif_find(cif, "_atom_site_label");
    sites->symbol = enuf_cif_find(cif, "_atom_site_type_symbol");
    sites->occupancy = enuf_cif_find(cif, "_atom_site_occupancy");
    const void *loop = sites->fraction[0].item;
    for (int d = 0; d < 3; ++d)
        if (sites->fraction[d].n == 0 || sites->fraction[d].item != loop)
            return enuf_text_fail(text, 0,
                                  "no loop with _atom_site_fract_x, _atom_site_fract_y and "
                                  "_atom_site_fract_z: sites have to be given by fractions");
    /* what stands in another loop says nothing of these sites */
    if (sites->label.item != loop) sites->label.n = 0;
    if (sites->symbol.item != loop) sites->symbol.n = 0;
    if (sites->occupancy.item != loop) sites->occupancy.n = 0;
    if (sites->label.n > 0 || sites->symbol.n > 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, enuf_cif_at(cif, sites->fraction[0], 0).line,
                          "the sites have neither _atom_site_type_symbol nor _atom_site_label");
}

static enuf_status species_of(const enuf_text *text, const enuf_cif *cif, const cif_sites *sites,
                              int64_t row, enuf_reading *reading, int32_t *species)
{
    enuf_word name = {"", 0};
    const int64_t line = enuf_cif_at(cif, sites->fraction[0], row).line;
    if (sites->symbol.n > 0) name = enuf_cif_at(cif, sites->symbol, row).word;
    if (name.length == 0 && sites->label.n > 0)
        name = letters_of(enuf_cif_at(cif, sites->label, row).word);
    if (name.length == 0)
        return enuf_text_fail(text, line, "a site without a species: _atom_site_type_symbol");
    return enuf_reading_species(text, line, name, reading, species);
}

static enuf_status check_occupancy(const enuf_text *text, const enuf_cif *cif,
                                   const cif_sites *sites, int64_t row)
{
    double occupancy;
    if (sites->occupancy.n == 0) return ENUF_SUCCESS;
    const enuf_cif_value value = enuf_cif_at(cif, sites->occupancy, row);
    if (value.word.length == 0) return ENUF_SUCCESS; /* the default is 1 */
    ENUF_TRY(read_real(text, value, "occupancy", &occupancy));
    if (fabs(occupancy - 1.0) <= OCCUPANCY_TOLERANCE) return ENUF_SUCCESS;
    return enuf_text_fail(text, value.line,
                          "occupancy %g: ions stand on a site or not; give an ordered cell in "
                          "which every occupancy is 1",
                          occupancy);
}

static void place(const double cell[9], int32_t species, int n, double images[][3],
                  enuf_structure *ions)
{
    for (int k = 0; k < n; ++k, ++ions->n) {
        ions->species[ions->n] = species;
        for (int d = 0; d < 3; ++d)
            ions->positions[3 * ions->n + d] =
                images[k][0] * cell[d] + images[k][1] * cell[3 + d] + images[k][2] * cell[6 + d];
    }
}

static enuf_status read_site(const enuf_text *text, const enuf_cif *cif, const cif_sites *sites,
                             int64_t row, const cif_symmetry *symmetry, enuf_reading *reading)
{
    double x[3], images[ENUF_MOST_OPERATIONS][3];
    int32_t species;
    ENUF_TRY(species_of(text, cif, sites, row, reading, &species));
    ENUF_TRY(check_occupancy(text, cif, sites, row));
    for (int d = 0; d < 3; ++d) {
        const enuf_cif_value value = enuf_cif_at(cif, sites->fraction[d], row);
        ENUF_TRY(read_real(text, value, "coordinate", &x[d]));
        if (!(fabs(x[d]) <= 1000.0))
            return enuf_text_fail(text, value.line,
                                  "coordinate %g should be a fraction of the cell", x[d]);
    }
    const int n = enuf_orbit(symmetry->n, symmetry->operations, reading->ions.cell, x, images);
    if (n == 0)
        return enuf_text_fail(text, enuf_cif_at(cif, sites->fraction[0], row).line,
                              "the site is neither on a special position nor clearly off it: give "
                              "more digits");
    place(reading->ions.cell, species, n, images, &reading->ions);
    return ENUF_SUCCESS;
}

/* Sites that are listed twice, or that stand nearly on a symmetry element. */
static enuf_status check_distances(const enuf_text *text, const enuf_cif *cif,
                                   const cif_sites *sites, const int64_t *ends,
                                   const enuf_structure *ions)
{
    int64_t pair[2], line[2];
    ENUF_TRY(enuf_close_ions(ions, LEAST_DISTANCE, pair));
    if (pair[0] < 0) return ENUF_SUCCESS;
    for (int e = 0; e < 2; ++e) {
        int64_t row = 0;
        while (ends[row] <= pair[e]) ++row;
        line[e] = enuf_cif_at(cif, sites->fraction[0], row).line;
    }
    if (line[0] == line[1])
        return enuf_text_fail(text, line[0],
                              "the site and its own image are less than 0.5 Angstrom apart: give "
                              "the special position with more digits");
    return enuf_text_fail(
        text, line[1],
        "the site stands on that of line %lld, less than 0.5 Angstrom apart: list "
        "each once, without its images",
        (long long)line[0]);
}

static enuf_status read_sites(const enuf_text *text, const enuf_cif *cif,
                              const cif_symmetry *symmetry, const double cell[9],
                              enuf_reading *reading)
{
    cif_sites sites;
    int64_t *ends; /* [sites] ions up to and with those of each */
    ENUF_TRY(find_sites(text, cif, &sites));
    const int64_t n = sites.fraction[0].n;
    ENUF_TRY(enuf_reading_create(n * symmetry->n, 0, reading)); /* room for general positions */
    reading->ions.n = 0;
    memcpy(reading->ions.cell, cell, 9 * sizeof *cell);
    ENUF_TRY(enuf_allocate(&ends, n, sizeof *ends, "sites"));
    enuf_status status = ENUF_SUCCESS;
    for (int64_t row = 0; row < n && status == ENUF_SUCCESS; ++row) {
        status = read_site(text, cif, &sites, row, symmetry, reading);
        ends[row] = reading->ions.n;
    }
    if (status == ENUF_SUCCESS) status = check_distances(text, cif, &sites, ends, &reading->ions);
    enuf_release(&ends);
    return status;
}

/* Whether _atom_type_oxidation_number gives the charge of a species. */
static enuf_status find_charge(const enuf_text *text, const enuf_cif *cif, const char *species,
                               int *found, double *charge)
{
    const enuf_cif_column symbols = enuf_cif_find(cif, "_atom_type_symbol");
    const enuf_cif_column numbers = enuf_cif_find(cif, "_atom_type_oxidation_number");
    *found = 0;
    for (int64_t row = 0; row < symbols.n && symbols.item == numbers.item; ++row) {
        const enuf_cif_value value = enuf_cif_at(cif, numbers, row);
        if (row == ENUF_MOST_SPECIES)
            return enuf_text_fail(text, value.line, "more than %d atom types", ENUF_MOST_SPECIES);
        if (!enuf_word_is(enuf_cif_at(cif, symbols, row).word, species) || value.word.length == 0)
            continue;
        *found = 1;
        return read_real(text, value, "_atom_type_oxidation_number", charge);
    }
    return ENUF_SUCCESS;
}

/* charges [n_species]; a species that has one needs no rule */
static enuf_status read_charges(const enuf_text *text, const enuf_cif *cif, double *charges,
                                enuf_reading *reading)
{
    enuf_structure *ions = &reading->ions;
    for (int32_t s = 0; s < ions->n_species; ++s) {
        int found;
        charges[s] = 0.0;
        ENUF_TRY(find_charge(text, cif, ions->species_names[s], &found, &charges[s]));
        if (found) reading->first_lines[s] = 0;
    }
    for (int64_t i = 0; i < ions->n; ++i) ions->charges[i] = charges[ions->species[i]];
    return ENUF_SUCCESS;
}

static enuf_status read_oxidation_numbers(const enuf_text *text, const enuf_cif *cif,
                                          enuf_reading *reading)
{
    double *charges;
    ENUF_TRY(enuf_allocate(&charges, reading->ions.n_species, sizeof *charges, "charges"));
    const enuf_status status = read_charges(text, cif, charges, reading);
    enuf_release(&charges);
    return status;
}

static enuf_status check_last_line(const enuf_text *text)
{
    enuf_line line = {0}, last = {0};
    while (enuf_text_next(text, &line)) last = line;
    if (last.end > last.begin && *last.begin == '#') return ENUF_SUCCESS;
    return enuf_reading_check_whole_line(text, &last);
}

/* The dialect of macromolecules has other names for everything. */
static enuf_status refuse_mmcif(const enuf_text *text, const enuf_cif *cif)
{
    const enuf_cif_column x = enuf_cif_find(cif, "_atom_site.Cartn_x");
    if (x.n == 0) return ENUF_SUCCESS;
    return enuf_text_fail(text, enuf_cif_at(cif, x, 0).line,
                          "mmCIF, with sites in Angstrom, is not read: write the file as PDB");
}

static enuf_status read_block(const enuf_text *text, const enuf_cif *cif, enuf_reading *reading)
{
    double cell[9], angles[3];
    int64_t cell_line = 0;
    cif_symmetry symmetry;
    ENUF_TRY(refuse_mmcif(text, cif));
    ENUF_TRY(read_cell(text, cif, cell, angles, &cell_line));
    ENUF_TRY(enuf_cif_symmetry_read(text, cif, cell, angles, symmetry.operations, &symmetry.n));
    ENUF_TRY(read_sites(text, cif, &symmetry, cell, reading));
    ENUF_TRY(enuf_cif_formula_check(text, cif, &reading->ions));
    ENUF_TRY(read_oxidation_numbers(text, cif, reading));
    reading->ions.cell_line = cell_line;
    reading->ions.more_frames = enuf_cif_has_more(cif);
    return ENUF_SUCCESS;
}

enuf_status enuf_read_cif(const enuf_text *text, enuf_reading *reading)
{
    enuf_cif *cif;
    ENUF_TRY(enuf_cif_open(text, &cif));
    enuf_status status = check_last_line(text);
    if (status == ENUF_SUCCESS) status = read_block(text, cif, reading);
    enuf_cif_close(&cif);
    return status;
}
