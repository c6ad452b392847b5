// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "configurationdocument_p.h"

#include <QHash>
#include <QStringList>

namespace Rekindle {

/// Reads the files that `include` names, and those that they include.
class IncludeReader
{
public:
    /// Adds the included files to the document. `path` is the path of its file; empty for a text.
    void read(ConfigurationDocument &main, const QString &path);

    /// Whether all files could be read.
    [[nodiscard]] bool isComplete() const { return m_isComplete; }

    /// Absolute paths of the included files.
    [[nodiscard]] const QStringList &files() const { return m_files; }

private:
    void readIncludes(ConfigurationDocument &document);
    void readFile(ConfigurationDocument &document, const JsonPlace &place, const QString &written);
    [[nodiscard]] bool isRepeated(const ConfigurationDocument &document, const JsonPlace &place,
                                  const QString &canonical, const QString &shown);

    static constexpr qsizetype mostFiles = 1000;

    bool m_isComplete = true;
    QStringList m_files;
    QStringList m_open;               ///< canonical paths from the main file to the current one
    QStringList m_shown;              ///< the same paths for messages
    QHash<QString, QString> m_places; ///< where a file is included, by canonical path
};

} // namespace Rekindle
