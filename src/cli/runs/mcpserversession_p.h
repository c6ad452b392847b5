// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/watch/filewatch_p.h"
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
    void restart(const QString &reason);

    const QString m_name;
    std::unique_ptr<WatchdogProxy> m_proxy;
    std::unique_ptr<FileWatch> m_files;
    Deadline m_restartLater; ///< for a restart beyond the limit
    QString m_restartReason; ///< its reason
};

} // namespace Rekindle
