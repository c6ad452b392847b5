// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/process/processdefinition.h>

#include <QDir>

namespace Rekindle {

/// Whether an entry must not be started: it is disabled, or it has another transport, which is a
/// warning.
[[nodiscard]] bool isSkipped(JsonObjectReader &entry);

/// Reads the common keys of an entry: `command`, `args`, `env` and `cwd`, which is relative to the
/// workspace.
[[nodiscard]] ProcessDefinition readServer(JsonObjectReader &entry, const QDir &workspace);

/// Reads all entries of an object of servers. There must be one that can be started.
template<typename Definition>
void readServers(const JsonPlace &place, QList<Definition> &servers, auto read)
{
    if (!place.wantObject())
        return;
    const qsizetype before = place.faults().errorCount();
    for (const JsonPlace &entry : place.members()) {
        if (auto server = read(entry))
            servers.append(*std::move(server));
    }
    if (servers.isEmpty() && place.faults().errorCount() == before)
        place.fault(QStringLiteral("expected at least one server that can be started, found none"));
}

/// Stores the place of an entry in its definition.
void storePosition(const JsonPlace &place, auto &definition)
{
    definition.pointer = place.pointer();
    definition.line = place.node().position.line;
    definition.column = place.node().position.column;
}

/// Makes the path of the program absolute, unless it is a bare name.
void resolveProgram(ProcessDefinition &process, const QDir &folder);

/// The keys that these read.
[[nodiscard]] QStringList serverKeys();

/// Replaces the variables in a text. A variable that cannot be replaced is a fault.
[[nodiscard]] QString withVariables(const JsonPlace &place, const QString &text,
                                    const QDir &workspace);

/// Warns that all keys except `known` are ignored, because they belong to other MCP clients.
void warnOfUnknownKeys(const JsonPlace &object, const QStringList &known);

/// Warns that these keys are ignored, because only `command` uses them.
void warnOfKeysOf(const JsonPlace &object, const QStringList &keys, const QString &command);

} // namespace Rekindle
