// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QRegularExpression>
#include <QString>

namespace Rekindle {

/// The files that this process writes itself. Whatever path leads to one of them, it is known.
class OwnFiles
{
public:
    /// Written in place.
    void add(const QString &path);

    /// A telemetry store, with what SQLite has beside it.
    void addStore(const QString &path);

    /// Replaced as a whole, by temporary files beside it.
    void addReplaced(const QString &path);

    /// An open descriptor, if it is a file's: stderr for example.
    void addOpen(int descriptor);

    [[nodiscard]] bool contains(const QString &folder, const QString &name) const;
    /// A link to one of them included.
    [[nodiscard]] bool contains(const QString &path) const;

private:
    void add(const QString &path, const QRegularExpression &endings);

    struct File
    {
        QString folder;
        QString name;
        QRegularExpression endings; ///< of what else belongs to it, an empty one included
    };

    QList<File> m_files;
};

} // namespace Rekindle
