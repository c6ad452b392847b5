// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lsp/lspagent.h>

#include <QFutureWatcher>
#include <QPointer>

namespace Rekindle {

/// Detects a language server that hangs. An error counts as a response.
class LspPingProbe final : public HealthProbe
{
    Q_OBJECT

public:
    explicit LspPingProbe(LspAgent &agent);
    ~LspPingProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private:
    void answered();

    QPointer<LspAgent> m_agent; ///< destroyed before its probes
    QFutureWatcher<LspResult> m_watcher;
};

} // namespace Rekindle
