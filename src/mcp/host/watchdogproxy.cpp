// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "watchdogproxy_p.h"

#include "mcp/proxy/injectedtools_p.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Beyond this much that the server has not read, nothing more is read from the client.
constexpr qsizetype mostUnread = qsizetype{1024} * 1024;

constexpr Duration lookInterval = 500ms;

// As many as may ask themselves (S4): a change that a server makes at each start must not restart
// it for ever.
constexpr int mostHostRestarts = 10;
constexpr Duration hostRestartPeriod = 1min;

ProxyOptions sessionOptions(const WatchdogOptions &options)
{
    ProxyOptions result;
    result.inject = options.inject;
    result.retry = options.retry;
    result.callTimeout = options.callTimeout;
    // No client can know it.
    result.nonce = "rekindle-" + QUuid::createUuid().toByteArray(QUuid::Id128).left(12);
    return result;
}

// What only a proxy writes: that of another server, where two share a file. Servers have words of
// their own (S4 3.2).
bool isOfAProxy(const QString &method)
{
    return method == QLatin1String("crash") || method == QLatin1String("watch")
        || method == QLatin1String(InjectedTools::restartName);
}

// The command line may have secrets in it.
QString nameOf(const ProcessDefinition &server)
{
    QByteArray words;
    for (const QString &word : QStringList(server.program) + server.arguments)
        words += word.toUtf8() + '\0';
    const QByteArray hash = QCryptographicHash::hash(words, QCryptographicHash::Sha256);
    return QFileInfo(server.program).fileName() + QLatin1Char('-')
        + QString::fromLatin1(hash.left(4).toHex());
}

} // namespace

WatchdogProxy::Private::Private(WatchdogProxy *proxy, AgentSupervisor &theSupervisor,
                                const QUuid &agentId, ProcessAgent &theAgent,
                                const WatchdogOptions &options)
    : q(proxy)
    , supervisor(theSupervisor)
    , agent(theAgent)
    , markerFile(options.markerFile)
    , serverName(nameOf(theAgent.definition()))
    , beginning(theSupervisor.scheduler().clock().utcNow())
    , client(options.input, options.output, theSupervisor.scheduler())
    , server(theSupervisor, agentId, theAgent,
             {sessionOptions(options), true, {}, [this] { return markerOfBefore(); }})
    , serverLook(theSupervisor.scheduler(), [this] { lookAtServer(); })
    , hostRestarts(mostHostRestarts, hostRestartPeriod)
{
    markerThread.setMaxThreadCount(1); // one after the other
    agent.setRestartReason([this] { return reasonInMarker(); });
    connectClient();
    connectServer();
}

void WatchdogProxy::Private::connectClient()
{
    connect(&client, &ClientLines::lines, q,
            [this](const std::vector<FramedLine> &lines) { server.clientLines(lines); });
    connect(&client, &ClientLines::ended, q, [this] { server.end(false); });
    connect(&client, &ClientLines::drained, q, [this] { settle(); });
    connect(&client, &ClientLines::broken, q, [this](const QString &fault) {
        if (!fault.isEmpty())
            Q_EMIT q->outputFailed(fault);
        q->end();
    });
    connect(&client, &ClientLines::finished, q, &WatchdogProxy::ended);
}

void WatchdogProxy::Private::connectServer()
{
    connect(&server, &ProxiedServer::started, q, [this] {
        mayRead = true;
        settle();
    });
    // It may be that none ever comes, and the client must hear of that.
    connect(&server, &ProxiedServer::processGone, q, [this] { mayRead = true; });
    connect(&server, &ProxiedServer::toClient, q,
            [this](const QByteArray &line) { client.add(line); });
    connect(&server, &ProxiedServer::refused, q,
            [this](const ProxyRefusal &refusal) { client.add(refusal.toJson()); });
    connect(&server, &ProxiedServer::settled, q, [this] { settle(); });
    connect(&server, &ProxiedServer::restarted, q,
            [this](const RestartMarker &marker) { writeMarker(marker); });
    connect(&server, &ProxiedServer::noted, q, &WatchdogProxy::noted);
    connect(&server, &ProxiedServer::errorLine, q, &WatchdogProxy::errorLine);
}

void WatchdogProxy::Private::settle()
{
    client.flush();
    const bool serverIsFull = server.unreadSize() > mostUnread;
    server.setPaused(client.isFull());
    if (server.isEnding())
        client.stopReading();
    else if (mayRead)
        client.setPaused(serverIsFull || client.isFull());
    if (serverIsFull && !serverLook.isArmed())
        serverLook.armIn(lookInterval);
    if (server.hasEnded())
        client.finish();
}

// While the client is not read its end is not seen either: what it has sent stands before it.
void WatchdogProxy::Private::lookAtServer()
{
    if (server.isEnding() || server.unreadSize() <= mostUnread)
        return;
    if (server.isStalled() && client.hasHungUp())
        q->end();
    else
        serverLook.armIn(lookInterval);
}

// Beside the event loop: the new server's handshake does not wait for a disk.
void WatchdogProxy::Private::writeMarker(const RestartMarker &marker)
{
    written = marker;
    written->server = serverName;
    markerThread.start([this, named = *written] {
        const QString fault = markerFile.write(named);
        if (fault.isEmpty())
            return;
        QMetaObject::invokeMethod(
            q, [this, fault] { Q_EMIT q->noted(fault); }, Qt::QueuedConnection);
    });
}

// For a proxy that has seen no restart. What another server's proxy wrote, or anybody after the
// beginning of this one, is about another server.
MarkerReading WatchdogProxy::Private::markerOfBefore()
{
    markerThread.waitForDone();
    MarkerReading reading = markerFile.read();
    const RestartMarker &marker = reading.marker;
    if (reading.state == MarkerReading::State::Read
        && (marker.timestamp > beginning
            || (!marker.server.isEmpty() && marker.server != serverName)))
        reading.state = MarkerReading::State::Foreign;
    return reading;
}

// A server that exits with 42 may say why in the marker file (S4 3.2), which the next start
// overwrites. Its clock may know whole seconds only. Another server's proxy may write there as
// well, how that one was restarted.
QString WatchdogProxy::Private::reasonInMarker()
{
    markerThread.waitForDone();
    const MarkerReading reading = markerFile.read();
    const UtcTime start = std::chrono::floor<std::chrono::seconds>(server.record().startedAt);
    const bool isNew = reading.state == MarkerReading::State::Read && reading.marker != written
        && reading.marker.timestamp >= start && reading.marker.server.isEmpty()
        && !isOfAProxy(reading.marker.method);
    return isNew ? reading.marker.reason : QString();
}

WatchdogProxy::WatchdogProxy(AgentSupervisor &supervisor, const QUuid &agentId, ProcessAgent &agent,
                             const WatchdogOptions &options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, agentId, agent, options))
{
}

WatchdogProxy::~WatchdogProxy() { d->agent.setRestartReason({}); }

void WatchdogProxy::begin() { d->server.start(); }

bool WatchdogProxy::restart(const QString &reason, const QString &method)
{
    const Instant now = d->scheduler().now();
    if (d->hostRestarts.isFull(now))
        return false;
    const std::optional<bool> isAccepted = d->server.restart(reason, method);
    if (isAccepted.value_or(false))
        d->hostRestarts.add(now);
    return isAccepted.value_or(true);
}

void WatchdogProxy::end() { d->server.end(true); }

} // namespace Rekindle
