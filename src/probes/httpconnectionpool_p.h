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

/// Spreads the HTTP requests of a thread over several QNetworkAccessManagers. One manager has at
/// most six connections to a server and queues further requests, also behind servers that never
/// answer. A seventh request gets the next manager, which has a thread of its own. There are at
/// most 32 managers; requests that exceed them are queued in the last one.
class HttpConnectionPool
{
public:
    static std::shared_ptr<HttpConnectionPool> ofThisThread();
    ~HttpConnectionPool();
    Q_DISABLE_COPY_MOVE(HttpConnectionPool)

    /// Holds a connection for one request at a time.
    class Lease
    {
    public:
        Lease() = default;
        ~Lease() { release(); }
        Q_DISABLE_COPY_MOVE(Lease)

        /// Releases the connection of an earlier request.
        [[nodiscard]] QNetworkAccessManager &acquire(const QUrl &url);
        /// Deletes unused managers with all replies that belong to them.
        void release();

    private:
        std::shared_ptr<HttpConnectionPool> m_pool; // from the first acquire() on
        QString m_server;
        std::size_t m_index = 0;
        bool m_isAcquired = false;
    };

private:
    HttpConnectionPool();

    struct Manager
    {
        std::unique_ptr<QNetworkAccessManager> network;
        QHash<QString, int> requests; ///< by server
    };
    std::vector<Manager> m_managers;
};

} // namespace Rekindle
