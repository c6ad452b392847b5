// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "servertasks_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "wire/messagewriter_p.h"

namespace Rekindle {

namespace {

constexpr std::size_t maximumTasks = 1000;

// The result of a call that creates a task is small. Others are not searched.
constexpr qsizetype longestResult = qsizetype{16} * 1024;

} // namespace

JsonSpan createdTask(const QByteArray &line, const MessagePeek &peek)
{
    if (line.size() > longestResult)
        return {};
    const bool isTask = jsonMember(line, peek.result, "resultType").of(line) == "\"task\"";
    return isTask ? peek.result : jsonMember(line, peek.result, "task");
}

void ServerTasks::record(const QByteArray &line, const MessagePeek &peek)
{
    const JsonSpan task = createdTask(line, peek);
    const auto id = jsonStringText(jsonMember(line, task, "taskId").of(line));
    if (!id)
        return;
    if (!m_tasks.contains(*id))
        m_order.push_back(*id);
    m_tasks.insert(*id, {task.of(line).toByteArray(), {}});
    if (m_order.size() > maximumTasks) {
        m_tasks.remove(m_order.front());
        m_order.pop_front();
    }
}

void ServerTasks::serverExited(const QString &how)
{
    for (Task &task : m_tasks) {
        if (task.fault.isEmpty())
            task.fault = QStringLiteral("The MCP server %1 before the task was finished").arg(how);
    }
}

std::optional<QByteArray> ServerTasks::failureFor(const ClientRequest &request,
                                                  McpProtocol::Revision revision) const
{
    const auto task = m_tasks.constFind(request.subject);
    if (request.role != ClientRequest::Role::Task || task == m_tasks.cend()
        || task->fault.isEmpty())
        return std::nullopt;
    if (request.method == "tasks/result")
        return makeError(request.id.json(), ErrorCode::internalError, task->fault);
    const QByteArray fault = jsonText(task->fault);
    const JsonSpan whole{0, task->json.size()};
    JsonEdit edit(task->json);
    edit.setMember(whole, "status", "\"failed\"");
    edit.setMember(whole, "statusMessage", fault);
    if (revision == McpProtocol::Revision::Modern) {
        edit.setMember(whole, "resultType", "\"complete\"");
        edit.setMember(whole, "error",
                       R"({"code":)" + QByteArray::number(ErrorCode::internalError)
                           + R"(,"message":)" + fault + '}');
    }
    return makeResult(request.id.json(), edit.result());
}

} // namespace Rekindle
