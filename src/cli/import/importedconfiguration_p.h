// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsontext.h"

#include <rekindle/json/parsed.h>

#include <QString>

#include <vector>

namespace Rekindle {

/// One agent that a reader found in a file of another supervisor.
struct ImportedAgent
{
    QString name;                  ///< valid and unique
    int line = 0;                  ///< of its definition
    Json members = Json::object(); ///< the other keys of the agent, as in a configuration
};

/// What a reader found in a file of another supervisor.
struct ImportedConfiguration
{
    std::vector<ImportedAgent> agents; ///< in the order in which they start
};

/// A reader's result. A fault is a place that the reader does not understand. A warning is a
/// setting that has no equal in Rekindle; its path is the name of the agent, if it concerns one.
using Imported = Parsed<ImportedConfiguration>;

/// The configuration as text with comments. `source` names the file that was read.
[[nodiscard]] QByteArray configurationText(const Imported &imported, const QString &source);

} // namespace Rekindle
