// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "config/process/processwarnings_p.h"
#include "policyresolver_p.h"

#include "json/jsonobjectreader.h"

#include <rekindle/process/processdefinition.h>

#include <QDir>

namespace Rekindle {

/// Stores the place of an entry in its definition.
void storePosition(const JsonPlace &place, auto &definition)
{
    definition.pointer = place.pointer();
    definition.line = place.node().position.line;
    definition.column = place.node().position.column;
}

/// Whether an entry must not be started: it is disabled, or it has another transport, which is a
/// warning.
[[nodiscard]] bool isSkipped(JsonObjectReader &entry);

/// Warns of keys of an entry that are ignored, because they belong to other MCP clients.
void warnOfUnknownKeys(const JsonPlace &entry);

/// What follows if an entry has a fault.
enum class FaultyEntries {
    Reject, ///< the file is rejected
    Skip,   ///< the entry is skipped with warnings: the file also belongs to other programs
};

/// Reads the entries of an object of MCP servers. `read` receives the reader of one entry and its
/// definition, and returns false if the entry must be skipped. Skipped entries and entries with
/// faults are not added. An object without a server that can be started is a fault.
template<typename Definition>
void readMcpServers(const JsonPlace &place, PolicyResolver &policies, FaultyEntries faultyEntries,
                    QList<Definition> &servers, auto read)
{
    if (!place.wantObject())
        return;
    JsonFaults &faults = place.faults();
    const qsizetype before = faults.errorCount();
    const auto readEntry = [&](const JsonPlace &entry) {
        const qsizetype beforeEntry = faults.errorCount();
        JsonObjectReader object(entry);
        if (!entry.isObject())
            return;
        if (isSkipped(object)) {
            if (const auto policy = object.member("policy"))
                policies.use(*policy);
            return;
        }
        Definition server;
        storePosition(entry, server);
        server.name = entry.node().name;
        const bool isAdded = read(object, server);
        warnOfUnknownKeys(entry);
        if (!isAdded || faults.errorCount() > beforeEntry)
            return;
        if (const auto command = object.member("command"))
            warnOfMissingProgram(*command, server.process.program, server.process,
                                 QStringLiteral("\"args\""));
        warnOfMissingCommands(entry, server.process);
        warnOfMissingFolder(entry, u"cwd", server.process);
        servers.append(server);
    };
    for (const JsonPlace &entry : place.members()) {
        const qsizetype beforeEntry = faults.errorCount();
        readEntry(entry);
        if (faultyEntries == FaultyEntries::Skip)
            faults.downgrade(
                beforeEntry,
                QStringLiteral("server \"%1\" is skipped: ").arg(printable(entry.node().name)));
    }
    if (servers.isEmpty() && faults.errorCount() == before)
        place.fault("expected at least one server that can be started, found none");
}

/// Reads the common keys of an entry: `command`, `args`, `env`, `limits`, `recycle`, and `cwd`,
/// which is relative to the workspace.
[[nodiscard]] ProcessDefinition readServer(JsonObjectReader &entry, const QDir &workspace);

/// Makes the path of the program absolute, unless it is a bare name.
void resolveProgram(ProcessDefinition &process, const QDir &folder);

[[nodiscard]] inline QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

/// The keys of a file that only a host of agents uses. All servers of a gateway start immediately
/// or on demand, and a call waits only for its own server.
[[nodiscard]] QStringList configurationKeys();

/// The keys of an entry that only the gateway uses.
[[nodiscard]] QStringList gatewayKeys();

/// The keys of an entry that only a host of agents uses: `rekindle up`.
[[nodiscard]] QStringList hostKeys();

/// Warns that all keys except `known` are ignored, because they belong to other MCP clients.
void warnOfUnknownKeys(const JsonPlace &object, const QStringList &known);

/// Warns that these keys are ignored, because only `command` uses them.
void warnOfKeysOf(const JsonPlace &object, const QStringList &keys, const QString &command);

} // namespace Rekindle
