// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commandrun.h"

#include <QHash>
#include <QJsonObject>
#include <QJsonValue>

namespace Rekindle {

/// Plays the editor: a client of `rekindle mcp`, which stands before the sample server.
class Editor : public CommandRun
{
    Q_OBJECT

public:
    /// `options` of rekindle mcp, then `server` with its options.
    Editor(const QStringList &options, const QStringList &server);

    /// The gateway, with a file of servers among the options.
    explicit Editor(const QStringList &options);

    void send(const QByteArray &line);

    /// The id is JSON text; params too.
    void request(const QByteArray &id, const char *method, const QByteArray &params = {});
    void call(const QByteArray &id, const char *tool, const QByteArray &arguments = "{}");

    /// Initialize and notifications/initialized; false if it did not go well.
    [[nodiscard]] bool openSession();

    /// Waits, up to two minutes, for the answer with this id; a null value if none comes.
    [[nodiscard]] QJsonObject answer(const QByteArray &id);

    /// Request and answer.
    [[nodiscard]] QJsonObject ask(const QByteArray &id, const char *method,
                                  const QByteArray &params = {});
    [[nodiscard]] QJsonObject use(const QByteArray &id, const char *tool,
                                  const QByteArray &arguments = "{}");

    /// Takes in what has come; how many answers there have been.
    int take();

    /// All answers by their ids as JSON text.
    [[nodiscard]] const QHash<QByteArray, QList<QJsonObject>> &answers() const { return m_answers; }
    /// The methods of notifications and requests.
    [[nodiscard]] const QStringList &notifications() const { return m_notifications; }
    /// The ids of the requests among them, as JSON text.
    [[nodiscard]] const QList<QByteArray> &requestIds() const { return m_requestIds; }

    /// Of the server that runs; 0 if there is none.
    [[nodiscard]] qint64 serverPid() const;

    /// Waits until one runs that is not `old`.
    [[nodiscard]] qint64 waitForServer(qint64 old = 0);

private:
    QByteArray m_rest;
    int m_answerCount = 0;
    QHash<QByteArray, QList<QJsonObject>> m_answers;
    QStringList m_notifications;
    QList<QByteArray> m_requestIds;
};

/// The text of a tool's answer.
[[nodiscard]] QString textOf(const QJsonObject &answer);

/// Waits until no process of that id is there, zombies apart.
[[nodiscard]] bool waitUntilGone(qint64 pid);

} // namespace Rekindle
