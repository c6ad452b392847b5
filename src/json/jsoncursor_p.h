// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonnode.h"

#include <QByteArrayView>

namespace Rekindle {

/// Whether JSON permits the character between tokens.
inline bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Walks over a text and counts lines and columns, because the parser of JSON has no lines and
/// columns.
class JsonCursor
{
public:
    explicit JsonCursor(QByteArrayView text)
        : m_text(text)
    {
    }

    [[nodiscard]] JsonPosition position() const { return m_position; }
    [[nodiscard]] qsizetype offset() const { return m_offset; }
    [[nodiscard]] bool atEnd() const { return m_offset >= m_text.size(); }

    /// The current byte; 0 at the end.
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_offset]; }

    void step();
    void skipTo(qsizetype offset);
    void skipBlanks();
    void skipBlanksAndSeparators(); ///< ',' and ':' too

    [[nodiscard]] QByteArrayView rest() const { return m_text.sliced(m_offset); }
    /// The bytes from an earlier offset to here.
    [[nodiscard]] QByteArrayView since(qsizetype start) const
    {
        return m_text.sliced(start, m_offset - start);
    }

    /// The text at this place, for messages: 'the end of the text', '"tru"', '"}"'.
    [[nodiscard]] QString describe() const;

private:
    QByteArrayView m_text;
    qsizetype m_offset = 0;
    JsonPosition m_position{1, 1};
};

/// The size of the string, word, number or character at the beginning of a text. It need not be
/// valid.
[[nodiscard]] qsizetype tokenSize(QByteArrayView text);

} // namespace Rekindle
