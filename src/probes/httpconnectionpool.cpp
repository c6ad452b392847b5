// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "httpconnectionpool_p.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Qt's own limit of connections.
constexpr int requestsPerServer = 6;
// Each manager has a thread.
constexpr std::size_t maxManagers = 32;

// As Qt distinguishes servers: https://Host/ and https://host:443/ are the same.
QString serverOf(const QUrl &url)
{
    const QString scheme = url.scheme().toLower();
    const int defaultPort = scheme == QLatin1String("https") ? 443 : 80;
    return QStringLiteral("%1://%2:%3")
        .arg(scheme, url.host(QUrl::FullyEncoded).toLower())
        .arg(url.port(defaultPort));
}

} // namespace

HttpConnectionPool::HttpConnectionPool() = default;
HttpConnectionPool::~HttpConnectionPool() = default;

std::shared_ptr<HttpConnectionPool> HttpConnectionPool::ofThisThread()
{
    static thread_local std::weak_ptr<HttpConnectionPool> current;
    std::shared_ptr<HttpConnectionPool> pool = current.lock();
    if (!pool) {
        pool.reset(new HttpConnectionPool);
        current = pool;
    }
    return pool;
}

QNetworkAccessManager &HttpConnectionPool::Lease::acquire(const QUrl &url)
{
    release();
    if (!m_pool)
        m_pool = ofThisThread();
    m_server = serverOf(url);
    std::vector<Manager> &managers = m_pool->m_managers;
    const auto free = std::ranges::find_if(managers, [this](const Manager &manager) {
        return manager.requests.value(m_server) < requestsPerServer;
    });
    m_index = static_cast<std::size_t>(free - managers.begin());
    if (m_index == maxManagers) {
        m_index = maxManagers - 1; // Qt queues the request there
    } else if (free == managers.end()) {
        managers.push_back({std::make_unique<QNetworkAccessManager>(), {}});
        managers.back().network->setProxy(QNetworkProxy::NoProxy);
    }
    ++managers[m_index].requests[m_server];
    m_isAcquired = true;
    return *managers[m_index].network;
}

void HttpConnectionPool::Lease::release()
{
    if (!std::exchange(m_isAcquired, false))
        return;
    std::vector<Manager> &managers = m_pool->m_managers;
    QHash<QString, int> &requests = managers[m_index].requests;
    if (--requests[m_server] == 0)
        requests.remove(m_server);
    while (managers.size() > 1 && managers.back().requests.isEmpty())
        managers.pop_back();
}

} // namespace Rekindle
