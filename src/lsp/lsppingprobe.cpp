// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lsppingprobe_p.h"

namespace Rekindle {

LspPingProbe::LspPingProbe(LspAgent &agent)
    : m_agent(&agent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &LspPingProbe::answered);
}

LspPingProbe::~LspPingProbe() { cancel(); }

// LSP: "if a server receives a request that starts with '$/', it must error the request".
void LspPingProbe::start(Duration timeout)
{
    if (m_agent && m_agent->isOpen())
        m_watcher.setFuture(m_agent->request(QStringLiteral("$/ping"), {}, timeout));
    else
        Q_EMIT finished(false, QStringLiteral("the server is not initialized"));
}

// Also drops a response that the watcher has not reported yet.
void LspPingProbe::cancel()
{
    QFuture<LspResult> request = m_watcher.future();
    m_watcher.setFuture(QFuture<LspResult>());
    request.cancel();
}

void LspPingProbe::answered()
{
    if (m_watcher.isCanceled() || m_watcher.future().resultCount() == 0)
        return;
    const std::optional<LspError> error = m_watcher.result().error;
    if (!error || error->kind == LspError::Kind::Refused)
        Q_EMIT finished(true, QStringLiteral("pong"));
    else
        Q_EMIT finished(false, error->message);
}

} // namespace Rekindle
