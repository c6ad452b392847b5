// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "inifile_p.h"
#include "json/durationtext.h"

#include <QSet>
#include <QString>

namespace Rekindle {

class ImportBuilder;
struct ImportedAgent;

/// The settings of a unit of systemd, and the notes about them.
class SystemdUnit
{
public:
    /// Both must outlive it.
    SystemdUnit(const IniFile &file, ImportBuilder &builder);

    /// Sets the agent of the notes.
    void setAgent(const ImportedAgent &agent);

    /// The last setting of this name, or nullptr.
    [[nodiscard]] const IniFile::Entry *find(const char *key);
    /// All entries of a list; an empty value removes those before it.
    [[nodiscard]] QList<IniFile::Entry> list(const char *key);
    [[nodiscard]] QString value(const char *key, const char *standard = "");
    /// The line of a setting, or that of the agent.
    [[nodiscard]] int line(const char *key);
    /// Infinity is the greatest duration. An invalid value is reported.
    [[nodiscard]] Duration duration(const char *key, Duration standard);

    void note(const char *key, const QString &text) { note(line(key), text); }
    void note(int line, const QString &text);
    /// Reports all settings that were not read.
    void noteOthers();

private:
    const IniFile &m_file;
    ImportBuilder &m_builder;
    QString m_agent;
    int m_line = 0;
    QSet<QString> m_known;
};

} // namespace Rekindle
