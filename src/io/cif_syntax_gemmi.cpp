/*
 * cif_syntax_gemmi.cpp - see cif_syntax.h: gemmi (https://gemmi.readthedocs.io) behind plain C.
 * No exception leaves this file. SPDX-License-Identifier: BSD-3-Clause
 */
extern "C" {
#include "cif_syntax.h"
#include "error.h"
}

#include <gemmi/cif.hpp>
#include <gemmi/symmetry.hpp>
#include <gemmi/version.hpp>

#include <strings.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace cif = gemmi::cif;

static_assert(gemmi::Op::DEN == ENUF_TRANSLATION_UNIT, "translations have one unit");

/* gemmi keeps the line of a loop; here the line of each of its values too, by the loop's line. */
struct enuf_cif : cif::Document {
    std::map<int, std::vector<int>> value_lines;
    std::vector<int> *lines = nullptr; /* of the loop being parsed */
    const cif::Block *block = nullptr;
    bool has_more = false;
};

namespace
{

template <typename Rule> struct keep_lines : cif::Action<Rule> {
};

template <> struct keep_lines<cif::rules::str_loop> {
    template <typename Input> static void apply(const Input &in, enuf_cif &out)
    {
        cif::Action<cif::rules::str_loop>::apply(in, out);
        out.lines = &out.value_lines[static_cast<int>(in.iterator().line)];
    }
};

template <> struct keep_lines<cif::rules::loop_value> {
    template <typename Input> static void apply(const Input &in, enuf_cif &out)
    {
        cif::Action<cif::rules::loop_value>::apply(in, out);
        out.lines->push_back(static_cast<int>(in.iterator().line));
    }
};

void parse(const enuf_text *text, enuf_cif &out)
{
    out.source = "line"; /* gemmi begins some of its texts with "source:8 in data_salt" */
    cif::pegtl::memory_input<> in(text->bytes, static_cast<std::size_t>(text->size), "");
    cif::pegtl::parse<cif::rules::file, keep_lines, cif::Errors>(in, out);
    if (out.blocks.empty()) throw std::runtime_error("there is no data block (data_...)");
    cif::check_for_missing_values(out);
    cif::check_for_duplicates(out);
    for (const cif::Block &block : out.blocks) {
        if (!block.has_tag("_atom_site_fract_x")) continue;
        if (out.block)
            out.has_more = true;
        else
            out.block = &block;
    }
    if (!out.block) out.block = &out.blocks.front();
}

const cif::Item &item_of(enuf_cif_column column)
{
    return *static_cast<const cif::Item *>(column.item);
}

/* 'text', "text", and text between lines that begin with ';' */
enuf_word without_quotes(const std::string &value)
{
    enuf_word word = {value.c_str(), value.size()};
    const char first = word.length > 1 ? *word.begin : '\0';
    if (word.length == 0 || cif::is_null(value)) {
        word.length = 0;
    } else if (first != '\0' && std::strchr("'\";", first) &&
               word.begin[word.length - 1] == first) {
        word.begin += 1;
        word.length -= 2;
    }
    return word;
}

} // namespace

const char *enuf_gemmi_version(void)
{
    return GEMMI_VERSION;
}

enuf_status enuf_cif_open(const enuf_text *text, enuf_cif **cif)
{
    *cif = nullptr;
    try {
        *cif = new enuf_cif;
        parse(text, **cif);
        return ENUF_SUCCESS;
    } catch (const std::bad_alloc &) {
        enuf_cif_close(cif);
        return enuf_fail(ENUF_OUT_OF_MEMORY, "no memory for the values of %.300s", text->name);
    } catch (const cif::pegtl::parse_error &error) {
        enuf_cif_close(cif);
        const auto &at = error.positions().front();
        return enuf_text_fail(text, static_cast<int64_t>(at.line), "no valid CIF: %.200s",
                              std::string(error.message()).c_str());
    } catch (const std::exception &error) {
        enuf_cif_close(cif);
        return enuf_text_fail(text, 0, "no valid CIF: %.200s", error.what());
    }
}

void enuf_cif_close(enuf_cif **cif)
{
    delete *cif;
    *cif = nullptr;
}

int enuf_cif_has_more(const enuf_cif *cif)
{
    return cif->has_more;
}

enuf_cif_column enuf_cif_find(const enuf_cif *cif, const char *tag)
{
    for (const cif::Item &item : cif->block->items) {
        if (item.type == cif::ItemType::Pair && strcasecmp(item.pair[0].c_str(), tag) == 0)
            return {&item, 0, 1};
        if (item.type != cif::ItemType::Loop) continue;
        const auto &tags = item.loop.tags;
        for (std::size_t k = 0; k < tags.size(); ++k)
            if (strcasecmp(tags[k].c_str(), tag) == 0)
                return {&item, static_cast<int64_t>(k), static_cast<int64_t>(item.loop.length())};
    }
    return {nullptr, 0, 0};
}

enuf_cif_value enuf_cif_at(const enuf_cif *cif, enuf_cif_column column, int64_t row)
{
    const cif::Item &item = item_of(column);
    if (item.type == cif::ItemType::Pair) return {without_quotes(item.pair[1]), item.line_number};
    const std::size_t k =
        static_cast<std::size_t>(row) * item.loop.width() + static_cast<std::size_t>(column.column);
    const auto lines = cif->value_lines.find(item.line_number);
    const bool known = lines != cif->value_lines.end() && k < lines->second.size();
    return {without_quotes(item.loop.values[k]), known ? lines->second[k] : item.line_number};
}

enuf_cif_group enuf_cif_space_group(enuf_word name, const double angles[3],
                                    enuf_symmetry_operation *operations)
{
    try {
        /* "P4_2/mnm", with the underscore of a subscript, is "P42/mnm" */
        std::string text(name.begin, name.length < 40 ? name.length : 0);
        text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
        const gemmi::SpaceGroup *group =
            text.empty() ? nullptr : gemmi::find_spacegroup_by_name(text, angles[0], angles[2]);
        if (!group) return {};
        const gemmi::GroupOps group_ops = group->operations();
        const std::vector<gemmi::Op> all = group_ops.all_ops_sorted();
        if (all.size() > ENUF_MOST_OPERATIONS) return {};
        for (std::size_t o = 0; o < all.size(); ++o) {
            const gemmi::Op op = gemmi::Op(all[o]).wrap();
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j)
                    operations[o].rotation[i][j] = op.rot[i][j] / gemmi::Op::DEN;
                operations[o].translation[i] = op.tran[i];
            }
        }
        const bool two_origins = group->ext == '1' || group->ext == '2';
        return {static_cast<int>(all.size()), static_cast<int>(group_ops.cen_ops.size()),
                group->number, two_origins && text.find(':') == std::string::npos};
    } catch (const std::exception &) {
        return {};
    }
}

int enuf_cif_group_number(int n, const enuf_symmetry_operation *operations)
{
    try {
        std::vector<gemmi::Op> all(static_cast<std::size_t>(n), gemmi::Op::identity());
        for (int o = 0; o < n; ++o) {
            gemmi::Op &op = all[static_cast<std::size_t>(o)];
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j)
                    op.rot[i][j] = operations[o].rotation[i][j] * gemmi::Op::DEN;
                op.tran[i] = operations[o].translation[i];
            }
        }
        const gemmi::SpaceGroup *group =
            gemmi::find_spacegroup_by_ops(gemmi::split_centering_vectors(all));
        return group ? group->number : 0;
    } catch (const std::exception &) {
        return 0;
    }
}
