// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace Rekindle {

[[nodiscard]] inline QString asText(const char *text) { return QString::fromUtf8(text); }
[[nodiscard]] inline QString asText(const QString &text) { return text; }

/// A list of texts from literals and strings.
template<typename... Texts>
[[nodiscard]] QStringList words(const Texts &...texts)
{
    return QStringList{asText(texts)...};
}

/// One run of the command.
class CommandRun : public QProcess
{
    Q_OBJECT

public:
    explicit CommandRun(const QStringList &arguments);

    /// Ends what still runs, hard.
    ~CommandRun() override;

    /// Starts it; false if that fails.
    bool begin();

    /// Waits for its end, up to two minutes; its exit code, -1 if it crashed or did not end.
    int end();

    /// Both.
    int complete();

    /// Waits until stdout or stderr holds this text; up to two minutes.
    bool waitForOutput(const QByteArray &text);
    bool waitForError(const QByteArray &text);

    void signal(int number) const;

    /// All that was written up to now.
    [[nodiscard]] QByteArray output();
    [[nodiscard]] QByteArray error();
    /// Of output() the lines that have an end: while it runs the last one may be on its way.
    [[nodiscard]] QByteArray wholeLines();

private:
    QByteArray m_output;
    QByteArray m_error;
};

/// The objects in text of JSON lines; a test fails where a line is none.
[[nodiscard]] QList<QJsonObject> jsonLines(const QByteArray &text);

/// The types of events without what is the same in all of them, of one agent or all:
/// "agent.started", ...
[[nodiscard]] QStringList eventTypes(const QByteArray &lines, const QString &agent = {});

/// A configuration for a test: one agent for each list of commands of the chaos agent, named a, b,
/// c and so on. Ready at once, stdin and stdout null.
[[nodiscard]] QByteArray configuration(const QList<QStringList> &agents, const QJsonObject &policy);

/// Writes a file into a folder; returns its path.
[[nodiscard]] QString writeFile(const QString &folder, const QString &name, const QByteArray &text);

[[nodiscard]] QByteArray readFile(const QString &path);

} // namespace Rekindle
