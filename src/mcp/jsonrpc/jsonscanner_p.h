// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <vector>

namespace Rekindle {

/// A part of a text, by its place: it holds for every copy of the text.
struct JsonSpan
{
    qsizetype offset = -1;
    qsizetype size = 0;

    [[nodiscard]] bool isPresent() const { return offset >= 0; }

    /// Empty where it is not present.
    [[nodiscard]] QByteArrayView of(QByteArrayView text) const
    {
        return isPresent() ? text.sliced(offset, size) : QByteArrayView();
    }

    bool operator==(const JsonSpan &) const = default;
};

/// Goes over a JSON text (RFC 8259) without building anything, and checks its grammar on the way:
/// no recursion, no allocation, strings eight bytes at a time. Bytes from 0x80 on are taken in
/// strings as they are; whether they are UTF-8 is for others to ask.
class REKINDLE_MCP_EXPORT JsonScanner
{
public:
    static constexpr int greatestDepth = 1024; ///< deeper nesting is a fault

    explicit JsonScanner(QByteArrayView text)
        : m_begin(text.data())
        , m_at(text.data())
        , m_end(text.data() + text.size())
    {
    }

    [[nodiscard]] qsizetype offset() const { return m_at - m_begin; }

    /// The byte that it stands on; 0 at the end, and where there is a NUL.
    [[nodiscard]] char peek() const { return m_at < m_end ? *m_at : '\0'; }
    [[nodiscard]] bool isAtEnd() const { return m_at == m_end; }

    void skipBlanks();

    /// Over one value that begins here; false at a fault, and it stands there.
    [[nodiscard]] bool skipValue();

    /// For an object that begins here: call it, then nextMember() until that says that it is over.
    [[nodiscard]] bool enterObject();

    enum class Step { Member, End, Fault };

    /// The key comes with its quotes, the value without blanks.
    Step nextMember(JsonSpan &key, JsonSpan &value);

private:
    [[nodiscard]] bool skipString();
    [[nodiscard]] bool skipEscape();
    [[nodiscard]] bool skipNumber();
    [[nodiscard]] bool skipDigits();
    [[nodiscard]] bool skipWord(QByteArrayView word);
    [[nodiscard]] bool skipKey();
    [[nodiscard]] bool skip(char wanted);

    const char *m_begin;
    const char *m_at;
    const char *m_end;
    bool m_isFirst = true;
};

/// Whether a string of a JSON text, with its quotes, says `name`.
[[nodiscard]] REKINDLE_MCP_EXPORT bool jsonStringIs(QByteArrayView string, QByteArrayView name);

/// What a string of a JSON text says, in UTF-8; nothing if it is no string. Half a surrogate pair
/// becomes the three bytes that it would have in UTF-8, so that unequal strings stay unequal.
[[nodiscard]] REKINDLE_MCP_EXPORT std::optional<QByteArray> jsonStringText(QByteArrayView string);

/// The value of a member of the object that `object` is within `text`; the last one, as most
/// readers have it, if there are several. Absent too where it is no object.
[[nodiscard]] REKINDLE_MCP_EXPORT JsonSpan jsonMember(QByteArrayView text, JsonSpan object,
                                                      QByteArrayView name);

/// The items of an array, without blanks; none if it is no array, and those before a fault.
[[nodiscard]] REKINDLE_MCP_EXPORT std::vector<QByteArray> jsonItems(QByteArrayView array);

} // namespace Rekindle
