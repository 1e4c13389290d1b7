/*
 * cif_document.hpp - a CIF that gemmi (https://gemmi.readthedocs.io) has parsed, and the lines on
 * which its values stand. The readers of its parts throw; enuf_read_cif() catches.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_CIF_DOCUMENT_HPP
#define ENUF_CIF_DOCUMENT_HPP

extern "C" {
#include "error.h"
#include "text.h"
}

#include <gemmi/cifdoc.hpp>

#include <map>
#include <string>
#include <vector>

namespace enuf
{

/* Ends the reading; the error's text is set. */
struct cif_failure {
    enuf_status status;
};

inline void check(enuf_status status)
{
    if (status != ENUF_SUCCESS) throw cif_failure{status};
}

/* A value without its quotes; empty if it is '?' or '.', or if the file has no such tag. */
struct cif_value {
    std::string text;
    long long line = 0;
};

class cif_document : public gemmi::cif::Document
{
  public:
    /** Parses a text. The text has to outlive the document. */
    explicit cif_document(const enuf_text *text);

    /** Values of a tag, in any case of its letters, in the first data block that holds sites. */
    gemmi::cif::Column find(const char *tag) const
    {
        return block_->find_values(tag);
    }

    /** Values of `tag`, or if the file has none, of `older`, the tag's name in older files. */
    gemmi::cif::Column find(const char *tag, const char *older) const;

    /** Value of a row of a column; empty if the column has no such row. */
    cif_value at(const gemmi::cif::Column &column, int row) const;

    /** The value as a number; a standard uncertainty as in "5.46(3)" is skipped. Throws for other
     * texts. */
    double number(const cif_value &value, const char *what) const;

    /** Makes the exception for an error in a line (0: in the file), with a text as for printf(). */
    cif_failure error(long long line, const char *format, ...) const
        __attribute__((format(printf, 3, 4)));

    /** Whether further blocks hold sites. */
    bool has_more() const
    {
        return has_more_;
    }

    const enuf_text *const text;

    /* line of a loop -> lines of its values; filled by the parser */
    std::map<int, std::vector<int>> value_lines;
    std::vector<int> *lines_of_loop = nullptr;

  private:
    gemmi::cif::Block *block_ = nullptr;
    bool has_more_ = false;
};

} // namespace enuf

#endif
