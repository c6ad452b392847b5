// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "heldrequests_p.h"
#include "listwatch_p.h"

namespace Rekindle {

/// Finds out which tools the server has if the client does not list them: a call may only be
/// retried if its tool permits it, and an injected tool must not hide a tool of the server. Calls
/// with the name of an injected tool wait for the result.
class ToolsLookup
{
public:
    ToolsLookup(ProxyContext &context, ListWatch &lists);

    /// Lists the tools after the settle time, unless the client does so before. Nothing happens if
    /// the server cannot list them now, as `canList` says.
    void schedule(bool canList);
    void request(bool canList);
    /// Returns whether there was room for the call.
    [[nodiscard]] bool hold(ClientRequest call);
    /// Returns whether the call was held.
    bool cancel(const MessageId &id) { return m_held.cancel(id); }

    void serverStarted();
    /// The tools are known, or will not be. Returns the held calls.
    [[nodiscard]] std::vector<ClientRequest> settle();
    [[nodiscard]] bool isSettled() const { return m_isSettled; }

    [[nodiscard]] qsizetype heldCount() const { return m_held.requestCount(true); }
    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    /// Returns whether held calls must not wait any longer.
    [[nodiscard]] bool timePassed(bool canList);

private:
    ProxyContext &m_context;
    ListWatch &m_lists;
    HeldRequests m_held;
    std::optional<Instant> m_requestAt;
    bool m_isRequested = false; ///< from this server
    bool m_isSettled = false;
};

} // namespace Rekindle
