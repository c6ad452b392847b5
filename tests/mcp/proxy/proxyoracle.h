// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/proxy/proxysession_p.h"

#include <QHash>
#include <QSet>

#include <vector>

namespace Rekindle {

/// The rules of ProxySession, checked against everything that goes in and comes out: each request
/// gets exactly one response, and a new server gets the handshake before any request. The property
/// test and the fuzz target share it.
class ProxyOracle
{
public:
    // What goes in, before the session gets it.
    void clientSends(const QByteArray &line);
    void clientSendsTooLong(const QByteArray &ends); ///< the first and last bytes
    void serverStarts();
    void serverSends(const QByteArray &line);
    void serverEnds() { m_isServerThere = false; }

    // What comes out.
    void toClient(const ProxyAction &action);
    void toServer(const QByteArray &line);
    /// The session terminates the server: it must not get anything more.
    void failServer() { m_isServerThere = false; }

    /// At the end, when all requests must have been answered.
    void finish();

    /// The first rule that was broken; nullptr if none was.
    [[nodiscard]] const char *fault() const { return m_fault; }
    [[nodiscard]] int answers() const { return m_answers; }

private:
    void countRequests(const QByteArray &message);
    void check(bool holds, const char *fault);

    const char *m_fault = nullptr;
    int m_answers = 0;
    bool m_isServerThere = false;
    bool m_hasServerAnswered = false; ///< initialize, by the current server
    bool m_wasOpened = false;         ///< the client got a response from such a server
    QSet<MessageId> m_initializeIds;  ///< of requests that the current server got
    QHash<MessageId, int> m_open;     ///< requests of the client, less its responses
    QSet<MessageId> m_cancelled;      ///< may stay without a response
    QSet<MessageId> m_uncertain;      ///< of malformed lines, which may be requests or not
};

/// The id that a line answers; also if it is not strictly valid, as for the session.
[[nodiscard]] MessageId answeredBy(const QByteArray &line);

} // namespace Rekindle
