// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "httpconnectionpool_p.h"

#include <rekindle/lifecycle/healthprobe.h>

#include <QUrl>

class QNetworkReply;

namespace Rekindle {

/// Gets a URL. A status from 200 to 399 is a success; redirections are not followed. At most 64 KiB
/// of the body are read. Each run uses a new connection, without proxy, cookies or cache.
class HttpProbe final : public HealthProbe
{
    Q_OBJECT

public:
    explicit HttpProbe(QUrl url);
    ~HttpProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private:
    void read();
    void conclude(bool isComplete);

    QUrl m_url;
    HttpConnectionPool::Lease m_lease; // of the current run
    QNetworkReply *m_reply = nullptr;  // of the current run
    qint64 m_bytes = 0;
};

} // namespace Rekindle
