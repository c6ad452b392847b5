// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/watchdogproxy.h>

#include "markerfile_p.h"
#include "mcp/proxy/injectedtools_p.h"
#include "mcp/transport/clientlines_p.h"
#include "proxiedserver_p.h"

#include <rekindle/policy/slidingwindow.h>

#include <QCryptographicHash>
#include <QFileInfo>
#include <QThreadPool>

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// If the server has left more bytes than this unread, the client is paused.
constexpr qsizetype maxUnreadBytes = qsizetype{1024} * 1024;

// A server is stopped after its restart marker is written, or after this time: a disk that hangs
// must not hang the session.
constexpr std::chrono::milliseconds markerTimeLimit = 250ms;

ProxyOptions sessionOptions(const WatchdogOptions &options)
{
    ProxyOptions result;
    result.failFastBeforeReady = true;
    result.inject = options.inject;
    result.retry = options.retry;
    result.calls.retry = options.toolRetry;
    if (!options.toolBreaker)
        result.calls.policy.circuitBreaker.reset();
    result.callTimeout = options.callTimeout;
    result.firstId = OwnIds::randomFirst();
    return result;
}

// Returns whether a proxy has written the marker. Servers write other methods (S4 3.2).
bool isWrittenByProxy(const QString &method)
{
    return method == QLatin1String("crash") || method == QLatin1String("watch")
        || method == QLatin1String(InjectedTools::restartName);
}

// Uses a hash, because the command line may contain secrets.
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

/// Connects a client to its server, pauses one side while the other does not read, and writes the
/// marker file.
class WatchdogProxy::Private
{
public:
    Private(WatchdogProxy *proxy, AgentSupervisor &theSupervisor, const QUuid &agentId,
            ProcessAgent &theAgent, const WatchdogOptions &options);

    void connectClient();
    void connectServer();
    void updateFlow();

    void writeMarker(const RestartMarker &marker);
    [[nodiscard]] MarkerReading earlierMarker();
    [[nodiscard]] QString reasonInMarker();

    [[nodiscard]] Scheduler &scheduler() const { return supervisor.scheduler(); }

    WatchdogProxy *const q;
    AgentSupervisor &supervisor;
    ProcessAgent &agent;
    MarkerFile markerFile;
    const QString serverName; // in the marker file, which several servers may share
    const UtcTime beginning;  // of the proxy
    std::optional<RestartMarker> written;
    ClientLines client;
    ProxiedServer server;
    bool isFirstStartDone = false; // succeeded or failed; the client is not read before
    // The same limit as for clients (S4). Without it, a watched file that the server changes at
    // each start would restart the server forever.
    SlidingWindow hostRestarts;
    QThreadPool markerThread; // last, so that its end is awaited first
};

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
             {sessionOptions(options), true, {}, [this] { return earlierMarker(); }})
{
    const RequestLimit limit = theSupervisor.policyEvaluator().policy(agentId).requestLimit;
    hostRestarts = SlidingWindow(limit.count, limit.period);
    markerThread.setMaxThreadCount(1); // preserves the order
    agent.setRestartReason([this] { return reasonInMarker(); });
    connectClient();
    connectServer();
}

void WatchdogProxy::Private::connectClient()
{
    connect(&client, &ClientLines::lines, q,
            [this](const std::vector<FramedLine> &lines) { server.clientLines(lines); });
    connect(&client, &ClientLines::ended, q, [this] { server.end(false); });
    connect(&client, &ClientLines::hungUp, q, [this] {
        if (!server.isEnding() && server.unreadSize() > maxUnreadBytes && server.isStalled())
            q->end();
    });
    connect(&client, &ClientLines::drained, q, [this] { updateFlow(); });
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
        isFirstStartDone = true;
        updateFlow();
    });
    // If no server ever starts, the client still needs responses.
    connect(&server, &ProxiedServer::processExited, q, [this] { isFirstStartDone = true; });
    connect(&server, &ProxiedServer::toClient, q,
            [this](const QByteArray &line) { client.add(line); });
    connect(&server, &ProxiedServer::refused, q,
            [this](const ProxyRefusal &refusal) { client.add(refusal.toJson()); });
    connect(&server, &ProxiedServer::eventFinished, q, [this] { updateFlow(); });
    connect(&server, &ProxiedServer::restarting, q, [this](RestartMarker marker) {
        marker.timestamp = markerTime(scheduler().clock().utcNow());
        writeMarker(marker);
        (void)markerThread.waitForDone(markerTimeLimit.count());
    });
    connect(&server, &ProxiedServer::restarted, q,
            [this](const RestartMarker &marker) { writeMarker(marker); });
    connect(&server, &ProxiedServer::noted, q, &WatchdogProxy::noted);
    connect(&server, &ProxiedServer::errorLine, q, &WatchdogProxy::errorLine);
    connect(&server, &ProxiedServer::callFinished, q, &WatchdogProxy::callFinished);
}

// Writes to the client, and pauses one side while the other does not read.
void WatchdogProxy::Private::updateFlow()
{
    client.flush();
    const bool serverIsFull = server.unreadSize() > maxUnreadBytes;
    server.setPaused(client.isFull());
    if (server.isEnding())
        client.setPaused(true);
    else if (isFirstStartDone)
        client.setPaused(serverIsFull || client.isFull());
    if (server.hasEnded())
        client.finish();
}

// In a thread, so that the handshake with the new server does not wait for a disk.
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

// The session requests it if it has not restarted the server itself. A marker of another server, or
// one that is newer than this proxy, was not written for this server.
MarkerReading WatchdogProxy::Private::earlierMarker()
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

// A server that exits with 42 may write the reason to the marker file (S4 3.2), with a time in
// whole seconds. Markers of proxies are ignored.
QString WatchdogProxy::Private::reasonInMarker()
{
    markerThread.waitForDone();
    const MarkerReading reading = markerFile.read();
    const UtcTime start = std::chrono::floor<std::chrono::seconds>(server.record().server.time);
    const bool isNew = reading.state == MarkerReading::State::Read && reading.marker != written
        && reading.marker.timestamp >= start && reading.marker.server.isEmpty()
        && !isWrittenByProxy(reading.marker.method);
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
