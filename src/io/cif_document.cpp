/* cif_document.cpp - see cif_document.hpp. SPDX-License-Identifier: BSD-3-Clause */
#include "cif_document.hpp"

#include <gemmi/cif.hpp>
#include <gemmi/numb.hpp>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <stdexcept>

namespace cif = gemmi::cif;

namespace
{

/* gemmi stores the line of a loop; this action also stores the line of each value. */
template <typename Rule> struct keep_lines : cif::Action<Rule> {
};

template <> struct keep_lines<cif::rules::str_loop> {
    template <typename Input> static void apply(const Input &in, enuf::cif_document &out)
    {
        cif::Action<cif::rules::str_loop>::apply(in, out);
        out.lines_of_loop = &out.value_lines[static_cast<int>(in.iterator().line)];
    }
};

template <> struct keep_lines<cif::rules::loop_value> {
    template <typename Input> static void apply(const Input &in, enuf::cif_document &out)
    {
        cif::Action<cif::rules::loop_value>::apply(in, out);
        out.lines_of_loop->push_back(static_cast<int>(in.iterator().line));
    }
};

/* For PEGTL 2 (bundled with gemmi) and PEGTL 3 (in Debian). */
template <typename Error>
auto line_of(const Error &error) -> decltype(error.positions().front().line)
{
    return error.positions().front().line;
}

template <typename Error> auto line_of(const Error &error) -> decltype(error.positions.front().line)
{
    return error.positions.front().line;
}

/* The text behind "source:line:column: ". */
std::string message_of(const std::exception &error)
{
    const std::string text = error.what();
    const std::size_t at = text.find(": ");
    return at == std::string::npos ? text : text.substr(at + 2);
}

void parse(enuf::cif_document &out)
{
    const enuf_text *text = out.text;
    out.source = "line"; /* gemmi begins some of its texts with "source:8 in data_salt" */
    try {
        cif::pegtl::memory_input<> in(text->bytes, static_cast<std::size_t>(text->size), "");
        cif::pegtl::parse<cif::rules::file, keep_lines, cif::Errors>(in, out);
        if (out.blocks.empty()) throw std::runtime_error("there is no data block (data_...)");
        cif::check_for_missing_values(out);
        cif::check_for_duplicates(out);
    } catch (const cif::pegtl::parse_error &error) {
        throw out.error(static_cast<long long>(line_of(error)), "no valid CIF: %.200s",
                        message_of(error).c_str());
    } catch (const std::runtime_error &error) {
        throw out.error(0, "no valid CIF: %.200s", error.what());
    }
}

} // namespace

namespace enuf
{

cif_document::cif_document(const enuf_text *file) : text(file)
{
    parse(*this);
    for (cif::Block &block : blocks) {
        if (!block.has_tag("_atom_site_fract_x")) continue;
        has_more_ = block_ != nullptr;
        if (!block_) block_ = &block;
        if (has_more_) break;
    }
    if (!block_) block_ = &blocks.front();
}

cif::Column cif_document::find(const char *tag, const char *older) const
{
    const cif::Column column = find(tag);
    return column ? column : find(older);
}

cif_value cif_document::at(const cif::Column &column, int row) const
{
    if (row >= column.length()) return {};
    long long line = column.item()->line_number;
    if (const cif::Loop *loop = column.get_loop()) {
        const auto lines = value_lines.find(column.item()->line_number);
        const std::size_t k = row * loop->width() + column.col();
        if (lines != value_lines.end() && k < lines->second.size()) line = lines->second[k];
    }
    return {column.str(row), line};
}

double cif_document::number(const cif_value &value, const char *what) const
{
    if (value.text.empty()) throw error(value.line, "no %s", what);
    const double number = cif::as_number(value.text);
    if (!std::isfinite(number))
        throw error(value.line, "%s '%.40s' is no number", what, value.text.c_str());
    return number;
}

cif_failure cif_document::error(long long line, const char *format, ...) const
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return {enuf_text_fail(text, line, "%s", message)};
}

} // namespace enuf
