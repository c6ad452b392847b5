// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commandrun.h"

#include <QHash>
#include <QJsonObject>
#include <QJsonValue>

namespace Rekindle {

/// An editor: an MCP client of `rekindle mcp` with the sample server.
class Editor : public CommandRun
{
    Q_OBJECT

public:
    /// `options` are those of rekindle mcp; `server` is a program and its arguments.
    Editor(const QStringList &options, const QStringList &server);

    /// A gateway; the options contain the file with the servers.
    explicit Editor(const QStringList &options);

    void send(const QByteArray &line);

    /// The id, the params and the arguments are JSON text.
    void request(const QByteArray &id, const char *method, const QByteArray &params = {});
    void call(const QByteArray &id, const char *tool, const QByteArray &arguments = "{}");

    /// Sends initialize and notifications/initialized; returns false if there is no result.
    [[nodiscard]] bool openSession();

    /// Starts the command and opens the session.
    [[nodiscard]] bool beginSession() { return begin() && openSession(); }

    /// Waits up to two minutes for the response with this id; otherwise returns an empty object.
    [[nodiscard]] QJsonObject answer(const QByteArray &id);

    /// Sends a request and waits for the response.
    [[nodiscard]] QJsonObject ask(const QByteArray &id, const char *method,
                                  const QByteArray &params = {});
    [[nodiscard]] QJsonObject use(const QByteArray &id, const char *tool,
                                  const QByteArray &arguments = "{}");

    /// Reads the available messages. Returns the number of responses until now.
    int take();

    /// All responses by their ids as JSON text.
    [[nodiscard]] const QHash<QByteArray, QList<QJsonObject>> &answers() const { return m_answers; }
    /// The methods of notifications and requests.
    [[nodiscard]] const QStringList &notifications() const { return m_notifications; }
    /// The ids of the requests among them, as JSON text.
    [[nodiscard]] const QList<QByteArray> &requestIds() const { return m_requestIds; }

    /// The process of the running server, or 0.
    [[nodiscard]] qint64 serverPid() const;

    /// Waits until a server other than `old` runs. Returns its process, or 0 after two minutes.
    [[nodiscard]] qint64 waitForServer(qint64 old = 0);

private:
    QByteArray m_rest;
    int m_answerCount = 0;
    QHash<QByteArray, QList<QJsonObject>> m_answers;
    QStringList m_notifications;
    QList<QByteArray> m_requestIds;
};

/// The text of a tool's result.
[[nodiscard]] QString textOf(const QJsonObject &answer);

/// The message of an error response.
[[nodiscard]] QString errorOf(const QJsonObject &answer);

/// Waits until a process has exited; a zombie counts as exited.
[[nodiscard]] bool waitUntilGone(qint64 pid);

} // namespace Rekindle
