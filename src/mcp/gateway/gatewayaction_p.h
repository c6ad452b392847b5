// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/ownids_p.h"
#include "mcp/proxy/clientrequest_p.h"

#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/toolselection.h>

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

namespace Rekindle {

struct GatewayOptions
{
    QStringList servers{}; ///< their names, in the order of the file
    QSet<int> onDemand{};  ///< indexes of servers that are connected when the client needs them
    bool inject = true;    ///< offer restart_server and verify_server_restarted

    /// From a server's handshake, list requests wait at most this long until it has responded or
    /// failed. Most handshakes start at the client's first message.
    Duration listTime = std::chrono::seconds(2);

    /// A server that has not answered initialize after this time has failed, by index.
    QHash<int, Duration> handshakeTimes{};
    static constexpr Duration defaultHandshakeTime = std::chrono::seconds(30);

    /// The policies of the servers, by index: a list request that fails is repeated with their
    /// delays.
    QHash<int, RestartPolicy> policies{};

    /// From the arrival of a request to its response, by index; unlimited if there is no entry.
    QHash<int, Duration> callTimeouts{};

    /// The tools of a server that the client gets, by index; all if there is no entry.
    QHash<int, ToolSelection> tools{};

    /// The first id of the gateway's own requests. A request of the client with one of these ids is
    /// refused.
    qint64 firstId = OwnIds::usualFirst;
};

/// What a gateway session requests from its host. Actions must be performed in order.
struct GatewayAction
{
    enum class Kind {
        ToClient,       ///< `bytes`: a line without its end
        ToServer,       ///< `bytes`, `origin`: a line for the proxy session of `server`
        RestartServer,  ///< `server`, `text`: the reason; answer with restartDecided()
        DescribeServer, ///< `server`; answer at once with serverDescribed()
        FailServer,     ///< `server`, `text`: why it is unusable; its policy decides
        Note,           ///< `text` for the log, about `server` unless that is -1
    };

    Kind kind = Kind::Note;
    int server = -1;
    QByteArray bytes{};
    QString text{};
    RequestOrigin origin = RequestOrigin::Client;
    std::optional<Instant> arrived{}; ///< of ToServer: when the client has sent it, if not now
};

} // namespace Rekindle
