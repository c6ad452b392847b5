// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/control/controlclient.h>

#include "base/readyfuture_p.h"
#include "base/uniquefd_p.h"
#include "control/internal/messagejson.h"
#include "control/session/controlsession_p.h"
#include "control/socket/controlfolder_p.h"
#include "control/socket/socketaddress_p.h"
#include "control/socket/socketio_p.h"
#include "policy/internal/agenthistory.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"
#include "wire/messagewriter_p.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>
#include <QPromise>
#include <QSocketNotifier>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <cerrno>
#include <map>
#include <utility>

namespace Rekindle {

using Code = ControlError::Code;

namespace {

using Reply = ControlResult<QJsonValue>;

constexpr qsizetype longestLine = qsizetype{64} * 1024 * 1024;

// Connecting to a Unix socket never waits if it is non-blocking. If the queue of the host is full,
// because clients connect again and again, a client that waits gets a place: the kernel serves them
// in turn. On failure, errno is set.
UniqueFd connectTo(const QString &path, bool mayWait = false)
{
    const std::optional<SocketAddress> address = SocketAddress::of(path);
    if (!address) {
        errno = ENAMETOOLONG;
        return {};
    }
    const int mode = mayWait ? 0 : SOCK_NONBLOCK;
    const timeval limit{2, 0};
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | mode, 0));
    if (!socket.isOpen()
        || ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0
        || ::connect(socket.get(), address->get(), address->size()) != 0
        || ::fcntl(socket.get(), F_SETFL, O_NONBLOCK) != 0)
        return {};
    return socket;
}

ControlError errorOf(const QByteArray &line, const QJsonObject &error)
{
    const JsonSpan span = jsonMember(line, {0, line.size()}, "error");
    return {static_cast<Code>(error[QLatin1String("code")].toInt()),
            error[QLatin1String("message")].toString(),
            jsonMember(line, span, "data").of(line).toByteArray()};
}

Reply notConnected()
{
    return {.error =
                ControlError{Code::NotConnected, Words::tr("there is no connection to the host")}};
}

// Of a member of the result, or of the whole.
template<typename T>
QFuture<ControlResult<T>> typed(QFuture<Reply> reply, const char *member = nullptr)
{
    return reply.then([member](const Reply &received) {
        const QJsonValue &value = received.value;
        return ControlResult<T>{fromJson<T>(member ? value[QLatin1String(member)] : value),
                                received.error};
    });
}

// The result of agents.explain.
AgentExplanation explanationOf(const QJsonValue &result)
{
    const QJsonObject agent = result[u"agent"].toObject();
    AgentHistory found{.agent = textIn(agent, "agent"),
                       .isLive = true,
                       .state = textIn(agent, "state"),
                       .next = result[u"next"].toString(),
                       .actions = fromJson<QList<RecordedAction>>(result[u"actions"])};
    for (const auto &each : result[u"decisions"].toArray()) {
        const QJsonObject decision = each.toObject();
        found.decisions.append({.instanceId = textIn(decision, "instanceId"),
                                .agent = textIn(decision, "agent"),
                                .time = fromJson<UtcTime>(decision[u"time"]),
                                .object = decision[u"decision"].toObject(),
                                .shadow = decision[u"shadow"].toObject(),
                                .isCanceled = decision[u"canceled"].toBool()});
    }
    return AgentExplanation(std::move(found));
}

// Parts of the line, because a JSON object would sort the members.
ControlEvent eventOf(const QByteArray &line, const QJsonObject &params)
{
    const QJsonObject event = params[QLatin1String("event")].toObject();
    const JsonSpan json = jsonMember(line, jsonMember(line, {0, line.size()}, "params"), "event");
    return {.cursor = params[QLatin1String("cursor")].toString(),
            // "rekindle.agent.ready.v1"
            .type = event[QLatin1String("type")].toString().section(u'.', 1, -2),
            .agent = event[QLatin1String("data")][QLatin1String("agent")].toString(),
            .time = fromJson<UtcTime>(event[QLatin1String("time")]),
            .data = jsonMember(line, json, "data").of(line).toByteArray(),
            .json = json.of(line).toByteArray()};
}

// If the folder is closed to this user, its owner is that of the socket.
QString ownerOf(const QString &path)
{
    struct stat status{};
    QFileInfo readable(path);
    while (::stat(QFile::encodeName(readable.absoluteFilePath()).constData(), &status) != 0) {
        if (errno != EACCES || readable.isRoot())
            return {};
        readable.setFile(readable.absolutePath());
    }
    return Words::tr("; it belongs to user %1").arg(status.st_uid);
}

// After a failed connectTo().
ControlClient::Connection failedConnection(const QString &path, int error)
{
    using Cause = ControlClient::Cause;
    if (error == EACCES || error == EPERM)
        return {
            .cause = Cause::NoPermission,
            .fault =
                Words::tr("%1: no permission%2", "ends with the owner").arg(path, ownerOf(path))};
    if (error == EAGAIN)
        return {.cause = Cause::Busy,
                .fault =
                    Words::tr("%1: the connection queue of the host is full; try again").arg(path)};
    return {.cause = Cause::NoHost,
            .fault = Words::tr("%1: no host listens on it (%2)").arg(path, qt_error_string(error))};
}

} // namespace

class ControlClient::Private
{
public:
    explicit Private(ControlClient *client)
        : q(client)
    {
    }

    void connectSocket();
    void begin();
    void send(const QByteArray &line);
    void flush();
    void read();
    void receive(const QByteArray &line);
    void notify(const QByteArray &line, const QString &method, const QJsonObject &params) const;
    void receiveHello(const QByteArray &line, const QJsonObject &message);
    void fail(Cause cause, const QString &message);

    ControlClient *const q;
    QString path;
    UniqueFd socket;
    std::unique_ptr<QSocketNotifier> readable;
    std::unique_ptr<QSocketNotifier> writable;
    LineFramer framer{longestLine};
    OutgoingBytes outgoing;
    std::map<qint64, QPromise<Reply>> replies;
    qint64 lastId = 0;
    HostInfo host;
    bool isOpened = false;
};

ControlClient::ControlClient(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ControlClient::~ControlClient() = default;

QString ControlClient::defaultFolder() { return controlFolder(); }

QStringList ControlClient::runningHosts(const QString &folder)
{
    const QString path = folder.isEmpty() ? controlFolder() : folder;
    // In a folder in which others can write, a socket may be that of another user.
    if (path.isEmpty() || !faultOfControlFolder(path).isEmpty())
        return {};
    removeSocketsOfKilledHosts(path);
    const QDir sockets(path);
    QStringList hosts;
    for (const QString &name :
         sockets.entryList({QStringLiteral("*.sock")}, QDir::System | QDir::Hidden, QDir::Name)) {
        const QString socket = sockets.absoluteFilePath(name);
        // EAGAIN: the host runs, but its connection queue is full.
        if (connectTo(socket).isOpen() || errno == EAGAIN || errno == EACCES)
            hosts.append(socket);
    }
    return hosts;
}

QString ControlClient::socketPath(const QString &socketName, const QString &folder)
{
    const QString path = folder.isEmpty() ? controlFolder() : folder;
    return path.isEmpty() ? path : controlSocketPath(path, socketName);
}

ControlClient::Connection ControlClient::connectedSocket(const QString &socketPath)
{
    UniqueFd socket = connectTo(socketPath);
    if (!socket.isOpen() && errno == EAGAIN)
        socket = connectTo(socketPath, true);
    if (socket.isOpen())
        return {.socket = socket.release()};
    return failedConnection(socketPath, errno);
}

void ControlClient::open(const QString &socketPath)
{
    d->path = socketPath;
    QMetaObject::invokeMethod(this, [this] { d->connectSocket(); }, Qt::QueuedConnection);
}

void ControlClient::open(int socket, const QString &name)
{
    d->path = name;
    d->socket.reset(socket);
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    QMetaObject::invokeMethod(this, [this] { d->begin(); }, Qt::QueuedConnection);
}

void ControlClient::Private::connectSocket()
{
    const Connection connection = connectedSocket(path);
    if (connection.socket < 0) {
        fail(connection.cause, connection.fault);
        return;
    }
    socket.reset(connection.socket);
    begin();
}

void ControlClient::Private::begin()
{
    readable = std::make_unique<QSocketNotifier>(socket.get(), QSocketNotifier::Read);
    writable = std::make_unique<QSocketNotifier>(socket.get(), QSocketNotifier::Write);
    writable->setEnabled(false);
    QObject::connect(readable.get(), &QSocketNotifier::activated, q, [this] { read(); });
    QObject::connect(writable.get(), &QSocketNotifier::activated, q, [this] { flush(); });
    send(makeRequest("0", QLatin1String("hello"),
                     objectJson("client", QLatin1String("rekindle"), "protocols",
                                QList{ControlSession::protocol})));
}

const HostInfo &ControlClient::host() const { return d->host; }

QFuture<ControlResult<HostStatus>> ControlClient::listAgents(const QStringList &agents,
                                                             const QStringList &tags)
{
    return typed<HostStatus>(
        request(QStringLiteral("agents.list"),
                {{QStringLiteral("agents"), QJsonArray::fromStringList(agents)},
                 {QStringLiteral("tags"), QJsonArray::fromStringList(tags)}}));
}

QFuture<ControlResult<AgentStatus>> ControlClient::agent(const QString &name)
{
    return typed<AgentStatus>(
        request(QStringLiteral("agents.get"), {{QStringLiteral("agent"), name}}), "agent");
}

QFuture<ControlResult<AgentExplanation>> ControlClient::explain(const QString &agent, int decisions)
{
    return request(QStringLiteral("agents.explain"),
                   {{QStringLiteral("agent"), agent}, {QStringLiteral("decisions"), decisions}})
        .then([](const Reply &reply) {
            return ControlResult<AgentExplanation>{
                reply ? explanationOf(reply.value) : AgentExplanation(), reply.error};
        });
}

QFuture<ControlResult<OperationResult>>
ControlClient::operate(ControlOperation operation, const QString &agent, const QString &reason)
{
    const QString method = nameOf(controlOperations, operation);
    QJsonObject params{{QStringLiteral("reason"), reason}};
    if (operation >= ControlOperation::ResetBreaker) {
        params[QLatin1String("agent")] = agent;
        return typed<OperationResult>(request(method, params));
    }
    params[QLatin1String("agents")] = QJsonArray{agent};
    return request(method, params).then([](const Reply &reply) {
        return ControlResult<OperationResult>{fromJson<OperationResult>(reply.value[0]),
                                              reply.error};
    });
}

QFuture<ControlResult<QString>> ControlClient::subscribe(const EventSelection &events)
{
    QJsonObject params{{QStringLiteral("from"), events.from},
                       {QStringLiteral("agents"), QJsonArray::fromStringList(events.agents)}};
    if (!events.types.isEmpty())
        params[QLatin1String("types")] = QJsonArray::fromStringList(events.types);
    if (events.untilNow)
        params[QLatin1String("until")] = QStringLiteral("now");
    return typed<QString>(request(QStringLiteral("events.subscribe"), params), "cursor");
}

QFuture<ControlResult<QList<OutputLine>>> ControlClient::readLines(const QString &agent, int most,
                                                                   bool follow)
{
    const QString method = follow ? QStringLiteral("logs.follow") : QStringLiteral("logs.read");
    return typed<QList<OutputLine>>(
        request(method, {{QStringLiteral("agent"), agent}, {QStringLiteral("lines"), most}}),
        "lines");
}

QFuture<Reply> ControlClient::request(const QString &method, const QJsonObject &params)
{
    if (!d->isOpened)
        return readyFuture(notConnected());
    const qint64 id = ++d->lastId;
    QPromise<Reply> &reply = d->replies[id];
    reply.start();
    d->send(makeRequest(QByteArray::number(id), QLatin1String(method.toLatin1()),
                        QJsonDocument(params).toJson(QJsonDocument::Compact)));
    return reply.future();
}

void ControlClient::Private::send(const QByteArray &line)
{
    outgoing.addLine(line);
    flush();
}

void ControlClient::Private::flush()
{
    // If the connection is broken, read() reports that, after what the host has sent before.
    if (socket.isOpen())
        writable->setEnabled(sendQueued(socket.get(), outgoing) == Transfer::Blocked);
}

void ControlClient::Private::read()
{
    QByteArrayView bytes;
    const Transfer received = receiveSome(socket.get(), bytes);
    if (received == Transfer::Blocked)
        return;
    if (received == Transfer::Ended) {
        fail(Cause::ConnectionLost, Words::tr("%1: the host has closed the connection").arg(path));
        return;
    }
    std::vector<FramedLine> lines;
    framer.add(bytes, lines);
    const QPointer<ControlClient> alive(q);
    for (const FramedLine &line : lines) {
        receive(line.bytes);
        if (!alive || !socket.isOpen())
            return; // a slot has deleted the client, or the connection has ended
    }
}

void ControlClient::Private::receive(const QByteArray &line)
{
    const QJsonObject message = QJsonDocument::fromJson(line).object();
    if (message.contains(QLatin1String("method"))) {
        notify(line, message[QLatin1String("method")].toString(),
               message[QLatin1String("params")].toObject());
    } else if (!isOpened) {
        receiveHello(line, message);
    } else if (auto reply = replies.extract(message[QLatin1String("id")].toInteger())) {
        Reply received{.value = message[QLatin1String("result")]};
        if (message.contains(QLatin1String("error")))
            received.error = errorOf(line, message[QLatin1String("error")].toObject());
        reply.mapped().addResult(received);
        reply.mapped().finish();
    }
}

void ControlClient::Private::notify(const QByteArray &line, const QString &method,
                                    const QJsonObject &params) const
{
    const auto text = [&params](const char *key) { return params[QLatin1String(key)].toString(); };
    const qint64 count = params[QLatin1String("count")].toInteger();
    if (method == QLatin1String("event"))
        Q_EMIT q->eventReceived(eventOf(line, params));
    else if (method == QLatin1String("events.gap"))
        Q_EMIT q->eventsMissed(count, text("from"), text("to"));
    else if (method == QLatin1String("events.end"))
        Q_EMIT q->eventsEnded(text("cursor"));
    else if (method == QLatin1String("logs.line"))
        Q_EMIT q->lineReceived(fromJson<OutputLine>(params));
    else if (method == QLatin1String("logs.gap"))
        Q_EMIT q->linesMissed(text("agent"), count);
    else if (method == QLatin1String("bye"))
        Q_EMIT q->closing();
}

// A host that refuses the connection sends an error without an id.
void ControlClient::Private::receiveHello(const QByteArray &line, const QJsonObject &message)
{
    const QString own = Words::tr("this client supports protocol %1").arg(ControlSession::protocol);
    const QJsonObject result = message[QLatin1String("result")].toObject();
    if (const QJsonValue protocol = result[QLatin1String("protocol")]; protocol.isDouble()) {
        if (protocol != QJsonValue(ControlSession::protocol)) {
            fail(Cause::UnsupportedProtocol,
                 Words::tr("%1: %2; the host uses protocol %3")
                     .arg(path, own, protocol.toVariant().toString()));
            return;
        }
        host = fromJson<HostInfo>(result[QLatin1String("host")]);
        host.features = fromJson<QStringList>(result[QLatin1String("features")]);
        isOpened = true;
        Q_EMIT q->opened();
        return;
    }
    if (!message[QLatin1String("error")].isObject()) {
        fail(Cause::ConnectionLost,
             Words::tr("%1: expected the hello of a Rekindle host, found another message")
                 .arg(path));
        return;
    }
    const ControlError error = errorOf(line, message[QLatin1String("error")].toObject());
    const Cause cause = error.code == Code::UnsupportedProtocol ? Cause::UnsupportedProtocol
        : error.code == Code::Forbidden                         ? Cause::NoPermission
        : error.code == Code::Busy                              ? Cause::Busy
                                                                : Cause::ConnectionLost;
    const QString text = cause == Cause::UnsupportedProtocol
        ? own + QLatin1String("; ") + error.message
        : error.message;
    fail(cause, QStringLiteral("%1: %2").arg(path, text));
}

void ControlClient::Private::fail(Cause cause, const QString &message)
{
    isOpened = false;
    for (std::unique_ptr<QSocketNotifier> *each : {&readable, &writable}) {
        if (*each) {
            (*each)->setEnabled(false);
            each->release()->deleteLater(); // it may be emitting
        }
    }
    socket.reset();
    const QPointer<ControlClient> alive(q);
    for (auto &[id, reply] : std::exchange(replies, {})) {
        reply.addResult(notConnected());
        reply.finish();
        if (!alive)
            return;
    }
    Q_EMIT q->failed(cause, message);
}

} // namespace Rekindle
