// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace Rekindle {

class ImportBuilder;

/// Sections with keys and values, as supervisord and systemd read them.
struct IniFile
{
    enum class Dialect {
        Supervisord, ///< an indented line continues a value; comments can follow a value
        Systemd,     ///< a backslash at the end of a line continues it
    };

    struct Entry
    {
        QString key;
        QString value;
        int line = 0;
    };
    struct Section
    {
        QString name;
        int line = 0;
        QList<Entry> entries;                                      ///< a key can be repeated
        [[nodiscard]] const Entry *find(const QString &key) const; ///< the last one
    };

    QList<Section> sections;

    /// Reads a text. Lines that are no part of the format are faults.
    [[nodiscard]] static IniFile read(const QString &text, Dialect dialect, ImportBuilder &builder);
};

} // namespace Rekindle
