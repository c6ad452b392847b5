// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/mcpservers.h>

#include "config/document/jsonfile_p.h"
#include "mcpentry_p.h"
#include "mcpfilechain_p.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <chrono>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr std::array<EnumName<CallRetry>, 3> retryNames = {{
    {CallRetry::Safe, QLatin1String("safe")},
    {CallRetry::Always, QLatin1String("always")},
    {CallRetry::Never, QLatin1String("never")},
}};

// The keys of the common clients: enabledTools (several), includeTools (Gemini CLI), tools (Copilot
// CLI).
ToolSelection readTools(JsonObjectReader &object)
{
    const auto namesIn = [&object](QAnyStringView key) {
        QStringList names;
        for (const JsonPlace &item : object.items(key))
            names.append(item.textNotEmpty().value_or(QString()));
        return names;
    };
    ToolSelection tools;
    QLatin1String first;
    for (const char *key : {"enabledTools", "includeTools", "tools"}) {
        const auto place = object.member(key);
        if (!place)
            continue;
        if (!first.isEmpty())
            place->faultAtName(QStringLiteral("expected either \"%1\" or \"%2\", found both")
                                   .arg(first, QLatin1String(key)));
        first = QLatin1String(key);
        tools.only = namesIn(key);
        if (tools.only->contains(QStringLiteral("*")))
            tools.only.reset();
    }
    tools.except = namesIn("disabledTools") + namesIn("excludeTools");
    return tools;
}

// Some clients count seconds, others milliseconds.
std::optional<Duration> readTimeout(const JsonPlace &place)
{
    constexpr int longestInSeconds = 999;
    constexpr int shortestInMilliseconds = 3601; // the largest number of Roo Code is 3600 s
    constexpr int longest = 24 * 3600 * 1000;
    const auto number = place.integer(1, longest);
    if (!number)
        return std::nullopt;
    if (*number <= longestInSeconds)
        return std::chrono::seconds(*number);
    if (*number >= shortestInMilliseconds)
        return std::chrono::milliseconds(*number);
    place.fault("the unit is not known: some clients use seconds, others "
                "milliseconds; use \"callTimeout\": \"30s\" instead");
    return std::nullopt;
}

void readOwnKeys(JsonObjectReader &object, PolicyResolver &policies, const PolicyCheck &policyCheck,
                 McpServerDefinition &server)
{
    if (const auto place = object.member("policy")) {
        if (const auto resolved = policies.resolve(*place))
            server.policy = resolved->policy;
        if (server.policy && policyCheck) {
            for (const Fault &fault : policyCheck(*server.policy)) {
                const JsonPlace found = place->at(fault.path);
                fault.isError() ? found.fault(fault.message) : found.warn(fault.message);
            }
        }
    }
    object.read("retry", server.retry, retryNames);
    if (const auto timeout = object.member("timeout"); timeout && !object.member("callTimeout"))
        server.callTimeout = readTimeout(*timeout);
    object.read("callTimeout", server.callTimeout, 1ms, 24h);
    object.read("startTimeout", server.startTimeout, 1ms, 24h);
    server.tools = readTools(object);
    object.read("restartOnExit", server.restartOnExit);
}

// Returns whether the server must be skipped, which is a warning. Otherwise, the chain is passed to
// the server.
bool isInChain(const McpFileChain &chain, JsonObjectReader &entry, ProcessDefinition &server)
{
    const auto arguments = entry.member("args");
    if (arguments && chain.isServedBy(server)) {
        arguments->warn("skipped: rekindle already serves this file, and the server "
                        "would start itself without end");
        return true;
    }
    chain.addTo(server);
    return false;
}

bool hasAnyOf(const JsonPlace &object, const QStringList &names)
{
    return std::any_of(names.begin(), names.end(),
                       [&object](const QString &name) { return object.member(name).has_value(); });
}

// Whether the file belongs to MCP clients. Otherwise, it is a configuration of a host.
bool isOfClients(const JsonPlace &root)
{
    if (root.member("servers"))
        return true;
    const auto servers = root.member("mcpServers");
    if (!servers || hasAnyOf(root, configurationKeys()))
        return false;
    const std::vector<JsonPlace> entries = servers->members();
    return std::none_of(entries.begin(), entries.end(),
                        [](const JsonPlace &entry) { return hasAnyOf(entry, hostKeys()); });
}

// Without a chain, the text is not from a file.
McpServers readServerFile(const JsonPlace &root, const QDir &folder, const McpFileChain *chain,
                          const PolicyCheck &policyCheck, Duration startTimeout)
{
    McpServers result;
    if (!root.wantObject())
        return result;
    if (chain && chain->isRepeated()) {
        root.fault("this process was started by a server of the same file, and the "
                   "server would start itself without end");
        return result;
    }
    PolicyResolver policies(folder, startTimeout);
    if (const auto place = root.member("policies"))
        policies.define(*place);
    auto place = root.member("mcpServers");
    const auto other = root.member("servers");
    if (place && other)
        other->fault(R"(expected either "mcpServers" or "servers", found both)");
    if (!place)
        place = other;
    if (!place) {
        root.fault(R"(expected "mcpServers" or "servers", found neither)");
        return result;
    }
    warnOfUnknownKeys(root,
                      words("mcpServers servers policies inputs $schema") + configurationKeys());
    warnOfKeysOf(root, configurationKeys(), QStringLiteral("`rekindle up`"));
    readMcpServers(
        *place, policies, isOfClients(root) ? FaultyEntries::Skip : FaultyEntries::Reject,
        result.servers, [&](JsonObjectReader &entry, McpServerDefinition &server) {
            if (server.name.isEmpty())
                entry.object().fault("expected a server name, found an empty one");
            server.process = readServer(entry, QDir::current());
            // As in a shell in that folder.
            const QString &start = server.process.workingDirectory;
            resolveProgram(server.process, start.isEmpty() ? QDir::current() : QDir(start));
            readOwnKeys(entry, policies, policyCheck, server);
            warnOfKeysOf(entry.object(), hostKeys(), QStringLiteral("`rekindle up`"));
            return chain == nullptr || !isInChain(*chain, entry, server.process);
        });
    return result;
}

Parsed<McpServers> serversFrom(const Parsed<JsonNode> &parsed, const QString &folder,
                               const McpFileChain *chain = nullptr,
                               const PolicyCheck &policyCheck = {},
                               Duration startTimeout = RestartPolicy().startTimeout)
{
    return readParsed(parsed, [&](const JsonPlace &root) {
        return readServerFile(root, QDir(folder), chain, policyCheck, startTimeout);
    });
}

} // namespace

bool isMcpServerFile(const QString &path)
{
    const Parsed<JsonNode> parsed = readJsonFile(path);
    JsonFaults faults;
    return parsed && isOfClients(JsonPlace(*parsed.value, {}, faults));
}

Parsed<McpServers> loadMcpServers(const QString &path, const PolicyCheck &policyCheck,
                                  Duration startTimeout)
{
    const McpFileChain chain(path);
    return serversFrom(readJsonFile(path), QFileInfo(path).absolutePath(), &chain, policyCheck,
                       startTimeout);
}

Parsed<McpServers> parseMcpServers(const QByteArray &text, const QString &baseDirectory,
                                   const QString &file)
{
    Parsed<JsonNode> parsed = parseJson(text, JsonSyntax::WithComments);
    parsed.file = file;
    return serversFrom(parsed, baseDirectory);
}

} // namespace Rekindle
