// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcpclient.h>

#include <QFuture>
#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// A server that a ToolCaller calls (spec 9, S0). The derived class decides when it is started. Use
/// it from the thread it lives in.
class REKINDLE_MCP_EXPORT ToolBackend : public QObject
{
    Q_OBJECT

public:
    /// Nothing, or why there is no server.
    using Start = std::optional<McpError>;

    using QObject::QObject;

    /// Returns the name of the server for people.
    [[nodiscard]] virtual QString name() const = 0;

    /// Returns the client of the server. It is the same object for all starts.
    [[nodiscard]] virtual McpClient &client() = 0;

    /// Waits until the handshake of a running server is done, at most for `within`. Never blocks.
    /// If the future is canceled, a start that others wait for continues.
    virtual QFuture<Start> ensureStarted(Duration within) = 0;

    /// Returns whether a failed call may start the server again.
    [[nodiscard]] virtual bool restartsOnExit() const = 0;

    /// Stops the running server, if any, and then acts as ensureStarted(). Several calls at the
    /// same time share one new server.
    virtual QFuture<Start> respawn(Duration within) = 0;
};

} // namespace Rekindle
