/*
 * cif.cpp - reader of CIF, the format of crystallographic databases, through gemmi: cell constants,
 * symmetry, and the sites of the asymmetric unit, which are expanded to all ions of the cell.
 * Angstrom. No exception leaves this file.
 *
 * Tags: International Tables for Crystallography G (2005), chapter 4.1.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cif_document.hpp"
#include "cif_formula.hpp"
#include "cif_sites.hpp"
#include "cif_symmetry.hpp"

extern "C" {
#include "cell_constants.h"
#include "close_ions.h"
#include "gemmi_version.h"
#include "reading.h"
}

#include <gemmi/version.hpp>

#include <algorithm>
#include <new>

namespace enuf
{
namespace
{

/* Angstrom. No crystal is flatter. */
constexpr double LEAST_HEIGHT = 1.0;

/* The dialect of macromolecules has other names for everything, and no charges. */
void refuse_mmcif(const cif_document &document)
{
    const gemmi::cif::Column x = document.find("_atom_site.Cartn_x");
    if (x.length() == 0) return;
    throw document.error(document.at(x, 0).line,
                         "mmCIF, with sites in Angstrom, is not read: write the file as PDB");
}

/* vectors: rows a, b, c; *line: where the cell begins */
gemmi::UnitCell read_cell(const cif_document &document, double vectors[9], int64_t *line)
{
    static const char *const tags[6] = {"_cell_length_a",   "_cell_length_b",
                                        "_cell_length_c",   "_cell_angle_alpha",
                                        "_cell_angle_beta", "_cell_angle_gamma"};
    double constants[6], heights[3];
    for (int k = 0; k < 6; ++k) {
        const gemmi::cif::Column column = document.find(tags[k]);
        if (column.length() != 1)
            throw document.error(0, "no %s: an Ewald sum needs a cell", tags[k]);
        const cif_value value = document.at(column, 0);
        constants[k] = document.number(value, tags[k]);
        if (!(constants[k] > 0.0) || (k >= 3 && !(constants[k] < 180.0)))
            throw document.error(value.line, "%s %g should be above 0%s", tags[k], constants[k],
                                 k < 3 ? "" : " and below 180");
        if (k == 0) *line = value.line;
    }
    enuf_cell_from_constants(constants, constants + 3, vectors);
    check(enuf_reading_check_cell(document.text, *line, vectors));
    enuf_cell_heights(vectors, heights);
    for (int d = 0; d < 3; ++d)
        if (!(heights[d] >= LEAST_HEIGHT))
            throw document.error(
                *line,
                "the cell is %g Angstrom high along %c: less than 1, so that its constants are "
                "hardly in Angstrom and degrees",
                heights[d], "abc"[d]);
    gemmi::UnitCell cell;
    cell.set(constants[0], constants[1], constants[2], constants[3], constants[4], constants[5]);
    return cell;
}

void add_symmetry(const cif_document &document, gemmi::UnitCell &cell)
{
    for (const gemmi::Op &op : read_symmetry(document, cell))
        if (op != gemmi::Op::identity())
            cell.images.push_back(
                gemmi::Transform{gemmi::rot_as_mat33(op), gemmi::tran_as_vec3(op)});
}

/* Charges of species by _atom_type_oxidation_number; such a species needs no rule. A symbol such as
 * Ca2+ gives no charge: it names the scattering factor with which a site was refined. */
void read_oxidation_numbers(const cif_document &document, enuf_reading *reading)
{
    const gemmi::cif::Column symbols = document.find("_atom_type_symbol");
    const gemmi::cif::Column numbers = document.find("_atom_type_oxidation_number");
    enuf_structure *ions = &reading->ions;
    std::vector<double> charges(ions->n_species);
    std::map<std::string, cif_value> of_symbol;
    for (int row = 0; row < symbols.length() && symbols.item() == numbers.item(); ++row) {
        const cif_value number = document.at(numbers, row);
        if (!number.text.empty()) of_symbol.emplace(document.at(symbols, row).text, number);
    }
    for (int32_t s = 0; s < ions->n_species; ++s) {
        const auto found = of_symbol.find(ions->species_names[s]);
        if (found == of_symbol.end()) continue;
        charges[s] = document.number(found->second, "_atom_type_oxidation_number");
        reading->first_lines[s] = 0;
    }
    for (int64_t i = 0; i < ions->n; ++i) ions->charges[i] = charges[ions->species[i]];
}

void check_last_line(const enuf_text *text)
{
    enuf_line line = {}, last = {};
    while (enuf_text_next(text, &line)) last = line;
    if (last.end > last.begin && *last.begin == '#') return;
    check(enuf_reading_check_whole_line(text, &last));
}

void read(const enuf_text *text, enuf_reading *reading)
{
    const cif_document document(text);
    double vectors[9];
    int64_t cell_line = 0;
    check_last_line(text);
    refuse_mmcif(document);
    gemmi::SmallStructure crystal;
    crystal.cell = read_cell(document, vectors, &cell_line);
    add_symmetry(document, crystal.cell);
    read_sites(document, crystal, vectors, reading);
    check_formula(document, reading->ions);
    read_oxidation_numbers(document, reading);
    reading->ions.cell_line = cell_line;
    reading->ions.more_frames = document.has_more();
}

} // namespace
} // namespace enuf

const char *enuf_gemmi_version(void)
{
    return GEMMI_VERSION;
}

enuf_status enuf_read_cif(const enuf_text *text, enuf_reading *reading)
{
    try {
        enuf::read(text, reading);
        return ENUF_SUCCESS;
    } catch (const enuf::cif_failure &failure) {
        return failure.status;
    } catch (const std::bad_alloc &) {
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the values of %.300s", text->name);
    } catch (const std::exception &error) {
        return enuf_text_fail(text, 0, "no valid CIF: %.200s", error.what());
    }
}
