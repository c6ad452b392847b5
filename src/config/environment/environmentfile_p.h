// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsoncursor_p.h"
#include "json/jsonfaults.h"

#include <rekindle/json/parsed.h>

#include <QByteArrayView>
#include <QMap>
#include <QString>

#include <optional>

namespace Rekindle {

/// Reads the text of an environment file: lines NAME=VALUE, with comments, quotes and `export`.
/// docs/configuration.md describes the syntax. The text must outlive it.
class EnvironmentFile
{
public:
    using Variables = QMap<QString, QString>;

    explicit EnvironmentFile(QByteArrayView text);

    /// The variables, or all faults with their places. A repeated name is a warning. The messages
    /// contain no names or values. Call it once.
    [[nodiscard]] Parsed<Variables> read();

    /// The limit of a file.
    static constexpr qint64 maxSize = qint64{1024} * 1024;

private:
    void readLine();
    [[nodiscard]] QString readName();
    [[nodiscard]] std::optional<QByteArray> readValue();
    [[nodiscard]] QByteArray readPlain();
    [[nodiscard]] std::optional<QByteArray> readQuoted();
    void store(const QString &name, const QByteArray &value, JsonPosition position);
    void skipSpaces();
    void skipLine();
    bool skipLineEnd();
    void mismatch(const QString &expected);
    [[nodiscard]] QString found() const;

    QByteArrayView m_text;
    JsonCursor m_cursor;
    JsonFaults m_faults;
    Variables m_variables;
    QMap<QString, int> m_lines; ///< of the variables
};

} // namespace Rekindle
