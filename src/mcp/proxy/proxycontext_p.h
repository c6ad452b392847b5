// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/ownids_p.h"
#include "mcp/restart/restartmarker_p.h"
#include "proxyrefusal_p.h"

#include <rekindle/mcp/toolcaller.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace Rekindle {

struct ProxyOptions
{
    bool inject = true;                ///< offer restart_server and verify_server_restarted
    CallRetry retry = CallRetry::Safe; ///< after the server has exited

    /// Retries of one request that a server has read; 0 to 100. If the next server exits, too, the
    /// request most likely causes it.
    int maximumRetries = 1;

    /// Retries of tool calls after a response that reports a failure, and the breakers of the
    /// tools. A call that is sent again, also after the exit of a server, ends at `deadline`, which
    /// is less than the usual timeout of a client (60 s). The first attempt has no limit;
    /// `attemptTimeout` is not used. Without `random`, all draws are 0.5.
    ToolCallerOptions calls{.deadline = std::chrono::seconds(50)};

    /// From the arrival of a request to its response; no value: unlimited. Requests of a gateway
    /// itself have no timeout.
    std::optional<Duration> callTimeout{};

    Duration holdTime = std::chrono::seconds(20); ///< a request is held at most this long

    /// Until a server has been ready once, requests are refused at once after a crash if the
    /// restart is delayed: a server that fails its first starts is most likely not going to work.
    bool failFastBeforeReady = false;

    /// Held messages and their total size. The same limits apply to calls of injected tools that
    /// wait for the server's list of tools, and to failed calls that wait for a retry, together
    /// with their responses.
    qsizetype maximumHeld = 1000;
    qsizetype maximumHeldBytes = qsizetype{32} * 1024 * 1024;

    /// Requests in flight and their total size, which one more request may exceed.
    qsizetype maximumInFlight = 10000;
    qsizetype maximumInFlightBytes = qsizetype{64} * 1024 * 1024;

    /// A server is replaced after this number of answered tool calls; 0: no limit.
    int recycleAfterCalls = 0;

    /// The server fails if it does not answer a handshake in this time.
    Duration handshakeTimeout = std::chrono::seconds(30);

    /// The first id of the session's own requests. A request of the client with one of these ids is
    /// refused.
    qint64 firstId = OwnIds::usualFirst;
};

/// What a proxy session requests from its host. Actions must be performed in order.
struct ProxyAction
{
    enum class Kind {
        ToClient,          ///< `bytes`: a line without its end
        Refuse,            ///< `refusal`, for the client
        ToServer,          ///< `bytes`: a line without its end
        RequestRestart,    ///< `text`: the reason; `marker`; answer with restartDecided()
        FailServer,        ///< `text` and `failure`: why the running server is unusable; its
                           ///< policy decides
        ReportReady,       ///< the server has completed its handshake, or runs and awaits none
        CallAnswered,      ///< the first result of a call. A handshake and lists do not count
        HandshakeReplayed, ///< `bytes`: the capabilities of the new server, a JSON object
        CallFinished,      ///< `call`, for the record; its `agent` and `time` are not set
        StartSooner,       ///< `text`: why the delay of a planned start does not apply
        WriteMarker,       ///< `marker`, of a restart that was not requested before
        ReadMarker,        ///< answer with markerRead()
        Note,              ///< `text`: for the log
    };

    Kind kind = Kind::Note;
    QByteArray bytes{};
    QString text{};
    RestartMarker marker{};
    ProxyRefusal refusal{};
    FailureReason failure = FailureReason::InitializationFailed;
    std::shared_ptr<const ToolCallFinished> call{};
};

/// What the parts of a proxy session share: options, time, state and the actions.
class ProxyContext
{
public:
    enum class Phase {
        Away,        ///< no server runs
        Replaying,   ///< a new server processes the replayed handshake
        Live,        ///< the server gets the client's messages
        Terminating, ///< the server is being terminated
        Refused,     ///< the server runs and rejected the replayed handshake
    };

    explicit ProxyContext(ProxyOptions theOptions)
        : options(std::move(theOptions))
        , ownIds(options.firstId)
    {
    }

    void toClient(QByteArray line)
    {
        add({ProxyAction::Kind::ToClient, std::move(line), {}, {}, {}});
    }
    void toServer(const QByteArray &line)
    {
        sentBytes += static_cast<quint64>(line.size()) + 1; // with its newline
        add({ProxyAction::Kind::ToServer, line, {}, {}, {}});
    }
    void refuse(ProxyRefusal refusal)
    {
        refusal.revision = revision;
        add({ProxyAction::Kind::Refuse, {}, {}, {}, std::move(refusal)});
    }
    void finishCall(std::shared_ptr<const ToolCallFinished> call)
    {
        add({.kind = ProxyAction::Kind::CallFinished, .call = std::move(call)});
    }
    void note(const QString &text) { add({ProxyAction::Kind::Note, {}, text, {}, {}}); }
    void add(ProxyAction action) { m_actions.push_back(std::move(action)); }
    [[nodiscard]] std::vector<ProxyAction> takeActions() { return std::exchange(m_actions, {}); }

    /// An id for a request of the session itself that `isUsed` does not report as used.
    [[nodiscard]] MessageId newId()
    {
        for (;;) {
            MessageId id = ownIds.next();
            if (!isUsed(id))
                return id;
        }
    }

    /// A server runs and is not being terminated.
    [[nodiscard]] bool canSend() const
    {
        return phase == Phase::Live || phase == Phase::Replaying || phase == Phase::Refused;
    }
    [[nodiscard]] bool isModern() const { return revision == McpProtocol::Revision::Modern; }

    const ProxyOptions options;
    OwnIds ownIds;
    std::function<bool(const MessageId &)> isUsed;
    Instant now{};
    Phase phase = Phase::Away;
    McpProtocol::Revision revision = McpProtocol::Revision::Unknown;
    bool isClientClosed = false;
    quint64 sentBytes = 0; ///< to the current server

private:
    std::vector<ProxyAction> m_actions;
};

} // namespace Rekindle
