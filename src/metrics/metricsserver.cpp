// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/metrics/metricsserver.h>

#include "metricsconnection_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/metrics/metricscollector.h>

#include <QMutex>
#include <QPointer>
#include <QTcpServer>
#include <QThreadPool>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr char plainText[] = "text/plain; charset=utf-8";
constexpr char exposition[] = "text/plain; version=0.0.4; charset=utf-8";
constexpr int mostNames = 100; // in one answer

// Hands over what was accepted before anything is read from it.
class Listener final : public QTcpServer
{
public:
    explicit Listener(std::function<void(qintptr)> accepted)
        : m_accepted(std::move(accepted))
    {
    }

private:
    void incomingConnection(qintptr descriptor) override { m_accepted(descriptor); }

    std::function<void(qintptr)> m_accepted;
};

// Where another thread may post to the server, for as long as there is one.
struct Door
{
    QMutex mutex;
    MetricsServer *server;
};

QByteArray oneLine(QString text)
{
    for (QChar &each : text) {
        if (each.category() == QChar::Other_Control)
            each = u'?';
    }
    return text.toUtf8();
}

} // namespace

class MetricsServer::Private
{
public:
    Private(MetricsServer *server, AgentSupervisor &theSupervisor, MetricsCollector &theCollector,
            const MetricsServerOptions &theOptions)
        : q(server)
        , supervisor(theSupervisor)
        , collector(theCollector)
        , options(theOptions)
        , listener([this](qintptr descriptor) { accept(descriptor); })
        , acceptAgain(supervisor.scheduler(), [this] { listener.resumeAccepting(); })
        , door(new Door{{}, server})
    {
    }

    void accept(qintptr descriptor);
    void answer(MetricsConnection &connection, const QByteArray &path);
    void answerReady(MetricsConnection &connection) const;
    void makeText();
    void deliver(const QByteArray &text);

    MetricsServer *const q;
    AgentSupervisor &supervisor;
    MetricsCollector &collector;
    const MetricsServerOptions options;
    Listener listener;
    Deadline acceptAgain;
    int connectionCount = 0;

    const std::shared_ptr<Door> door;

    // Who asks while a text is being made gets the next one: what they saw happen is in it.
    QList<QPointer<MetricsConnection>> served;
    QList<QPointer<MetricsConnection>> waiting;
    bool isMaking = false;
};

void MetricsServer::Private::accept(qintptr descriptor)
{
    if (connectionCount >= options.maxConnections) {
        QTcpSocket superfluous;
        superfluous.setSocketDescriptor(descriptor);
        superfluous.abort();
        return;
    }
    auto *const connection =
        new MetricsConnection(supervisor.scheduler(), options.maxRequestSize, options.timeLimit, q);
    ++connectionCount;
    connect(connection, &MetricsConnection::closed, q, [this] { --connectionCount; });
    connect(connection, &MetricsConnection::requested, q,
            [this, connection](const QByteArray &path) { answer(*connection, path); });
    if (!connection->open(descriptor)) {
        --connectionCount;
        delete connection;
    }
}

void MetricsServer::Private::answer(MetricsConnection &connection, const QByteArray &path)
{
    if (path == "/metrics") {
        waiting.append(&connection);
        makeText();
    } else if (path == "/healthz") {
        connection.answer(HttpStatus::Ok, plainText, "ok\n");
    } else if (path == "/readyz") {
        answerReady(connection);
    } else {
        connection.answer(HttpStatus::NotFound, plainText,
                          "not found; there is /metrics, /healthz and /readyz\n");
    }
}

void MetricsServer::Private::answerReady(MetricsConnection &connection) const
{
    QByteArray names;
    int notReady = 0;
    for (const QUuid &id : supervisor.ids()) {
        const std::optional<InstanceState> state = supervisor.evaluator().state(id);
        if (!state || *state == InstanceState::Running || *state == InstanceState::Stopped)
            continue;
        if (++notReady <= mostNames)
            names += oneLine(supervisor.snapshot(id)->name) + ": " + toText(*state).toUtf8() + '\n';
    }
    if (notReady > mostNames)
        names += "and " + QByteArray::number(notReady - mostNames) + " more\n";
    if (notReady == 0)
        connection.answer(HttpStatus::Ok, plainText, "ready\n");
    else
        connection.answer(HttpStatus::ServiceUnavailable, plainText, "not ready:\n" + names);
}

// In another thread: for a thousand agents it takes long enough to be felt here.
void MetricsServer::Private::makeText()
{
    if (isMaking || waiting.isEmpty())
        return;
    isMaking = true;
    served = std::exchange(waiting, {});
    QThreadPool::globalInstance()->start([door = door, source = collector.textSource()] {
        const QByteArray text = source();
        const QMutexLocker locker(&door->mutex);
        if (MetricsServer *const server = door->server) {
            QMetaObject::invokeMethod(
                server, [server, text] { server->d->deliver(text); }, Qt::QueuedConnection);
        }
    });
}

void MetricsServer::Private::deliver(const QByteArray &text)
{
    isMaking = false;
    for (const QPointer<MetricsConnection> &connection : std::exchange(served, {})) {
        if (connection)
            connection->answer(HttpStatus::Ok, exposition, text);
    }
    makeText();
}

MetricsServer::MetricsServer(AgentSupervisor &supervisor, MetricsCollector &collector,
                             const MetricsServerOptions &options, QObject *parent)
    : QObject(parent)
{
    MetricsServerOptions inRange = options;
    inRange.maxConnections = std::clamp(options.maxConnections, 1, 10'000);
    inRange.maxRequestSize = std::clamp(options.maxRequestSize, 256, 1 << 20);
    inRange.timeLimit = std::clamp<Duration>(options.timeLimit, std::chrono::milliseconds(10),
                                             std::chrono::hours(1));
    d = std::make_unique<Private>(this, supervisor, collector, inRange);
    // Out of descriptors, for example: QTcpServer has stopped accepting then, for good.
    connect(&d->listener, &QTcpServer::acceptError, this,
            [this] { d->acceptAgain.armIn(std::chrono::seconds(1)); });
}

MetricsServer::~MetricsServer()
{
    {
        const QMutexLocker locker(&d->door->mutex);
        d->door->server = nullptr;
    }
    // They tell the private part of their end, which must still be there.
    qDeleteAll(findChildren<MetricsConnection *>(QString(), Qt::FindDirectChildrenOnly));
}

std::optional<Fault> MetricsServer::listen(const QHostAddress &address, quint16 port)
{
    if (d->listener.isListening())
        return Fault{.message = QStringLiteral("listens already")};
    if (d->listener.listen(address, port))
        return {};
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    const QString host = isV6 ? QStringLiteral("[%1]").arg(address.toString()) : address.toString();
    return Fault{.message = QStringLiteral("cannot listen on %1:%2: %3")
                                .arg(host)
                                .arg(port)
                                .arg(d->listener.errorString())};
}

QHostAddress MetricsServer::address() const { return d->listener.serverAddress(); }

quint16 MetricsServer::port() const { return d->listener.serverPort(); }

int MetricsServer::connectionCount() const { return d->connectionCount; }

} // namespace Rekindle
