// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

#include <QFutureWatcher>

#include <functional>
#include <optional>
#include <utility>

namespace Rekindle {

/// Detects a server that hangs: a run sends a request. An error of the server counts as a response.
/// `Answer` has an optional member `error` with `kind` and `message`, such as McpAnswer and
/// LspResult.
template<typename Answer>
class RequestProbe : public HealthProbe
{
public:
    /// Sends the request. Returns nothing if there is no session with the server. May be called
    /// after the agent was destroyed.
    using Send = std::function<std::optional<QFuture<Answer>>(Duration timeout)>;

    explicit RequestProbe(Send send, QObject *parent = nullptr)
        : HealthProbe(parent)
        , m_send(std::move(send))
    {
        connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] { answered(); });
    }
    ~RequestProbe() override { cancelRequest(); }

    void start(Duration timeout) override
    {
        if (const std::optional<QFuture<Answer>> request = m_send(timeout))
            m_watcher.setFuture(*request);
        else
            Q_EMIT finished(false, QStringLiteral("there is no session with the server"));
    }
    void cancel() override { cancelRequest(); }

private:
    // Also drops a response that the watcher has not reported yet.
    void cancelRequest()
    {
        QFuture<Answer> request = m_watcher.future();
        m_watcher.setFuture(QFuture<Answer>());
        request.cancel();
    }

    void answered()
    {
        if (m_watcher.isCanceled() || m_watcher.future().resultCount() == 0)
            return;
        const auto error = m_watcher.result().error;
        if (error)
            Q_EMIT finished(error->kind == decltype(error->kind)::Refused, error->message);
        else
            Q_EMIT finished(true, QStringLiteral("pong"));
    }

    const Send m_send;
    QFutureWatcher<Answer> m_watcher;
};

} // namespace Rekindle
