// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QByteArray>
#include <QString>
#include <QStringView>

#include <concepts>

namespace Rekindle {

/// Writes compact JSON at the end of a buffer, straight from the values: for lines that are written
/// thousands of times a second. It sets the commas; that objects and arrays are closed, and that
/// every value of an object has its key, is up to the caller.
class REKINDLE_POLICY_EXPORT JsonWriter
{
public:
    /// `out` must outlive it.
    explicit JsonWriter(QByteArray &out)
        : m_out(out)
    {
    }

    void beginObject();
    void endObject();
    void beginArray();
    void endArray();

    /// ASCII without anything that would have to be escaped.
    void key(QLatin1String name);

    /// What is no valid UTF-16 becomes U+FFFD.
    void value(QStringView text);
    void value(QLatin1String text);
    void value(bool truth);
    void value(std::integral auto number) { integer(number); }
    /// The shortest digits that read back to the same value, with a point or an exponent. JSON
    /// knows neither infinities nor NaN: null.
    void value(double number);
    void null();

    /// A text in pieces, each whole in itself: between them a surrogate pair is not joined.
    void beginText();
    void addText(QStringView text);
    void addText(QLatin1String text);
    /// ASCII without anything that would have to be escaped.
    void addPlain(const char *bytes, qsizetype size) { m_out.append(bytes, size); }
    void addPlain(QLatin1String text) { m_out.append(text.data(), text.size()); }
    void endText();

private:
    void separate();
    void integer(std::signed_integral auto number) { writeSigned(number); }
    void integer(std::unsigned_integral auto number) { writeUnsigned(number); }
    void writeSigned(qint64 number);
    void writeUnsigned(quint64 number);
    void addCodeUnit(char16_t unit);

    QByteArray &m_out;
    bool m_needsComma = false;
};

} // namespace Rekindle
