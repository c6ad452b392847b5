// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxyaction_p.h"
#include "proxyoptions_p.h"

#include <functional>
#include <vector>

namespace Rekindle {

/// What the parts of a proxy session share: options, time, state and the actions.
class ProxyContext
{
public:
    enum class Phase {
        Away,      ///< no server runs
        Replaying, ///< a new server processes the replayed handshake
        Live,      ///< the server gets the client's messages
        Leaving,   ///< the server is being terminated
        Refused,   ///< the server runs and rejected the replayed handshake
    };

    explicit ProxyContext(ProxyOptions theOptions)
        : options(std::move(theOptions))
    {
    }

    void toClient(QByteArray line);
    void toServer(const QByteArray &line);
    void refuse(ProxyRefusal refusal);
    void note(const QString &text);
    void add(ProxyAction action) { m_actions.push_back(std::move(action)); }
    [[nodiscard]] std::vector<ProxyAction> takeActions();

    /// An id for a request of the session itself that `isUsed` does not report as used.
    [[nodiscard]] MessageId newId();

    /// A server runs and can be sent messages.
    [[nodiscard]] bool canSend() const
    {
        return phase == Phase::Live || phase == Phase::Replaying || phase == Phase::Refused;
    }
    [[nodiscard]] bool isModern() const { return revision == ProtocolRevision::Modern; }

    const ProxyOptions options;
    std::function<bool(const MessageId &)> isUsed;
    Instant now{};
    Phase phase = Phase::Away;
    ProtocolRevision revision = ProtocolRevision::Unknown;
    bool isClientClosed = false;
    quint64 sentBytes = 0; ///< to the current server

private:
    std::vector<ProxyAction> m_actions;
    quint64 m_ownIds = 0;
};

} // namespace Rekindle
