// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <span>
#include <vector>

namespace Rekindle {

/// A part of a text, by its position. It is valid for every copy of the text.
struct JsonSpan
{
    qsizetype offset = -1;
    qsizetype size = 0;

    [[nodiscard]] bool isPresent() const { return offset >= 0; }

    /// Returns the part; empty if it is not present.
    [[nodiscard]] QByteArrayView of(QByteArrayView text) const
    {
        return isPresent() ? text.sliced(offset, size) : QByteArrayView();
    }

    bool operator==(const JsonSpan &) const = default;
};

/// Scans a JSON text (RFC 8259) and checks its grammar, without recursion and without allocation.
/// Strings may contain any bytes from 0x80; they are not checked for UTF-8.
class JsonScanner
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

    /// Returns the current byte; 0 at the end of the text.
    [[nodiscard]] char peek() const { return m_at < m_end ? *m_at : '\0'; }
    [[nodiscard]] bool isAtEnd() const { return m_at == m_end; }

    void skipBlanks();

    /// Skips a value that begins here. At a fault, returns false and stops there.
    [[nodiscard]] bool skipValue();

    /// Enters an object that begins here. Call nextMember() afterwards until it returns End.
    [[nodiscard]] bool enterObject();

    enum class Step { Member, End, Fault };

    /// The key includes its quotes; the value has no blanks around it.
    Step nextMember(JsonSpan &key, JsonSpan &value);

private:
    class Nesting;

    [[nodiscard]] bool skipScalar();
    [[nodiscard]] bool skipOpening(Nesting &nesting);
    [[nodiscard]] bool skipClosings(Nesting &nesting);
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

/// Returns whether a JSON string, with its quotes, has the text `name`.
[[nodiscard]] bool jsonStringIs(QByteArrayView string, QByteArrayView name);

/// Returns the text of a JSON string, with its quotes, in UTF-8; nothing if it is not a string.
/// Half a surrogate pair becomes the three bytes that it would have in UTF-8, so that unequal
/// strings stay unequal.
[[nodiscard]] std::optional<QByteArray> jsonStringText(QByteArrayView string);

/// A member of an object, to be found by its name.
struct NamedSpan
{
    QByteArrayView name{};
    JsonSpan value{}; ///< absent if there is no such member
};

/// Sets the values of members of `object`, which is a part of `text`, in one scan. If a member is
/// repeated, the last one counts, as in most parsers. All are absent if `object` is malformed or
/// not an object.
void jsonMembers(QByteArrayView text, JsonSpan object, std::span<NamedSpan> members);

/// Returns the value of one member, like jsonMembers().
[[nodiscard]] JsonSpan jsonMember(QByteArrayView text, JsonSpan object, QByteArrayView name);

/// Returns the items of an array, without blanks around them. Ends at a fault; empty if it is not
/// an array.
[[nodiscard]] std::vector<QByteArray> jsonItems(QByteArrayView array);

} // namespace Rekindle
