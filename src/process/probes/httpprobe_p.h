// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "httplanes_p.h"

#include <rekindle/lifecycle/healthprobe.h>

#include <QUrl>

class QNetworkReply;

namespace Rekindle {

/// Gets a URL; a status from 200 to 399 is good, and a redirection is not followed. No more than
/// 64 KiB of the body are read: the status counts. No proxy, no cookies, no cache, and a new
/// connection each time.
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
    void conclude(bool isWhole);

    QUrl m_url;
    HttpLanes::Place m_place;         // of the current run
    QNetworkReply *m_reply = nullptr; // of the current run
    qint64 m_bytes = 0;
};

} // namespace Rekindle
