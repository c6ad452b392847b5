// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "clientrequest_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"

#include <QHash>

#include <deque>
#include <optional>

namespace Rekindle {

/// Finds the task in the result of a call. Absent if the call has created none.
[[nodiscard]] JsonSpan createdTask(const QByteArray &line, const MessagePeek &peek);

/// Records the tasks that servers create for calls. A task usually ends with the process of its
/// server. If the next process does not know it, the task has failed. Handles the tasks of revision
/// 2025-11-25 and of the extension `io.modelcontextprotocol/tasks`.
class ServerTasks
{
public:
    /// Records the task in the result of a call, if there is one.
    void record(const QByteArray &line, const MessagePeek &peek);

    /// `how` describes the exit of the server: "was terminated by SIGKILL".
    void serverExited(const QString &how);

    /// The server has answered a request about a task with an error. Returns the response for the
    /// client; no value if the task is not one of a server that has exited.
    [[nodiscard]] std::optional<QByteArray> failureFor(const ClientRequest &request,
                                                       McpProtocol::Revision revision) const;

private:
    struct Task
    {
        QByteArray json{}; ///< as the server wrote it
        QString fault{};   ///< empty while its server runs
    };

    QHash<QByteArray, Task> m_tasks; ///< by id, unescaped
    std::deque<QByteArray> m_order;  ///< their ids; the oldest is removed first
};

} // namespace Rekindle
