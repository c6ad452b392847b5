// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>

#include <memory>
#include <vector>

class QNetworkAccessManager;
class QUrl;

namespace Rekindle {

/// Lets no HTTP request of a thread wait for another one. A QNetworkAccessManager has at most six
/// connections at a time to one scheme, host and port, and what is asked beyond that waits: behind
/// servers that never answer. So whoever would be the seventh gets the next lane, which is another
/// such object, with the thread that Qt gives to each. There are at most 32; what finds no room in
/// them waits in the last one.
class HttpLanes
{
public:
    static std::shared_ptr<HttpLanes> ofThisThread();
    ~HttpLanes();
    Q_DISABLE_COPY_MOVE(HttpLanes)

    /// A request; it has its place until leave(). At most one of each.
    class Place
    {
    public:
        Place() = default;
        ~Place() { leave(); }
        Q_DISABLE_COPY_MOVE(Place)

        [[nodiscard]] QNetworkAccessManager &enter(const QUrl &url);
        /// Deletes lanes that nobody needs now, with all replies that belong to them.
        void leave();

    private:
        std::shared_ptr<HttpLanes> m_lanes; // from the first enter() on, kept for the next
        QString m_server;
        std::size_t m_lane = 0;
        bool m_isIn = false;
    };

private:
    HttpLanes();

    struct Lane
    {
        std::unique_ptr<QNetworkAccessManager> network;
        QHash<QString, int> requests; ///< by server
    };
    std::vector<Lane> m_lanes;
};

} // namespace Rekindle
