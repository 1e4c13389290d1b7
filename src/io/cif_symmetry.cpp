/* cif_symmetry.cpp - see cif_symmetry.hpp. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_symmetry.hpp"

#include <gemmi/numb.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace enuf
{
namespace
{

using gemmi::GroupOps;
using gemmi::Op;
using gemmi::SpaceGroup;

/* Most operations in a conventional cell: 48 with 4 centrings, as in Fm-3m. */
constexpr int MOST_OPERATIONS = 192;

/* Longer than any valid operation. gemmi's integers do not overflow at this length. */
constexpr std::size_t LONGEST_OPERATION = 80;

/* Largest deviation of a decimal translation ("0.333") from a multiple of 1/24. */
constexpr double TRANSLATION_TOLERANCE = 6e-4;

/* Relative error of scalar products of cell vectors due to rounded cell constants. */
constexpr double METRIC_TOLERANCE = 1e-3;

/* A space group by its symbol. */
struct named_group {
    const SpaceGroup *group = nullptr; /* nullptr: no symbol, or an unknown one */
    cif_value name;
    bool has_two_origins = false; /* and the symbol does not say which is meant */

    int number() const
    {
        return group ? group->number : 0;
    }
};

/* A translation in gemmi's form: "0.75" becomes "18/24". Empty if the number is no translation. */
std::string fraction_of(const std::string &number)
{
    if (number.find('.') == std::string::npos) return number.size() <= 3 ? number : "";
    const double parts = Op::DEN * gemmi::cif::as_number(number); /* NaN: no number */
    if (!(parts <= 1000.0 &&
          std::fabs(parts - std::rint(parts)) <= TRANSLATION_TOLERANCE * Op::DEN))
        return "";
    return std::to_string(std::lrint(parts)) + "/" + std::to_string(Op::DEN);
}

/* Reads an operation. Refuses forms that gemmi reads but CIF does not allow ("a, b, c", "2*x"). */
bool parse_operation(const std::string &text, Op *op)
{
    std::string fractions;
    if (text.size() > LONGEST_OPERATION) return false;
    for (std::size_t i = 0, n; i < text.size(); i += n) {
        const std::size_t n_digits = std::strspn(text.c_str() + i, "0123456789.");
        n = std::max<std::size_t>(n_digits, 1);
        if (n_digits == 0 && !std::strchr("xyzXYZ+-/, \t", text[i])) return false;
        const std::string part = text.substr(i, n);
        const std::string fraction = n_digits > 0 ? fraction_of(part) : part;
        if (fraction.empty()) return false;
        fractions += fraction;
    }
    try {
        *op = gemmi::parse_triplet(fractions).wrap();
    } catch (const std::exception &) {
        return false;
    }
    for (const auto &row : op->rot)
        for (const int entry : row)
            if (entry != 0 && std::abs(entry) != Op::DEN) return false;
    return std::abs(op->det_rot()) == Op::DEN * Op::DEN * Op::DEN;
}

/* Whether the operations are distinct and every product of two is one of them. */
bool is_group(std::vector<Op> all)
{
    std::sort(all.begin(), all.end());
    for (const Op &a : all)
        for (const Op &b : all)
            if (!std::binary_search(all.begin(), all.end(), a * b)) return false;
    return true;
}

std::vector<Op> read_list(const cif_document &document, const gemmi::cif::Column &list)
{
    std::vector<Op> all;
    const long long first = document.at(list, 0).line;
    if (list.length() > MOST_OPERATIONS)
        throw document.error(first, "%d symmetry operations, but no cell has more than %d",
                             list.length(), MOST_OPERATIONS);
    for (int row = 0; row < list.length(); ++row) {
        const cif_value value = document.at(list, row);
        Op op;
        if (!parse_operation(value.text, &op))
            throw document.error(value.line,
                                 "'%.40s' is no symmetry operation such as '-x, y+1/2, -z'",
                                 value.text.c_str());
        if (std::find(all.begin(), all.end(), op) != all.end())
            throw document.error(value.line, "a symmetry operation that stands in the list before");
        all.push_back(op);
    }
    if (!is_group(all))
        throw document.error(
            first, "the %d symmetry operations are not complete: they are no group", list.length());
    return all;
}

/* gemmi's group of a Hall symbol, which defines setting and origin. Underscores count as blanks.
 * Only gemmi's table is used: its parser writes outside of its arrays for invalid symbols. */
const SpaceGroup *find_by_hall(const std::string &symbol)
{
    const auto words = gemmi::split_str_multi(symbol, " \t_");
    for (const SpaceGroup &group : gemmi::spacegroup_tables::main)
        if (!words.empty() && gemmi::split_str_multi(group.hall, " ") == words) return &group;
    return nullptr;
}

/*
 * The short symbol of a full symbol; gemmi knows only short symbols: "P 21/n 21/m 21/a" is "P n m
 * a". Axes of order 2 beside a plane are left out, in cubic groups ("F 4/m -3 2/m") all axes beside
 * a plane.
 */
std::string short_symbol(const std::string &full)
{
    const auto words = gemmi::split_str_multi(full, " \t");
    const bool cubic = words.size() > 2 && words[2] == "-3";
    std::string symbol;
    for (const std::string &word : words) {
        const std::size_t slash = word.find('/');
        const bool left_out = slash != std::string::npos && (cubic || word[0] == '2');
        symbol += (symbol.empty() ? "" : " ") + (left_out ? word.substr(slash + 1) : word);
    }
    return symbol;
}

/* The cell's angles distinguish rhombohedral from hexagonal axes. */
const SpaceGroup *find_by_name(std::string name, const gemmi::UnitCell &cell)
{
    /* "P4_2/mnm", with the underscore of a subscript, is "P42/mnm" */
    name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
    const SpaceGroup *group = gemmi::find_spacegroup_by_name(name, cell.alpha, cell.gamma);
    if (group) return group;
    return gemmi::find_spacegroup_by_name(short_symbol(name), cell.alpha, cell.gamma);
}

named_group read_group(const cif_document &document, const gemmi::UnitCell &cell)
{
    named_group by_name, by_hall;
    by_hall.name =
        document.at(document.find("_space_group_name_Hall", "_symmetry_space_group_name_Hall"), 0);
    by_hall.group = find_by_hall(by_hall.name.text);
    by_name.name = document.at(
        document.find("_space_group_name_H-M_alt", "_symmetry_space_group_name_H-M"), 0);
    if (by_name.name.text.empty())
        by_name.name = document.at(document.find("_space_group_name_H-M_full"), 0);
    const std::string &name = by_name.name.text;
    if (!name.empty()) by_name.group = find_by_name(name, cell);
    if (!by_hall.group) {
        by_name.has_two_origins = by_name.group &&
                                  (by_name.group->ext == '1' || by_name.group->ext == '2') &&
                                  name.find(':') == std::string::npos;
        return by_name;
    }
    if (by_name.group && by_name.number() != by_hall.number())
        throw document.error(
            by_hall.name.line,
            "Hall symbol '%.40s' is of space group number %d, but '%.40s' (line %lld) is number %d",
            by_hall.name.text.c_str(), by_hall.number(), name.c_str(), by_name.name.line,
            by_name.number());
    return by_hall;
}

void check_usable(const cif_document &document, const named_group &named)
{
    const char *name = named.name.text.c_str();
    if (named.name.text.empty())
        throw document.error(0, "no symmetry: neither _space_group_symop_operation_xyz nor "
                                "_space_group_name_H-M_alt ('P 1' where there is none)");
    if (!named.group)
        throw document.error(named.name.line,
                             "space group '%.40s' is not known: list the operations "
                             "(_space_group_symop_operation_xyz)",
                             name);
    if (named.has_two_origins)
        throw document.error(
            named.name.line,
            "space group '%.40s' has two origins: write '%.40s:1' or ':2', or list "
            "the operations (_space_group_symop_operation_xyz)",
            name, name);
}

/* Whether a rotation preserves the lengths and angles of the cell. The cell's edges are columns. */
bool fits_cell(const Op &op, const gemmi::UnitCell &cell)
{
    const gemmi::Mat33 &edges = cell.orth.mat, turned = edges.multiply(gemmi::rot_as_mat33(op));
    const double lengths[3] = {cell.a, cell.b, cell.c};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j)
            if (std::fabs(turned.column_dot(i, j) - edges.column_dot(i, j)) >
                METRIC_TOLERANCE * lengths[i] * lengths[j])
                return false;
    return true;
}

bool fit_cell(const std::vector<Op> &operations, const gemmi::UnitCell &cell)
{
    return std::all_of(operations.begin(), operations.end(),
                       [&](const Op &op) { return fits_cell(op, cell); });
}

/*
 * Checks that there are as many operations as in the symbol's group. pymatgen writes a primitive
 * cell of a centred group under the group's name. Such a file has fewer operations, and the
 * conventional operations do not fit its cell.
 */
void check_count(const cif_document &document, long long line, int n, const named_group &named,
                 const gemmi::UnitCell &cell)
{
    if (!named.group) return;
    const GroupOps conventional = named.group->operations();
    const int centrings = static_cast<int>(conventional.cen_ops.size());
    if (conventional.order() == n) return;
    if (conventional.order() == n * centrings && !fit_cell(conventional.sym_ops, cell)) return;
    throw document.error(line, "%d symmetry operations, but space group '%.40s' (line %lld) has %d",
                         n, named.name.text.c_str(), named.name.line, conventional.order());
}

/* The group's number in the file; 0: none. */
int read_number(const cif_document &document, const cif_value &value)
{
    if (value.text.empty()) return 0;
    int64_t number;
    check(enuf_word_integer(document.text, value.line, {value.text.c_str(), value.text.size()},
                            "number of the space group", &number));
    if (number < 1 || number > 230)
        throw document.error(value.line, "space group number %lld should be 1 to 230",
                             static_cast<long long>(number));
    return static_cast<int>(number);
}

/* Checks the number against the symbol and the listed operations, if they are known. */
void check_number(const cif_document &document, const named_group &named, long long line,
                  int of_operations)
{
    const cif_value value =
        document.at(document.find("_space_group_IT_number", "_symmetry_Int_Tables_number"), 0);
    const int number = read_number(document, value);
    const char *name = named.name.text.c_str();
    if (number > 0 && named.group && number != named.number())
        throw document.error(value.line,
                             "space group number %d, but '%.40s' (line %lld) is number %d", number,
                             name, named.name.line, named.number());
    if (of_operations == 0) return;
    if (number > 0 && number != of_operations)
        throw document.error(
            value.line,
            "space group number %d, but the operations (line %lld) are those of number %d", number,
            line, of_operations);
    if (named.group && named.number() != of_operations)
        throw document.error(named.name.line,
                             "space group '%.40s' is number %d, but the operations "
                             "(line %lld) are those of number %d",
                             name, named.number(), line, of_operations);
}

int number_of(const std::vector<Op> &operations)
{
    const SpaceGroup *group =
        gemmi::find_spacegroup_by_ops(gemmi::split_centering_vectors(operations));
    return group ? group->number : 0;
}

} // namespace

std::vector<Op> read_symmetry(const cif_document &document, const gemmi::UnitCell &cell)
{
    const gemmi::cif::Column list =
        document.find("_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz");
    const bool is_listed = list.length() > 0;
    const named_group named = read_group(document, cell);
    if (!is_listed) check_usable(document, named);
    const std::vector<Op> all =
        is_listed ? read_list(document, list) : named.group->operations().all_ops_sorted();
    const long long line = is_listed ? document.at(list, 0).line : named.name.line;
    check_count(document, line, static_cast<int>(all.size()), named, cell);
    check_number(document, named, line, is_listed ? number_of(all) : 0);
    for (std::size_t o = 0; o < all.size(); ++o)
        if (!fits_cell(all[o], cell))
            throw document.error(is_listed ? document.at(list, static_cast<int>(o)).line : line,
                                 "the symmetry does not fit the cell's lengths and angles");
    return all;
}

} // namespace enuf
