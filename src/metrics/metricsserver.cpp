// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/metrics/metricsserver.h>

#include "base/mailbox_p.h"
#include "metricsconnection_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/metrics/metricscollector.h>

#include <QPointer>
#include <QTcpServer>
#include <QThreadPool>

#include <algorithm>
#include <functional>
#include <utility>

namespace Rekindle {

namespace {

constexpr char plainText[] = "text/plain; charset=utf-8";
constexpr char exposition[] = "text/plain; version=0.0.4; charset=utf-8";
constexpr int maxListedNames = 100; // in one response

QByteArray oneLine(QString text)
{
    for (QChar &each : text) {
        if (each.category() == QChar::Other_Control)
            each = u'?';
    }
    return text.toUtf8();
}

class Listener : public QTcpServer
{
public:
    explicit Listener(std::function<void(int)> accept)
        : m_accept(std::move(accept))
    {
    }

private:
    void incomingConnection(qintptr descriptor) override { m_accept(static_cast<int>(descriptor)); }

    const std::function<void(int)> m_accept;
};

} // namespace

class MetricsServer::Private
{
public:
    Private(MetricsServer *server, AgentSupervisor &theSupervisor,
            const MetricsCollector &collector, MetricsServerOptions theOptions)
        : q(server)
        , scheduler(theSupervisor.scheduler())
        , supervisor(&theSupervisor)
        , textSource(collector.textSource())
        , options(std::move(theOptions))
        , listener([this](int descriptor) { accept(descriptor); })
        , acceptAgain(scheduler, [this] { listener.resumeAccepting(); })
        , mailbox(std::make_shared<Mailbox>(server))
    {
    }

    void accept(int descriptor);
    void handle(MetricsConnection &connection, const QByteArray &path);
    void respondReady(MetricsConnection &connection) const;
    void createText();
    void deliver(const QByteArray &text);

    MetricsServer *const q;
    Scheduler &scheduler;
    const QPointer<AgentSupervisor> supervisor; ///< null after it was deleted
    const std::function<QByteArray()> textSource;
    const MetricsServerOptions options;
    Listener listener;
    Deadline acceptAgain;
    QList<MetricsConnection *> connections; ///< in the order of their acceptance

    const std::shared_ptr<Mailbox> mailbox;

    // A request that arrives while a text is being created gets the next text, which contains
    // everything that happened before the request.
    QList<QPointer<MetricsConnection>> current;
    QList<QPointer<MetricsConnection>> pending;
    bool isCreating = false;
};

void MetricsServer::Private::accept(int descriptor)
{
    auto *const connection = new MetricsConnection(descriptor, scheduler, options, q);
    connections.append(connection);
    connect(connection, &MetricsConnection::closed, q,
            [this, connection] { connections.removeOne(connection); });
    connect(connection, &MetricsConnection::requested, q,
            [this, connection](const QByteArray &path, const QByteArray &host) {
                if (isAcceptedHost(host, options.names))
                    handle(*connection, path);
                else
                    connection->respond(HttpStatus::MisdirectedRequest, plainText,
                                        "the name in the header Host is not accepted; use the IP "
                                        "address, localhost, or a name of --metrics-name\n");
            });
    // Slow clients must not lock out others. If no other connection is idle, the new one
    // is closed.
    if (connections.size() > options.maxConnections)
        (*std::ranges::min_element(connections, {}, &MetricsConnection::idleSince))->close();
    // The event loop can accept the next connection before it reports that this one is readable.
    connection->read();
}

void MetricsServer::Private::handle(MetricsConnection &connection, const QByteArray &path)
{
    if (path == "/metrics") {
        pending.append(&connection);
        createText();
    } else if (path == "/healthz") {
        connection.respond(HttpStatus::Ok, plainText, "ok\n");
    } else if (path == "/readyz") {
        respondReady(connection);
    } else {
        connection.respond(HttpStatus::NotFound, plainText,
                           "not found; the paths are /metrics, /healthz and /readyz\n");
    }
}

void MetricsServer::Private::respondReady(MetricsConnection &connection) const
{
    if (!supervisor) {
        connection.respond(HttpStatus::ServiceUnavailable, plainText,
                           "not ready:\nthe supervisor was deleted\n");
        return;
    }
    QByteArray names;
    int notReady = 0;
    for (const QUuid &id : supervisor->ids()) {
        const std::optional<InstanceState> state = supervisor->policyEvaluator().state(id);
        if (!state || *state == InstanceState::Running || *state == InstanceState::Stopped)
            continue;
        if (++notReady <= maxListedNames)
            names +=
                oneLine(supervisor->snapshot(id)->name) + ": " + toText(*state).toUtf8() + '\n';
    }
    if (notReady > maxListedNames)
        names += "and " + QByteArray::number(notReady - maxListedNames) + " more\n";
    if (notReady == 0)
        connection.respond(HttpStatus::Ok, plainText, "ready\n");
    else
        connection.respond(HttpStatus::ServiceUnavailable, plainText, "not ready:\n" + names);
}

// In another thread, because with a thousand agents the text would delay the event loop.
void MetricsServer::Private::createText()
{
    if (isCreating || pending.isEmpty())
        return;
    isCreating = true;
    current = std::exchange(pending, {});
    QThreadPool::globalInstance()->start([this, mailbox = mailbox, source = textSource] {
        mailbox->post([this, text = source()] { deliver(text); });
    });
}

void MetricsServer::Private::deliver(const QByteArray &text)
{
    isCreating = false;
    for (const QPointer<MetricsConnection> &connection : std::exchange(current, {})) {
        if (connection)
            connection->respond(HttpStatus::Ok, exposition, text);
    }
    createText();
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
    inRange.idleTimeout = std::clamp<Duration>(options.idleTimeout, std::chrono::milliseconds(10),
                                               std::chrono::hours(1));
    d = std::make_unique<Private>(this, supervisor, collector, std::move(inRange));
    // For example, no more descriptors. QTcpServer then stops accepting until resumeAccepting().
    connect(&d->listener, &QTcpServer::acceptError, this,
            [this] { d->acceptAgain.armIn(std::chrono::seconds(1)); });
}

MetricsServer::~MetricsServer() { d->mailbox->close(); }

std::optional<Fault> MetricsServer::listen(const QHostAddress &address, quint16 port)
{
    if (d->listener.isListening())
        return Fault{.message = QStringLiteral("the server is already listening")};
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

int MetricsServer::connectionCount() const { return static_cast<int>(d->connections.size()); }

} // namespace Rekindle
