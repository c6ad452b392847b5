// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "importedconfiguration_p.h"

#include "json/durationtext.h"

#include <QSet>

namespace Rekindle {

/// Collects agents, warnings and faults while a file of another supervisor is read.
class ImportBuilder
{
public:
    /// Adds an agent. If the name is invalid or used, a similar one is taken, with a warning. The
    /// reference is valid until the next call.
    ImportedAgent &add(const QString &name, int line);

    /// Reports a setting that cannot be converted, and what to do instead.
    void note(int line, const QString &agent, const QString &text);
    void fault(int line, int column, const QString &text);

    /// Reports a text that is not UTF-8 or has a zero character. Returns whether there is none.
    [[nodiscard]] bool isText(QByteArrayView text);

    /// The duration as text, limited to the range with a warning that names the key.
    [[nodiscard]] std::string limited(Duration value, Duration least, Duration greatest,
                                      const ImportedAgent &agent, int line, const QString &key);

    /// Sets a variable of the agent. A name that no environment can have is reported.
    void setVariable(ImportedAgent &agent, int line, const QString &name, const QString &value);

    /// Sets the umask of the agent, unless the value is empty. Reports a value that is not octal.
    void setUmask(ImportedAgent &agent, int line, const QString &value);

    /// Adds `program` and `arguments`; reports a command without a program.
    void setCommand(ImportedAgent &agent, int line, const QStringList &words);

    /// The result. Agents without a program are dropped. No agent at all is a fault, which says
    /// that `expected` is missing.
    [[nodiscard]] Imported take(const QString &expected);

private:
    Imported m_imported;
    ImportedConfiguration m_configuration;
    QSet<QString> m_names;
};

} // namespace Rekindle
