// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/control/controlserver.h>

#include "control/calls/controlcalls_p.h"
#include "control/internal/messagejson.h"
#include "control/session/controlconnection_p.h"
#include "control/socket/controlfolder_p.h"
#include "control/socket/controllistener_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/version.h>

#include <QCoreApplication>
#include <QFileInfo>
#include <QMetaMethod>
#include <QPointer>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace Rekindle {

using Code = ControlError::Code;

namespace {

constexpr int maxClients = 36;
// The other places are kept for operators: there, a client can be disconnected for a new one.
constexpr qsizetype maxWaitingClients = 32;
constexpr int maxLinesPerPass = 64;
constexpr Duration maxTimePerPass = std::chrono::milliseconds(5);
// While the agents emit events, at least 9 of 10 parts of the time are theirs.
constexpr int pausePerSending = 9;
// A client that has missed events receives nothing until no event has been emitted for the first of
// these times, or until the second one has passed. It gets one long gap instead of many.
constexpr Duration gapPause = std::chrono::milliseconds(10);
constexpr Duration longestGapWait = std::chrono::seconds(2);

void refuseConnection(int socket, const ControlError &error)
{
    const QByteArray line = errorLine({}, error) + '\n';
    static_cast<void>(::send(socket, line.constData(), static_cast<std::size_t>(line.size()),
                             MSG_DONTWAIT | MSG_NOSIGNAL));
}

ControlServerOptions withDefaults(ControlServerOptions options)
{
    const QString program = QFileInfo(QCoreApplication::applicationFilePath()).fileName();
    if (options.name.isEmpty())
        options.name = program;
    if (options.socketName.isEmpty())
        options.socketName = program + QLatin1Char('-') + QString::number(::getpid());
    options.folder =
        options.folder.isEmpty() ? controlFolder() : QFileInfo(options.folder).absoluteFilePath();
    if (!options.configuration.isEmpty())
        options.configuration = QFileInfo(options.configuration).absoluteFilePath();
    return options;
}

} // namespace

class ControlServer::Private : public ControlCalls
{
public:
    Private(ControlServer *server, AgentSupervisor &agents, const ControlServerOptions &asked)
        : ControlCalls(agents, withDefaults(asked).configuration,
                       [this] {
                           pass.armIn({});
                           sendEventsSoon();
                       })
        , q(server)
        , options(withDefaults(asked))
        , scheduler(supervisor.scheduler())
        , evaluator(supervisor.policyEvaluator())
        , host{.name = options.name,
               .processId = ::getpid(),
               .version = QStringLiteral(REKINDLE_VERSION_STR),
               .run = events.run(),
               .configuration = options.configuration,
               .features = {QStringLiteral("logs")}}
        , pass(scheduler, [this] { readLines(); })
        , feeding(scheduler, [this] { sendEvents(); })
    {
    }

    void setFeature(const QString &feature, bool isThere);
    void accept(UniqueFd socket);
    [[nodiscard]] ControlConnection *replaceableClient() const;
    [[nodiscard]] bool hasPlaceToWait(const ControlConnection &client) const;
    void readLines();
    void addEvent(const LifecycleEvent &event);
    void sendEvents(bool isLast = false);
    void sendEventsSoon();
    void handle(const std::shared_ptr<ControlConnection> &client, const ControlCall &call);
    [[nodiscard]] ControlReply stopHost(ControlRequest &request) override;
    [[nodiscard]] ControlReply responseTo(const std::shared_ptr<ControlConnection> &client,
                                          const ControlCall &call);
    void removeClosed();

    ControlServer *const q;
    const ControlServerOptions options;
    Scheduler &scheduler;
    RestartPolicyEvaluator &evaluator;
    HostInfo host;
    std::unique_ptr<ControlListener> listener;
    std::vector<std::shared_ptr<ControlConnection>> clients;
    std::vector<ControlConnection *> closed; ///< to be removed in the next pass
    Deadline pass;
    Deadline feeding; ///< sends events
    Instant nextFeeding{};
    quint64 lastAtFeeding = 0;       ///< number of events and lines
    std::optional<Instant> gapSince; ///< when the first client had a gap and began to wait
    bool isReading = false;
};

ControlServer::ControlServer(AgentSupervisor &supervisor, const ControlServerOptions &options,
                             QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, options))
{
}

ControlServer::~ControlServer()
{
    disconnect(&d->evaluator, nullptr, this, nullptr);
    try {
        d->sendEvents(true); // those of the agents that stopped before the host exits
        // NOLINTNEXTLINE(bugprone-empty-catch): without memory, they are not sent
    } catch (...) {
    }
    // A client that sees the end of its connection can start a host of the same name.
    d->listener.reset();
    for (const auto &client : d->clients) {
        client->disconnect(this);
        client->session().close(QLatin1String("the host exits"));
        client->flush();
    }
}

void ControlServer::Private::setFeature(const QString &feature, bool isThere)
{
    host.features.removeAll(feature);
    if (isThere)
        host.features.append(feature);
}

void ControlServer::setConfiguration(ReloadableConfiguration *configuration)
{
    d->setFeature(QStringLiteral("config"), configuration != nullptr);
    d->configuration = configuration;
}

void ControlServer::setArchive(EventArchive *archive)
{
    d->setFeature(QStringLiteral("store"), archive != nullptr);
    d->eventCalls.setArchive(archive);
}

void ControlServer::setGroups(const AgentGroups *groups) { d->groups = groups; }

void ControlServer::setStartGate(const StartGate *gate) { d->gate = gate; }

void ControlServer::setFleet(FleetControl *fleet)
{
    d->setFeature(QStringLiteral("fleet"), fleet != nullptr);
    d->fleet = fleet;
}

void ControlServer::setSharedBreakers(SharedBreakers *breakers) { d->breakers = breakers; }

QString ControlServer::socketPath() const
{
    return d->options.folder.isEmpty()
        ? QString()
        : controlSocketPath(d->options.folder, d->options.socketName);
}

int ControlServer::clientCount() const
{
    return static_cast<int>(d->clients.size() - d->closed.size());
}

QString ControlServer::listen()
{
    if (d->options.folder.isEmpty())
        return QStringLiteral("no folder for the control socket; set HOME or XDG_RUNTIME_DIR to an "
                              "absolute path");
    if (d->options.socketName.contains(QLatin1Char('/')))
        return QStringLiteral("%1: expected a socket name without /").arg(d->options.socketName);
    if (QString fault = prepareControlFolder(d->options.folder); !fault.isEmpty())
        return fault;
    auto listener = std::make_unique<ControlListener>(
        socketPath(), d->scheduler, [this](UniqueFd socket) { d->accept(std::move(socket)); });
    connect(listener.get(), &ControlListener::socketChanged, this, &ControlServer::socketChanged);
    QString fault = listener->listen();
    if (!fault.isEmpty())
        return fault;
    d->listener = std::move(listener);
    connect(&d->evaluator, &RestartPolicyEvaluator::lifecycleEvent, this,
            [this](const LifecycleEvent &event) { d->addEvent(event); });
    connect(&d->logs, &LogCalls::added, this, [this] { d->sendEventsSoon(); });
    connect(&d->waits, &WaitCalls::responded, this, [this] { d->pass.armIn({}); });
    return {};
}

void ControlServer::Private::accept(UniqueFd socket)
{
    std::optional<ControlPeer> peer = ControlPeer::ofSocket(socket.get());
    if (!peer) {
        refuseConnection(socket.get(),
                         {Code::Forbidden,
                          QStringLiteral("only the user of this host and root may connect"),
                          objectJson("access", QLatin1String("none"))});
        return;
    }
    if (ControlConnection *const replaced = replaceableClient();
        replaced != nullptr && q->clientCount() >= maxClients) {
        replaced->session().close(QLatin1String("a new client needs the connection"));
        replaced->flush();
        replaced->close();
    }
    if (q->clientCount() >= maxClients) {
        refuseConnection(socket.get(),
                         {Code::Busy,
                          QStringLiteral("at most %1 clients can connect").arg(maxClients),
                          objectJson("limit", maxClients)});
        return;
    }
    auto client = std::make_shared<ControlConnection>(std::move(socket), *std::move(peer),
                                                      scheduler, host, nullptr);
    ControlConnection *const added = client.get();
    QObject::connect(added, &ControlConnection::linesReceived, q, [this] { pass.armIn({}); });
    QObject::connect(added, &ControlConnection::writable, q, [this] {
        pass.armIn({});
        sendEventsSoon();
    });
    QObject::connect(added, &ControlConnection::closed, q, [this, added] {
        closed.push_back(added);
        pass.armIn({});
    });
    clients.push_back(std::move(client));
}

// Of the process with the most connections, the client that has been idle for the longest time. A
// process that connects again and again does not replace the clients of others.
ControlConnection *ControlServer::Private::replaceableClient() const
{
    QHash<pid_t, int> connections;
    for (const auto &client : clients)
        connections[client->peer().processId] += client->isOpen() ? 1 : 0;
    const auto rank = [&connections](const ControlConnection &client) {
        return std::pair(connections[client.peer().processId], Instant::max() - client.lastInput());
    };
    ControlConnection *found = nullptr;
    for (const auto &client : clients) {
        if (client->isOpen() && client->session().isIdle()
            && (found == nullptr || rank(*client) > rank(*found)))
            found = client.get();
    }
    return found;
}

bool ControlServer::Private::hasPlaceToWait(const ControlConnection &client) const
{
    return std::count_if(clients.begin(), clients.end(),
                         [&client](const auto &other) {
                             return other.get() != &client && !other->session().isIdle();
                         })
        < maxWaitingClients;
}

// One line of each client in turn, so that no client delays the others. A slot of the host may run
// an event loop, in which the clients wait, or delete the server.
void ControlServer::Private::readLines()
{
    if (isReading)
        return; // the outer call continues
    const QPointer<ControlServer> alive(q);
    isReading = true;
    removeClosed();
    if (!alive)
        return;
    const Instant end = scheduler.now() + maxTimePerPass;
    int left = maxLinesPerPass;
    bool isMore = true;
    while (isMore && left > 0 && scheduler.now() < end) {
        isMore = false;
        for (std::size_t i = 0; i < clients.size() && left > 0; ++i) {
            const std::shared_ptr<ControlConnection> client = clients[i];
            if (!client->session().isReady())
                continue;
            --left;
            if (const std::optional<ControlCall> call = client->session().readLine())
                handle(client, *call);
            if (!alive)
                return;
            isMore = isMore || client->session().isReady();
        }
    }
    for (const auto &client : clients)
        client->resume();
    isReading = false;
    const bool isReady = std::any_of(clients.begin(), clients.end(), [](const auto &client) {
        return client->session().isReady();
    });
    if (isReady || !closed.empty())
        pass.armIn({});
}

void ControlServer::Private::handle(const std::shared_ptr<ControlConnection> &client,
                                    const ControlCall &call)
{
    ControlSession &session = client->session();
    if (!call.method) {
        waits.cancel(*client, &call.id);
        eventCalls.cancel(*client, &call.id);
        session.answer(call.id, ControlError{Code::RequestCancelled, QStringLiteral("canceled")});
        return;
    }
    if (const ControlReply response = responseTo(client, call))
        session.answer(call.id, *response);
}

ControlReply ControlServer::Private::responseTo(const std::shared_ptr<ControlConnection> &client,
                                                const ControlCall &call)
{
    const auto methods = controlMethods();
    const auto method = std::find_if(methods.begin(), methods.end(), [&call](const auto &each) {
        return each.name == *call.method;
    });
    if (method == methods.end())
        return ControlError{Code::MethodNotFound,
                            QLatin1String("unknown method ") + QString::fromUtf8(*call.method)};
    if (method->kind == ControlMethod::Kind::Lasts) {
        if (!hasPlaceToWait(*client)) {
            return ControlError{Code::Busy,
                                QStringLiteral("at most %1 clients can wait, subscribe to events "
                                               "or follow output")
                                    .arg(maxWaitingClients),
                                objectJson("limit", maxWaitingClients)};
        }
        sendEventsSoon(); // after the response
    }
    ControlRequest request(client, call, *this, q);
    const ControlReply response = method->call(request);
    if (request.isServerAlive() && method->kind == ControlMethod::Kind::Changes && response
        && std::holds_alternative<QByteArray>(*response))
        Q_EMIT q->operated();
    return request.isServerAlive() ? response : std::nullopt;
}

void ControlServer::Private::addEvent(const LifecycleEvent &event)
{
    events.add(event);
    if (!feed.isEmpty())
        sendEventsSoon();
    waits.note(event);
}

// A part of the events for each client in turn, so that the clients share the encoded lines.
void ControlServer::Private::sendEvents(bool isLast)
{
    const Instant start = scheduler.now();
    const quint64 newest = events.last() + logs.lineCount();
    const bool isStorm = std::exchange(lastAtFeeding, newest) != newest;
    const bool reportsGaps =
        isLast || !isStorm || (gapSince && start - *gapSince >= longestGapWait);
    bool isMore = true;
    bool isWaiting = false;
    while (isMore && scheduler.now() - start < maxTimePerPass) {
        isMore = false;
        for (const auto &client : clients) {
            ControlSession &session = client->session();
            const bool isDeferred = !reportsGaps && feed.hasGap(session);
            const bool hasMoreEvents = !isDeferred && feed.fill(session);
            const bool hasMore = logs.fill(session) || hasMoreEvents;
            client->flush();
            isMore = isMore || (hasMore && session.outgoing().isEmpty());
            isWaiting = isWaiting || isDeferred;
        }
    }
    gapSince = isWaiting ? gapSince.value_or(start) : std::optional<Instant>();
    const Instant now = scheduler.now();
    const Duration pause = (now - start) * pausePerSending;
    nextFeeding = isStorm ? now + std::max(pause, isWaiting ? gapPause : Duration()) : now;
    if (isMore || isWaiting)
        sendEventsSoon();
}

void ControlServer::Private::sendEventsSoon()
{
    if (!feeding.isArmed())
        feeding.arm(nextFeeding);
}

ControlReply ControlServer::Private::stopHost(ControlRequest &request)
{
    const auto how = request.params.member(QStringLiteral("how"));
    const bool isKill = how
        && how->oneOf({QStringLiteral("orderly"), QStringLiteral("kill")})
            == QStringLiteral("kill");
    if (const auto fault = request.fault())
        return *fault;
    if (!q->isSignalConnected(QMetaMethod::fromSignal(&ControlServer::stopRequested)))
        return refused("noStopRequests", QStringLiteral("this host cannot be stopped by a client"));
    if (!announce(request, supervisor.ids(), request.action()))
        return {};
    // After the response was sent.
    QMetaObject::invokeMethod(
        q, [this, isKill] { Q_EMIT q->stopRequested(isKill); }, Qt::QueuedConnection);
    return QByteArrayLiteral("{}");
}

// A slot of the host may delete the server.
void ControlServer::Private::removeClosed()
{
    if (closed.empty())
        return;
    for (ControlConnection *each : std::exchange(closed, {})) {
        feed.remove(each->session());
        logs.remove(each->session());
        waits.cancel(*each);
        eventCalls.cancel(*each);
        clients.erase(std::remove_if(clients.begin(), clients.end(),
                                     [each](const auto &client) { return client.get() == each; }),
                      clients.end());
    }
    Q_EMIT q->clientsDisconnected();
}

} // namespace Rekindle
