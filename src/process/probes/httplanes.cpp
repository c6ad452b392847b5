// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "httplanes_p.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
// Qt's own limit, a constant of its that cannot be asked for.
constexpr int requestsPerServer = 6;
// Each is a thread of Qt's.
constexpr std::size_t mostLanes = 32;

// By what Qt tells servers apart: https://Host/ and https://host:443/ are one.
QString serverOf(const QUrl &url)
{
    const QString scheme = url.scheme().toLower();
    const int usual = scheme == QLatin1String("https") ? 443 : 80;
    return QStringLiteral("%1://%2:%3")
        .arg(scheme, url.host(QUrl::FullyEncoded).toLower())
        .arg(url.port(usual));
}
} // namespace

HttpLanes::HttpLanes() = default;
HttpLanes::~HttpLanes() = default;

std::shared_ptr<HttpLanes> HttpLanes::ofThisThread()
{
    static thread_local std::weak_ptr<HttpLanes> current;
    std::shared_ptr<HttpLanes> lanes = current.lock();
    if (!lanes) {
        lanes.reset(new HttpLanes);
        current = lanes;
    }
    return lanes;
}

QNetworkAccessManager &HttpLanes::Place::enter(const QUrl &url)
{
    leave();
    if (!m_lanes)
        m_lanes = ofThisThread();
    m_server = serverOf(url);
    std::vector<Lane> &lanes = m_lanes->m_lanes;
    const auto free = std::ranges::find_if(lanes, [this](const Lane &lane) {
        return lane.requests.value(m_server) < requestsPerServer;
    });
    m_lane = static_cast<std::size_t>(free - lanes.begin());
    if (m_lane == mostLanes) {
        m_lane = mostLanes - 1; // Qt lets it wait there
    } else if (free == lanes.end()) {
        lanes.push_back({std::make_unique<QNetworkAccessManager>(), {}});
        lanes.back().network->setProxy(QNetworkProxy::NoProxy);
    }
    ++lanes[m_lane].requests[m_server];
    m_isIn = true;
    return *lanes[m_lane].network;
}

void HttpLanes::Place::leave()
{
    if (!std::exchange(m_isIn, false))
        return;
    std::vector<Lane> &lanes = m_lanes->m_lanes;
    QHash<QString, int> &requests = lanes[m_lane].requests;
    if (--requests[m_server] == 0)
        requests.remove(m_server);
    while (lanes.size() > 1 && lanes.back().requests.isEmpty())
        lanes.pop_back();
}

} // namespace Rekindle
