/* cif_sites.cpp - see cif_sites.hpp. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_sites.hpp"

extern "C" {
#include "close_ions.h"
}

#include <algorithm>
#include <cctype>
#include <cmath>

namespace enuf
{
namespace
{

using gemmi::Fractional;
using gemmi::cif::Column;

/*
 * Angstrom. Images of an ion within this distance are one ion. Coordinates of three digits in a
 * cell of 20 Angstrom have errors up to 0.02; two fully occupied sites are never this close.
 */
constexpr double SAME_SITE = 0.05;

/* Angstrom. Least distance of two ions. gemmi treats images nearer than 0.4 as one. */
constexpr double LEAST_DISTANCE = 0.5;

/* Largest deviation of an occupancy from 1. */
constexpr double OCCUPANCY_TOLERANCE = 1e-6;

/* Columns of the loop with the coordinates. Other loops describe other things. */
struct site_columns {
    Column fraction[3], label, symbol, occupancy, disorder_group;
};

site_columns find_sites(const cif_document &document)
{
    const Column x = document.find("_atom_site_fract_x");
    const auto beside_x = [&](const char *tag) {
        const Column column = document.find(tag);
        return column.item() == x.item() ? column : Column();
    };
    const site_columns sites = {{x, beside_x("_atom_site_fract_y"), beside_x("_atom_site_fract_z")},
                                beside_x("_atom_site_label"),
                                beside_x("_atom_site_type_symbol"),
                                beside_x("_atom_site_occupancy"),
                                beside_x("_atom_site_disorder_group")};
    for (const Column &fraction : sites.fraction)
        if (!fraction.item())
            throw document.error(0, "no loop with _atom_site_fract_x, _atom_site_fract_y and "
                                    "_atom_site_fract_z: sites have to be given by fractions");
    if (!sites.label && !sites.symbol)
        throw document.error(document.at(x, 0).line,
                             "the sites have neither _atom_site_type_symbol nor _atom_site_label");
    return sites;
}

/* The symbol, or the letters that a label such as "Ca1" begins with. */
int32_t read_species(const cif_document &document, const site_columns &sites, int row,
                     enuf_reading *reading)
{
    const long long line = document.at(sites.fraction[0], row).line;
    std::string name = document.at(sites.symbol, row).text;
    if (name.empty()) {
        name = document.at(sites.label, row).text;
        name.erase(std::find_if(name.begin(), name.end(),
                                [](unsigned char c) { return !std::isalpha(c); }),
                   name.end());
    }
    if (name.empty())
        throw document.error(line, "a site without a species: _atom_site_type_symbol");
    int32_t species;
    check(
        enuf_reading_species(document.text, line, {name.c_str(), name.size()}, reading, &species));
    return species;
}

/* Refuses sites that are occupied in some cells only. Disorder group 1 is the first of several
 * alternatives. */
void check_order(const cif_document &document, const site_columns &sites, int row)
{
    const cif_value group = document.at(sites.disorder_group, row);
    if (!group.text.empty() && group.text != "0" && group.text != "1")
        throw document.error(group.line,
                             "disorder group %.40s: the site is an alternative to others; give an "
                             "ordered cell, with one of them",
                             group.text.c_str());
    const cif_value value = document.at(sites.occupancy, row);
    if (value.text.empty()) return; /* the default is 1 */
    const double occupancy = document.number(value, "occupancy");
    if (std::fabs(occupancy - 1.0) > OCCUPANCY_TOLERANCE)
        throw document.error(value.line,
                             "occupancy %g: ions stand on a site or not; give an ordered cell in "
                             "which every occupancy is 1",
                             occupancy);
}

Fractional read_fractions(const cif_document &document, const site_columns &sites, int row)
{
    double x[3];
    for (int d = 0; d < 3; ++d) {
        const cif_value value = document.at(sites.fraction[d], row);
        x[d] = document.number(value, "coordinate");
        if (!(std::fabs(x[d]) <= 1000.0))
            throw document.error(value.line, "coordinate %g should be a fraction of the cell",
                                 x[d]);
    }
    return {x[0], x[1], x[2]};
}

/* Mean of the images that coincide with the site; *same is their number. */
Fractional refine(const gemmi::UnitCell &cell, const Fractional &site, int *same)
{
    Fractional sum = site;
    *same = 1;
    for (const gemmi::FTransform &operation : cell.images) {
        const Fractional image = operation.apply(site);
        if (cell.distance_sq(site, image) > SAME_SITE * SAME_SITE) continue;
        sum += image - (image - site).round();
        *same += 1;
    }
    return {sum.x / *same, sum.y / *same, sum.z / *same};
}

/* All ions of a site in the cell, each once. Empty if the site is nearly, but not exactly, on a
 * symmetry element. */
std::vector<gemmi::SmallStructure::Site> images_of(const Fractional &site,
                                                   gemmi::SmallStructure &crystal)
{
    int same;
    crystal.sites.resize(1);
    crystal.sites[0].fract = refine(crystal.cell, site, &same);
    auto images = crystal.get_all_unit_cell_sites();
    /* orbit and stabiliser: their sizes multiply to the group's */
    if (images.size() * same != crystal.cell.images.size() + 1) images.clear();
    return images;
}

[[noreturn]] void refuse_own_image(const cif_document &document, long long line)
{
    throw document.error(
        line,
        "the site and its own image are less than 0.5 Angstrom apart: give the special position "
        "with more digits");
}

/* Refuses sites that are listed twice or stand nearly on a symmetry element. */
void check_distances(const cif_document &document, const Column &x,
                     const std::vector<int64_t> &ends, const enuf_structure &ions)
{
    int64_t pair[2];
    long long line[2];
    check(enuf_close_ions(&ions, LEAST_DISTANCE, pair));
    if (pair[0] < 0) return;
    for (int e = 0; e < 2; ++e) {
        const auto row = std::upper_bound(ends.begin(), ends.end(), pair[e]) - ends.begin();
        line[e] = document.at(x, static_cast<int>(row)).line;
    }
    if (line[0] == line[1]) refuse_own_image(document, line[0]);
    throw document.error(
        line[1],
        "the site stands on that of line %lld, less than 0.5 Angstrom apart: list each once, "
        "without its images",
        line[0]);
}

} // namespace

void read_sites(const cif_document &document, gemmi::SmallStructure &crystal,
                const double vectors[9], enuf_reading *reading)
{
    const site_columns sites = find_sites(document);
    const int n = sites.fraction[0].length();
    const auto operations = static_cast<int64_t>(crystal.cell.images.size() + 1);
    enuf_structure *ions = &reading->ions;
    std::vector<int64_t> ends; /* [site] number of ions up to and including this site */
    check(enuf_reading_create(n * operations, 0, reading)); /* room for general positions */
    std::copy(vectors, vectors + 9, ions->cell);
    ions->n = 0;
    for (int row = 0; row < n; ++row) {
        const int32_t species = read_species(document, sites, row, reading);
        check_order(document, sites, row);
        const auto images = images_of(read_fractions(document, sites, row), crystal);
        if (images.empty()) refuse_own_image(document, document.at(sites.fraction[0], row).line);
        for (const auto &image : images) {
            const Fractional s = image.fract.wrap_to_unit();
            for (int d = 0; d < 3; ++d)
                ions->positions[3 * ions->n + d] =
                    s.x * vectors[d] + s.y * vectors[3 + d] + s.z * vectors[6 + d];
            ions->species[ions->n++] = species;
        }
        ends.push_back(ions->n);
    }
    check_distances(document, sites.fraction[0], ends, *ions);
}

} // namespace enuf
