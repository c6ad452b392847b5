// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/requestprobe.h>
#include <rekindle/lsp/lspagent.h>

#include "lifecycle/internal/pendingrequests.h"
#include "process/internal/processpipes.h"
#include "wire/contentframer_p.h"
#include "wire/errorcodes_p.h"
#include "wire/messagepeek_p.h"
#include "wire/messagewriter_p.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr qsizetype shownOfMessage = 200; // bytes

// A value that is neither an object nor an array can only be converted within an array.
QByteArray textOf(const QJsonValue &value)
{
    return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact).chopped(1).sliced(1);
}

std::optional<QJsonValue> valueOf(QByteArrayView text)
{
    const QByteArray array = QByteArray(1, '[').append(text).append(']');
    const QJsonDocument document = QJsonDocument::fromJson(array);
    return document.isArray() ? std::optional(document.array().at(0)) : std::nullopt;
}

QByteArray paramsText(const QJsonValue &params)
{
    return params.isObject() || params.isArray() ? textOf(params) : QByteArray();
}

QJsonValue paramsOf(const QByteArray &message, const MessagePeek &peek)
{
    return peek.params.isPresent()
        ? valueOf(peek.params.of(message)).value_or(QJsonValue::Undefined)
        : QJsonValue(QJsonValue::Undefined);
}

LspResult failedResult(LspError::Kind kind, const QString &message)
{
    return {LspError{.kind = kind, .message = message}, {}};
}

LspResult resultOf(const QByteArray &message, const MessagePeek &peek)
{
    const bool isResult = peek.kind == MessagePeek::Kind::Result;
    const JsonSpan place = isResult ? peek.result : peek.error;
    const auto value = place.isPresent() ? valueOf(place.of(message)) : std::nullopt;
    if (isResult && value)
        return {std::nullopt, *value};
    if (!value || !value->isObject())
        return failedResult(LspError::Kind::InvalidAnswer,
                            QStringLiteral("The response is malformed: ") + peek.fault);
    const QJsonObject error = value->toObject();
    return {LspError{.kind = LspError::Kind::Refused,
                     .message = error.value(QLatin1String("message")).toString(),
                     .code = error.value(QLatin1String("code")).toInt(),
                     .data = error.value(QLatin1String("data"))},
            {}};
}

QJsonObject withRequiredMembers(QJsonObject params)
{
    const auto add = [&params](QLatin1String key, const QJsonValue &value) {
        if (!params.contains(key))
            params.insert(key, value);
    };
    add(QLatin1String("processId"), QCoreApplication::applicationPid());
    add(QLatin1String("rootUri"), QJsonValue::Null);
    add(QLatin1String("capabilities"), QJsonObject());
    return params;
}

} // namespace

/// The session with the server of the current start.
class LspAgent::Private
{
public:
    Private(LspAgent &agent, ProcessPipes &processPipes, Scheduler &scheduler,
            LspOptions agentOptions)
        : q(agent)
        , pipes(processPipes)
        , options(std::move(agentOptions))
        , m_requests(scheduler)
        , m_exitLimit(scheduler, [this] { q.ProtocolAgent::stop(); })
    {
    }

    enum class Phase {
        Closed, ///< no process, or one that is being ended
        Initializing,
        Open,
        Stopping, ///< `shutdown` was sent
    };

    void begin();
    void initialize();
    void stop();
    void received(const QByteArray &bytes);
    void closed(const QString &message, const FailureDetail &detail);

    qint64 request(const QString &method, const QJsonValue &params, Duration timeout,
                   const std::function<void(const LspResult &)> &answered,
                   bool isCancellable = true);
    void cancel(qint64 id, LspError::Kind kind, const QString &why);
    bool notify(const QString &method, const QJsonValue &params);
    void respond(qint64 id, const std::function<QByteArray(const QByteArray &id)> &response);

    LspAgent &q;
    ProcessPipes &pipes;
    const LspOptions options;
    Phase phase = Phase::Closed;
    QJsonObject capabilities;

    struct ServerRequest
    {
        QByteArray id; ///< as JSON
        bool isDeferred = false;
    };
    std::map<qint64, ServerRequest> serverRequests;

private:
    struct Details
    {
        bool isCancellable = true;
    };

    bool send(const QByteArray &message);
    void initialized(const LspResult &result);
    void shutDown();
    void handle(const QByteArray &message);
    void handleRequest(const QByteArray &message, const MessagePeek &peek);
    void handleResponse(const QByteArray &message, const MessagePeek &peek);
    void endRequests(const LspError &error);
    void breakOff(const QString &fault);

    PendingRequests<LspResult, Details> m_requests;
    ContentFramer m_framer;
    std::deque<QByteArray> m_inbox; // a slot may run a nested event loop
    Deadline m_exitLimit;
    qint64 m_lastServerRequest = 0;
    bool m_wasOpened = false;
};

void LspAgent::Private::begin()
{
    m_framer = ContentFramer(options.longestMessage);
    m_inbox.clear();
    phase = Phase::Initializing;
}

bool LspAgent::Private::send(const QByteArray &message)
{
    return pipes.send(ContentFramer::header(message.size()), message) >= 0;
}

qint64 LspAgent::Private::request(const QString &method, const QJsonValue &params, Duration timeout,
                                  const std::function<void(const LspResult &)> &answered,
                                  bool isCancellable)
{
    const qint64 id = m_requests.nextId();
    if (!send(makeRequest(QByteArray::number(id), QLatin1String(method.toLatin1()),
                          paramsText(params)))) {
        answered(pipes.isOpen()
                     ? failedResult(LspError::Kind::Busy,
                                    QStringLiteral("Too many bytes are waiting to be written"))
                     : failedResult(LspError::Kind::NotReady,
                                    QStringLiteral("There is no connection to the server")));
        return 0;
    }
    const auto late = [this, id, method, timeout] {
        cancel(id, LspError::Kind::Timeout,
               QStringLiteral("The server did not answer %1 within %2")
                   .arg(method, durationToString(timeout)));
    };
    auto &pending = m_requests.add(id, answered, late, {.isCancellable = isCancellable});
    if (timeout > Duration{0})
        pending.deadline.armIn(timeout);
    return id;
}

void LspAgent::Private::cancel(qint64 id, LspError::Kind kind, const QString &why)
{
    const auto pending = m_requests.take(id);
    if (!pending)
        return;
    if (pending->isCancellable)
        notify(QStringLiteral("$/cancelRequest"), QJsonObject{{QLatin1String("id"), id}});
    pending->answered(failedResult(kind, why));
}

bool LspAgent::Private::notify(const QString &method, const QJsonValue &params)
{
    return send(makeNotification(QLatin1String(method.toLatin1()), paramsText(params)));
}

void LspAgent::Private::initialize()
{
    request(
        QStringLiteral("initialize"), withRequiredMembers(options.initializeParams),
        options.initializeTimeout, [this](const LspResult &result) { initialized(result); }, false);
}

void LspAgent::Private::initialized(const LspResult &result)
{
    if (result.error || !result.result.isObject()) {
        const QString why = result.error
            ? result.error->message
            : QStringLiteral("the response to initialize is not an object");
        q.fail(FailureReason::InitializationFailed,
               QStringLiteral("The LSP handshake failed: ") + why);
        return;
    }
    capabilities = result.result.toObject().value(QLatin1String("capabilities")).toObject();
    notify(QStringLiteral("initialized"), QJsonObject());
    phase = Phase::Open;
    const bool isRestart = std::exchange(m_wasOpened, true);
    const QPointer<LspAgent> alive(&q);
    q.reportReady();
    if (alive && phase == Phase::Open)
        Q_EMIT q.opened(QJsonObject(capabilities), isRestart);
}

void LspAgent::Private::stop()
{
    q.expectStop();
    if (phase == Phase::Open) {
        phase = Phase::Stopping;
        request(
            QStringLiteral("shutdown"), QJsonValue::Undefined, options.shutdownTimeout,
            [this](const LspResult &) { shutDown(); }, false);
        return;
    }
    if (phase == Phase::Initializing)
        notify(QStringLiteral("exit"), QJsonValue::Undefined);
    phase = Phase::Closed;
    m_exitLimit.disarm();
    q.ProtocolAgent::stop();
}

void LspAgent::Private::shutDown()
{
    if (phase != Phase::Stopping)
        return; // it has exited, or is being ended
    notify(QStringLiteral("exit"), QJsonValue::Undefined);
    m_exitLimit.armIn(options.shutdownTimeout);
}

void LspAgent::Private::received(const QByteArray &bytes)
{
    if (phase == Phase::Closed)
        return; // the rest of a server that is being killed
    QByteArrayView rest(bytes);
    while (std::optional<QByteArray> message = m_framer.addBytes(rest))
        m_inbox.push_back(*std::move(message));
    const QString fault = m_framer.fault();
    const QPointer<LspAgent> alive(&q);
    while (!m_inbox.empty()) {
        const QByteArray message = std::move(m_inbox.front());
        m_inbox.pop_front();
        handle(message);
        if (!alive || phase == Phase::Closed)
            return;
    }
    if (!fault.isEmpty() && m_framer.fault() == fault)
        breakOff(fault);
}

void LspAgent::Private::handle(const QByteArray &message)
{
    const MessagePeek peek = MessagePeek::at(message);
    if (peek.kind == MessagePeek::Kind::Request) {
        handleRequest(message, peek);
    } else if (peek.kind == MessagePeek::Kind::Notification) {
        if (peek.method != "$/cancelRequest")
            Q_EMIT q.notificationReceived(QString::fromUtf8(peek.method), paramsOf(message, peek));
    } else if (peek.isResponse()) {
        handleResponse(message, peek);
    } else if (peek.kind == MessagePeek::Kind::NotMessage && peek.method.isEmpty()
               && peek.idValue.isPresent()) {
        handleResponse(message, lenientResponse(message, peek));
    } else {
        breakOff(QStringLiteral("expected a JSON-RPC message, found ")
                 + QString::fromUtf8(message.left(shownOfMessage)));
    }
}

void LspAgent::Private::handleRequest(const QByteArray &message, const MessagePeek &peek)
{
    const qint64 id = ++m_lastServerRequest;
    const QString method = QString::fromUtf8(peek.method);
    serverRequests.insert_or_assign(id, ServerRequest{peek.id.json()});
    const QPointer<LspAgent> alive(&q);
    Q_EMIT q.requestReceived(id, method, paramsOf(message, peek));
    if (!alive)
        return;
    const auto unanswered = serverRequests.find(id);
    if (unanswered != serverRequests.end() && !unanswered->second.isDeferred)
        q.reject(id, ErrorCode::methodNotFound,
                 QStringLiteral("This client does not support ") + method);
}

void LspAgent::Private::handleResponse(const QByteArray &message, const MessagePeek &peek)
{
    if (peek.id.type() != MessageId::Type::Integer)
        return; // this client uses only integers
    if (const auto pending = m_requests.take(peek.id.json().toLongLong()))
        pending->answered(resultOf(message, peek));
}

void LspAgent::Private::respond(qint64 id,
                                const std::function<QByteArray(const QByteArray &id)> &response)
{
    if (const auto request = serverRequests.extract(id))
        send(response(request.mapped().id));
}

void LspAgent::Private::breakOff(const QString &fault)
{
    if (phase == Phase::Closed || phase == Phase::Stopping)
        return;
    const FailureReason reason = phase == Phase::Initializing ? FailureReason::InitializationFailed
                                                              : FailureReason::ProcessCrash;
    phase = Phase::Closed;
    const QString message =
        QStringLiteral("The server violated the Language Server Protocol: ") + fault;
    const QPointer<LspAgent> alive(&q);
    q.fail(reason, message);
    if (alive)
        endRequests({.kind = LspError::Kind::Lost, .message = message});
}

void LspAgent::Private::endRequests(const LspError &error)
{
    m_inbox.clear();
    serverRequests.clear();
    // A slot may start the next server.
    std::vector<std::unique_ptr<PendingRequests<LspResult, Details>::Request>> lost;
    while (!m_requests.isEmpty())
        lost.push_back(m_requests.takeOldest());
    const QPointer<LspAgent> alive(&q);
    for (const auto &request : lost) {
        if (alive)
            request->answered({error, {}});
    }
}

void LspAgent::Private::closed(const QString &message, const FailureDetail &detail)
{
    phase = Phase::Closed;
    m_exitLimit.disarm();
    const QPointer<LspAgent> alive(&q);
    // A host can have several servers.
    const QString server = QFileInfo(q.definition().program).fileName();
    endRequests({.kind = LspError::Kind::Lost,
                 .message = QStringLiteral("%1: %2").arg(server, message),
                 .process = detail});
    if (alive)
        q.failDisconnected();
}

LspAgent::LspAgent(ProcessDefinition definition, Scheduler &scheduler, LspOptions options,
                   QObject *parent)
    : ProtocolAgent(QStringLiteral("LSP"), std::move(definition), scheduler, parent)
    , d(std::make_unique<Private>(*this, pipes(), scheduler, std::move(options)))
{
    pipes().setMaxQueued(maxQueued);
    connect(&pipes(), &ProcessPipes::opened, this, [this] { d->begin(); });
    connect(&pipes(), &ProcessPipes::received, this,
            [this](const QByteArray &bytes) { d->received(bytes); });
    connect(&pipes(), &ProcessPipes::closed, this,
            [this](const QString &message, const FailureDetail &detail) {
                d->closed(message, detail);
            });
}

LspAgent::~LspAgent() = default;

QList<Fault> LspAgent::faults() const
{
    QList<Fault> faults = ProtocolAgent::faults();
    const LspOptions &options = d->options;
    const auto expectPositive = [&faults](const QString &path, Duration time) {
        if (time <= Duration{0})
            faults.append(
                {path,
                 QStringLiteral("expected more than 0s, found %1").arg(durationToString(time))});
    };
    expectPositive(QStringLiteral("/initializeTimeout"), options.initializeTimeout);
    expectPositive(QStringLiteral("/shutdownTimeout"), options.shutdownTimeout);
    if (options.longestMessage < 1)
        faults.append(
            {QStringLiteral("/longestMessage"),
             QStringLiteral("expected at least 1, found %1").arg(options.longestMessage)});
    if (options.ping) {
        for (Fault fault : validate(*options.ping)) {
            fault.path.prepend(QStringLiteral("/ping"));
            faults.append(fault);
        }
    }
    return faults;
}

void LspAgent::handshake() { d->initialize(); }

void LspAgent::stop() { d->stop(); }

std::vector<HealthCheck> LspAgent::ownHealthChecks()
{
    std::vector<HealthCheck> checks = ProtocolAgent::ownHealthChecks();
    if (!d->options.ping)
        return checks;
    // LSP: "if a server receives a request that starts with '$/', it must error the request".
    const auto ping = [agent = QPointer(this)](Duration timeout) {
        return agent && agent->isOpen()
            ? std::optional(agent->request(QStringLiteral("$/ping"), {}, timeout))
            : std::nullopt;
    };
    checks.push_back({QStringLiteral("lsp-ping"), *d->options.ping,
                      std::make_unique<RequestProbe<LspResult>>(ping)});
    return checks;
}

bool LspAgent::isOpen() const { return d->phase == Private::Phase::Open; }

QJsonObject LspAgent::capabilities() const { return d->capabilities; }

QFuture<LspResult> LspAgent::request(const QString &method, const QJsonValue &params,
                                     Duration timeout)
{
    const auto send = [&](const std::function<void(const LspResult &)> &answered) -> qint64 {
        if (isOpen())
            return d->request(method, params, timeout, answered);
        answered(failedResult(LspError::Kind::NotReady, QStringLiteral("The server is not ready")));
        return 0;
    };
    return futureAnswer<LspResult, LspResult>(*this, send, [this](qint64 id) {
        d->cancel(id, LspError::Kind::Cancelled, QStringLiteral("The caller canceled the request"));
    });
}

bool LspAgent::notify(const QString &method, const QJsonValue &params)
{
    return isOpen() && d->notify(method, params);
}

void LspAgent::respond(qint64 id, const QJsonValue &result)
{
    d->respond(id, [&](const QByteArray &json) { return makeResult(json, textOf(result)); });
}

void LspAgent::reject(qint64 id, int code, const QString &message)
{
    d->respond(id, [&](const QByteArray &json) { return makeError(json, code, message); });
}

void LspAgent::deferResponse(qint64 id)
{
    if (const auto request = d->serverRequests.find(id); request != d->serverRequests.end())
        request->second.isDeferred = true;
}

} // namespace Rekindle
