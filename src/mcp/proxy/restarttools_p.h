// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "listwatch_p.h"
#include "requestqueue_p.h"

#include <vector>

namespace Rekindle {

/// Restarts on request, and the two injected tools that request and verify them. A tool of the
/// server with the same name takes precedence; calls are held until the server's tools are known.
class RestartTools
{
public:
    RestartTools(ProxyContext &context, ServerHistory &history, ListWatch &lists);

    /// The definitions of the tools that are offered, as JSON separated by commas.
    [[nodiscard]] QByteArray definitions() const;
    /// Answers or holds a call, or returns false if it is for the server.
    [[nodiscard]] bool call(const ClientRequest &request);

    /// Only one request is open at a time; calls share its decision.
    void requestRestart(const QString &reason, const QString &method,
                        std::optional<MessageId> call = {});
    /// The running server is about to be replaced by another one.
    [[nodiscard]] bool isRestartComing() const;
    /// The host decided. Returns whether a start follows: not if the restart was refused, or if a
    /// server has started since the request.
    [[nodiscard]] bool restartDecided(bool isAccepted);
    void markerRead(const MarkerReading &reading);

    /// Calls that are not answered.
    [[nodiscard]] qsizetype openCount() const;

    RequestQueue held; ///< calls that wait for the server's list of tools

private:
    struct RestartRequest
    {
        RestartMarker marker{}; ///< without its time
        bool wasAway = false;   ///< no server ran when it was requested
        QString whyGivenUp{};   ///< why no start was planned then
        std::vector<MessageId> calls{};
    };

    struct VerifyCall
    {
        MessageId id{};
        UtcTime since{};
    };

    [[nodiscard]] bool offers(const char *tool) const;
    void hold(ClientRequest request);
    void callRestart(const ClientRequest &request, const MessagePeek &peek);
    void callVerify(const ClientRequest &request, const MessagePeek &peek);
    void answer(const MessageId &id, const QString &text, bool isError);

    ProxyContext &m_context;
    ServerHistory &m_history;
    ListWatch &m_lists;
    std::optional<RestartRequest> m_restart; ///< not decided yet
    std::vector<VerifyCall> m_verifyCalls;   ///< that wait for the marker
};

} // namespace Rekindle
