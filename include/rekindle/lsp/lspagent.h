// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lsp/lspresult.h>
#include <rekindle/policy/healthschedule.h>
#include <rekindle/process/protocolagent.h>

#include <QFuture>
#include <QJsonObject>

#include <memory>
#include <optional>

namespace Rekindle {

/// How an LspAgent initializes, checks and stops its server.
struct LspOptions
{
    /// The parameters of `initialize`, for example `rootUri` and `capabilities`. `processId` is
    /// added if it is missing, and so are the required members `rootUri` (null) and `capabilities`.
    QJsonObject initializeParams{};

    /// Time for the response to `initialize`; more than 0.
    Duration initializeTimeout = std::chrono::seconds(30);

    /// Time for the response to `shutdown`, and again for the exit after `exit`; more than 0.
    Duration shutdownTimeout = std::chrono::seconds(2);

    /// When the server is pinged; empty: never. The ping is the request `$/ping`, to which every
    /// server must respond, usually with an error. Some servers do not respond while they are busy.
    /// `lastChance` must be longer than that time.
    std::optional<HealthSchedule> ping =
        HealthSchedule{.timeout = std::chrono::seconds(5), .lastChance = std::chrono::seconds(30)};

    /// The maximum size of a message from the server, in bytes; at least 1. A longer message is a
    /// failure.
    qsizetype longestMessage = qsizetype{64} * 1024 * 1024;
};

/// Runs a server of the Language Server Protocol on stdio as an agent. It is ready after
/// `initialize`. stop() sends `shutdown` and `exit`. If the process does not exit, the stop
/// sequence of the definition follows. An invalid message is a failure of the server. Everything
/// else is as in ProcessAgent.
///
/// After each start, opened() is emitted. The host then opens its documents, because a restarted
/// server has no open documents.
///
/// Use it from the thread it lives in. Any method may be called from any slot, and the agent may be
/// deleted there.
class REKINDLE_LSP_EXPORT LspAgent : public ProtocolAgent
{
    Q_OBJECT

public:
    /// Creates the agent. stdin and stdout of `definition` are always pipes, and its readiness is
    /// always the response to `initialize`. `scheduler` must outlive the agent.
    LspAgent(ProcessDefinition definition, Scheduler &scheduler, LspOptions options = {},
             QObject *parent = nullptr);
    ~LspAgent() override;

    /// Returns the faults of the definition and of the options.
    [[nodiscard]] QList<Fault> faults() const override;

    /// Begins with `shutdown`. A second call begins the stop sequence of the definition.
    void stop() override;

    /// The probes of ProcessDefinition::health, and the ping (`lsp-ping`).
    [[nodiscard]] std::vector<HealthCheck> ownHealthChecks() override;

    /// Returns whether the server is initialized and not stopping, so that requests can be sent.
    [[nodiscard]] bool isOpen() const;

    /// Returns the capabilities that the server reported when it was last initialized.
    [[nodiscard]] QJsonObject capabilities() const;

    /// Sends a request. `params` is an object or an array; otherwise the request has none. With a
    /// `timeout` of 0, there is no timeout. Never blocks. The future contains an LspResult or is
    /// canceled. If there is no open server, it contains an error at once; if the server exits, it
    /// contains the error Lost. QFuture::cancel() may be called from any thread; it sends
    /// `$/cancelRequest`.
    QFuture<LspResult> request(const QString &method,
                               const QJsonValue &params = QJsonValue::Undefined,
                               Duration timeout = Duration{0});

    /// The greatest number of bytes that wait until the server reads them. One message may be
    /// larger.
    static constexpr qsizetype maxQueued = qsizetype{256} * 1024 * 1024;

    /// Sends a notification. Returns false if it was not sent: there is no open server, or more
    /// than maxQueued bytes would be waiting. The server then has an old document: restart it, or
    /// send the document again later.
    bool notify(const QString &method, const QJsonValue &params = QJsonValue::Undefined);

    // Respond to a request of requestReceived(). Ignored if the request already has a response, or
    // if its server has exited.
    void respond(qint64 id, const QJsonValue &result = QJsonValue::Null);
    void reject(qint64 id, int code, const QString &message);
    /// Call it in a slot of requestReceived() to call respond() or reject() later.
    void deferResponse(qint64 id);

Q_SIGNALS:
    /// The server is initialized, and the host can open its documents. Emitted once for each start,
    /// after ready(). `isRestart` is false only for the first time.
    void opened(const QJsonObject &capabilities, bool isRestart);

    /// A notification from the server, except `$/cancelRequest`.
    void notificationReceived(const QString &method, const QJsonValue &params);

    /// A request from the server. `id` is unique over all starts and requests. If no slot has
    /// called respond(), reject() or deferResponse() when the signal returns, the request is
    /// rejected with MethodNotFound (-32601). Therefore, use a direct connection.
    void requestReceived(qint64 id, const QString &method, const QJsonValue &params);

private:
    void handshake() override;

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
