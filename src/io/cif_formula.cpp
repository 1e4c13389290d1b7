/* cif_formula.cpp - see cif_formula.hpp. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_formula.hpp"

#include <gemmi/elem.hpp>
#include <gemmi/numb.hpp>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace enuf
{
namespace
{

/* Most atoms in a formula whose divisor is sought; bounds the search. */
constexpr double MOST_ATOMS = 1e6;

/* Relative; formulae of many atoms are rounded to a few digits. */
constexpr double NUMBER_TOLERANCE = 1e-3;

struct element_count {
    gemmi::El element;
    double in_formula;
    int64_t ions;
};

using element_counts = std::vector<element_count>;

/* The element at the start of a name such as "Ca2+"; El::X if there is none, as for the label "OW".
 * */
gemmi::El element_of(const std::string &name)
{
    std::size_t n = 0;
    while (n < name.size() && std::isalpha(static_cast<unsigned char>(name[n]))) ++n;
    const gemmi::Element element(name.substr(0, n));
    return name.compare(0, n, element.name()) == 0 ? element.elem : gemmi::El::X;
}

/* "Ca F2"; empty where the formula is not understood. */
element_counts parse_formula(const std::string &formula)
{
    element_counts counts;
    for (const std::string &word : gemmi::split_str_multi(formula, " \t\r\n")) {
        const gemmi::El element = element_of(word);
        const std::size_t letters = std::strlen(gemmi::element_name(element));
        const double number =
            letters == word.size() ? 1.0 : gemmi::cif::as_number(word.substr(letters));
        if (element == gemmi::El::X || !(number > 0.0) || std::isinf(number)) return {};
        counts.push_back({element, number, 0});
    }
    return counts;
}

/* Adds the ions of each species to its element; false if a species has no known element. */
bool count_ions(const enuf_structure &ions, element_counts *counts)
{
    std::vector<std::size_t> index_of_species;
    for (int32_t s = 0; s < ions.n_species; ++s) {
        const gemmi::El element = element_of(ions.species_names[s]);
        if (element == gemmi::El::X) return false;
        std::size_t e = 0;
        while (e < counts->size() && (*counts)[e].element != element) ++e;
        if (e == counts->size()) counts->push_back({element, 0.0, 0});
        index_of_species.push_back(e);
    }
    for (int64_t i = 0; i < ions.n; ++i) (*counts)[index_of_species[ions.species[i]]].ions += 1;
    return true;
}

/* Whether a number is whole, and above 0. */
bool is_whole(double number)
{
    const double nearest = std::rint(number);
    return nearest >= 1.0 && std::fabs(number - nearest) <= NUMBER_TOLERANCE * nearest;
}

/* Greatest common divisor of a formula's numbers; 1 if a number is not whole. */
int64_t common_divisor(const element_counts &formula)
{
    int64_t divisor = 0;
    for (const element_count &count : formula) {
        if (!is_whole(count.in_formula) || count.in_formula > MOST_ATOMS) return 1;
        divisor = std::gcd(divisor, std::llrint(count.in_formula));
    }
    return divisor;
}

/*
 * Number of formulae in the cell: of all numbers that Z allows, the one nearest to `actual`.
 * Without Z any whole number is allowed. The formula may hold several of the units that Z counts:
 * "Na4 Cl4" is the cell of Z = 4 units NaCl, as pymatgen writes it.
 */
double formulae_in_cell(double z, int64_t divisor, double actual)
{
    if (!(z > 0.0 && std::isfinite(z))) /* NaN: none */
        return std::fmax(1.0, std::ceil(actual - NUMBER_TOLERANCE * actual));
    double best = z;
    for (int64_t units = 2; units <= divisor && static_cast<double>(units) < z + 0.5; ++units) {
        const double formulae = z / static_cast<double>(units);
        if (divisor % units == 0 && is_whole(formulae) &&
            std::fabs(formulae - actual) < std::fabs(best - actual))
            best = formulae;
    }
    return best;
}

} // namespace

void check_formula(const cif_document &document, const enuf_structure &ions)
{
    const cif_value formula = document.at(document.find("_chemical_formula_sum"), 0);
    element_counts counts = parse_formula(formula.text);
    if (counts.empty()) return;
    const int64_t divisor = common_divisor(counts);
    if (!count_ions(ions, &counts)) return;
    const std::string z = document.at(document.find("_cell_formula_units_Z"), 0).text;
    const double actual = static_cast<double>(counts.front().ions) / counts.front().in_formula;
    const double multiple = formulae_in_cell(gemmi::cif::as_number(z), divisor, actual);
    for (const element_count &count : counts) {
        const double expected = multiple * count.in_formula;
        const double off = std::fabs(static_cast<double>(count.ions) - expected);
        if (off <= NUMBER_TOLERANCE * expected) continue;
        throw document.error(
            formula.line,
            "formula '%.40s' asks for %g %s in the cell, but sites and symmetry give %lld: sites "
            "are missing, or the formula is wrong",
            formula.text.c_str(), expected, gemmi::element_name(count.element),
            static_cast<long long>(count.ions));
    }
}

} // namespace enuf
