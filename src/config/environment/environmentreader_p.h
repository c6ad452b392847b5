// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "valuevariables_p.h"

#include "json/jsonobjectreader.h"

#include <QDir>
#include <QSet>
#include <QStringList>

#include <functional>

namespace Rekindle {

/// Reads `environmentFiles` and `environment` of agents and `defaults`. Paths are relative to
/// `folder`.
class EnvironmentReader
{
public:
    explicit EnvironmentReader(const QDir &folder);

    /// Merges both into the environment of `process`; `environment` overrides the files. Call it
    /// before other keys are read, because their variables use this environment.
    void read(JsonObjectReader &object, ProcessDefinition &process);

    /// Absolute paths of the files that were read.
    [[nodiscard]] QStringList files() const;

private:
    void readFile(const JsonPlace &place, ProcessDefinition &process);

    QDir m_folder;
    QSet<QString> m_files;
};

/// Adds environment variables. null removes a variable; `valueOf` reads all other values.
void readEnvironment(const JsonPlace &place, ProcessDefinition &process,
                     const std::function<std::optional<QString>(const JsonPlace &)> &valueOf);

} // namespace Rekindle
