// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <policy/json/jsonobjectreader_p.h>

#include <rekindle/process/processdefinition.h>

#include <QDir>

namespace Rekindle {

/// Whether an entry is not to be started: it is disabled, or a server that is talked to in another
/// way, which is said.
[[nodiscard]] bool isLeftOut(JsonObjectReader &entry);

/// Reads what the entries of all files of MCP servers have: `command`, `args`, `env` and `cwd`,
/// which counts from the workspace.
[[nodiscard]] ProcessDefinition readServer(JsonObjectReader &entry, const QDir &workspace);

/// Makes the program's path absolute, if it is one.
void resolveProgram(ProcessDefinition &process, const QDir &folder);

/// The keys that these read.
[[nodiscard]] QStringList serverKeys();

/// The text with its variables replaced; a fault at the place for one that cannot be.
[[nodiscard]] QString withVariables(const JsonPlace &place, const QString &text,
                                    const QDir &workspace);

/// Says of the keys of others, which are all but `known`, that they are ignored.
void noteOthers(const JsonPlace &object, const QStringList &known);

/// Says of those of these keys that are there that they are ignored, for it is `command` that
/// knows them.
void noteElsewhere(const JsonPlace &object, const QStringList &keys, const QString &command);

} // namespace Rekindle
