// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/watch/watchedagents_p.h"
#include "mcpsession_p.h"

namespace Rekindle {

/// One MCP server behind the watchdog proxy.
class McpServerSession : public McpSession
{
    Q_OBJECT

public:
    McpServerSession(const McpRequest &request, Messages &messages);

private:
    [[nodiscard]] QList<UsedFile> otherFiles() const override;
    [[nodiscard]] int prepare() override;
    void begin() override { m_proxy->begin(); }
    void end() override { m_proxy->end(); }

    [[nodiscard]] bool watchFiles();

    const QString m_name;
    std::unique_ptr<WatchdogProxy> m_proxy;
    std::unique_ptr<WatchedAgents> m_watched;
};

} // namespace Rekindle
