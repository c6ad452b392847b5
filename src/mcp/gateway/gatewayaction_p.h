// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QSet>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// How a gateway session goes about it.
struct GatewayOptions
{
    QStringList servers{}; ///< their names, in the order of the file
    QSet<int> onDemand{};  ///< of them, which are not greeted before the client needs them
    bool inject = true;    ///< offer restart_server and verify_server_restarted

    /// For so long after a server is greeted lists wait for it, if it has neither answered nor
    /// failed yet. Most are greeted at the client's first message.
    Duration listTime = std::chrono::seconds(2);

    /// For so long calls of what nobody else has wait for one on demand that comes up.
    Duration callTime = std::chrono::seconds(20);

    /// A server that has not answered initialize by then has failed.
    Duration handshakeTime = std::chrono::seconds(30);

    /// In the ids of the gateway's own requests; nothing that a client or a server would use.
    QByteArray nonce = QByteArrayLiteral("gateway");
};

/// What a gateway session wants done, in order.
struct GatewayAction
{
    enum class Kind {
        ToClient,       ///< `bytes`: a line without its end
        ToServer,       ///< `server`, `bytes`: what the proxy session of that server gets from
                        ///< its client
        RestartServer,  ///< `server`, `text`: why; tell restartDecided() at once
        DescribeServer, ///< `server`; tell serverDescribed() at once
        FailServer,     ///< `server`, `text`: why. It is of no use; its policy decides
        Note,           ///< `text`, and `server` or -1: for the log
    };

    Kind kind = Kind::Note;
    int server = -1;
    QByteArray bytes{};
    QString text{};

    bool operator==(const GatewayAction &) const = default;
};

} // namespace Rekindle
