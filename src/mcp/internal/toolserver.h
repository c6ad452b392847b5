// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/mcp/export.h>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace Rekindle {

struct ServedTools;

/// An MCP server that offers tools to a client on two descriptors. Its owner answers the calls.
class REKINDLE_MCP_EXPORT ToolServer : public QObject
{
    Q_OBJECT

public:
    /// `title` is the title of the server. `definitions` are JSON objects, separated by commas, of
    /// the tools with these names.
    ToolServer(int input, int output, Scheduler &scheduler, const QByteArray &title,
               const QByteArray &definitions, const QStringList &names);
    ~ToolServer() override;

    /// Begins to read from the client.
    void start();

    /// Answers a call with a text and a JSON object, which may be empty. Ignored if the call was
    /// cancelled.
    void answer(quint64 call, const QString &text, bool isError, const QByteArray &structured = {});

Q_SIGNALS:
    /// `arguments` is a JSON object. answer() must follow, or cancelled().
    void called(quint64 call, const QString &tool, const QByteArray &arguments);
    void cancelled(quint64 call);

    /// The client has closed the input. ended() follows when all calls are answered.
    void inputEnded();

    /// The session has ended. `fault` is the reason if the output cannot be written; it is empty if
    /// the client has ended the session.
    void ended(const QString &fault);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
