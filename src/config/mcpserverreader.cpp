// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpserverreader_p.h"

#include "mcpentry_p.h"
#include "processwarnings_p.h"

#include "json/jsonobjectreader.h"

#include <QDir>

#include <chrono>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr std::array<EnumName<CallRetry>, 3> retryNames = {{
    {CallRetry::Safe, QLatin1String("safe")},
    {CallRetry::Always, QLatin1String("always")},
    {CallRetry::Never, QLatin1String("never")},
}};

void readOwnKeys(JsonObjectReader &object, PolicyResolver &policies, McpServerDefinition &server)
{
    if (const auto place = object.member(QStringLiteral("policy"))) {
        if (const auto resolved = policies.resolve(*place))
            server.policy = resolved->policy;
    }
    if (const auto place = object.member(QStringLiteral("retry")))
        server.retry = place->choice(retryNames);
    if (const auto place = object.member(QStringLiteral("callTimeout")))
        server.callTimeout = place->duration(1ms, 24h);
    object.read(QStringLiteral("restartOnExit"), server.restartOnExit);
}

} // namespace

QStringList gatewayKeys()
{
    return {QStringLiteral("retry"), QStringLiteral("callTimeout"),
            QStringLiteral("restartOnExit")};
}

std::optional<McpServerDefinition> readGatewayServer(const JsonPlace &place,
                                                     PolicyResolver &policies)
{
    if (!place.wantObject())
        return std::nullopt;
    const qsizetype before = place.faults().errorCount();
    JsonObjectReader object(place);
    if (isSkipped(object))
        return std::nullopt;
    McpServerDefinition server;
    server.name = place.node().name;
    storePosition(place, server);
    if (server.name.isEmpty())
        place.fault(QStringLiteral("expected a server name, found an empty one"));
    server.process = readServer(object, QDir::current());
    // As in a shell in that folder.
    const QString &folder = server.process.workingDirectory;
    resolveProgram(server.process, folder.isEmpty() ? QDir::current() : QDir(folder));
    readOwnKeys(object, policies, server);
    const QStringList upKeys{QStringLiteral("health")};
    warnOfKeysOf(place, upKeys, QStringLiteral("`rekindle up`"));
    warnOfUnknownKeys(
        place, serverKeys() + gatewayKeys() + upKeys + QStringList{QStringLiteral("policy")});
    if (place.faults().errorCount() > before)
        return std::nullopt;
    if (const auto command = object.member(QStringLiteral("command")))
        warnOfMissingProgram(*command, server.process.program, server.process);
    return server;
}

} // namespace Rekindle
