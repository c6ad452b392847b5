// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpclient.h>

#include <QFuture>
#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// A server that calls go to, whoever keeps it running (spec 9, S0). All of it belongs to the
/// thread of the object.
class REKINDLE_MCP_EXPORT ToolBackend : public QObject
{
    Q_OBJECT

public:
    /// Nothing, or why there is no server.
    using Start = std::optional<McpError>;

    explicit ToolBackend(QObject *parent = nullptr);
    ~ToolBackend() override;

    /// What people call it.
    [[nodiscard]] virtual QString name() const = 0;

    /// The same one through all starts of the server.
    [[nodiscard]] virtual McpClient &client() = 0;

    /// Comes to an end once the handshake of a server that runs is done, at the latest after
    /// `within`. Never blocks. A start that others wait for too goes on when the future is
    /// cancelled.
    virtual QFuture<Start> ensureStarted(Duration within) = 0;

    /// Whether a failed call may have the server started anew (S0's restart_on_exit).
    [[nodiscard]] virtual bool restartsOnExit() const = 0;

    /// Ends the server that runs, if one does, then as ensureStarted(). Calls of others that want
    /// it at the same time share one new server.
    virtual QFuture<Start> respawn(Duration within) = 0;
};

} // namespace Rekindle
