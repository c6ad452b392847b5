// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "contains.h"
#include "waituntil.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTest>

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

    /// Kills the command if it still runs.
    ~CommandRun() override;

    /// Starts the command; returns false if that fails.
    bool begin();

    /// Waits up to four minutes for the exit. Returns the exit code, or -1 if the command crashed
    /// or still runs.
    int end();

    /// Starts the command with a closed stdin and waits for its exit.
    int complete();

    /// Waits up to two minutes until stdout or stderr contains this text.
    bool waitForOutput(const QByteArray &text);
    bool waitForError(const QByteArray &text);

    void signal(int number) const;

    /// Sends a signal, or closes stdin, and waits for the exit. Returns the exit code as end()
    /// does.
    int endBy(int number);
    int endInput();

    /// Sets an environment variable; a null text removes it.
    void setVariable(const char *name, const QString &value = {});
    /// Sets the folder of default stores and state files.
    void setStateFolder(const QString &path) { setVariable("XDG_STATE_HOME", path); }

    /// What was written until now.
    [[nodiscard]] QByteArray output();
    [[nodiscard]] QByteArray error();
    /// The complete lines of output(). While the command runs, the last line may be incomplete.
    [[nodiscard]] QByteArray wholeLines();

private:
    QByteArray m_output;
    QByteArray m_error;
};

/// A run that has started; otherwise the test fails.
class StartedRun : public CommandRun
{
public:
    explicit StartedRun(const QStringList &arguments, const char *file = __builtin_FILE(),
                        int line = __builtin_LINE());
};

/// A shell with these arguments.
class ShellRun : public CommandRun
{
public:
    ShellRun(const char *shell, const QStringList &arguments);
};

/// A run that has completed. The test fails if the exit code is another one.
class CompletedRun : public CommandRun
{
public:
    explicit CompletedRun(const QStringList &arguments, int exitCode = 0,
                          const char *file = __builtin_FILE(), int line = __builtin_LINE());
};

/// Returns the objects in lines of JSON. The test fails if a line is something else.
[[nodiscard]] QList<QJsonObject> jsonLines(const QByteArray &text);

/// The types of the events of one agent, without their common part: "agent.started". Without an
/// agent, those of all: "a agent.started".
[[nodiscard]] QStringList eventTypes(const QByteArray &lines, const QString &agent = {});

/// The data of the events of this type, "agent.started", of one agent or of all.
[[nodiscard]] QList<QJsonObject> eventData(const QByteArray &lines, const char *type,
                                           const QString &agent = {});

/// The texts of a member of these data.
[[nodiscard]] QStringList eventTexts(const QByteArray &lines, const char *type, const char *member,
                                     const QString &agent = {});

/// The processes of all starts, of one agent or of all.
[[nodiscard]] QList<pid_t> startedIn(const QByteArray &lines, const QString &agent = {});

/// A configuration with one chaos agent for each list of its commands, named a, b, c and so on. The
/// agents are ready immediately.
[[nodiscard]] QByteArray configuration(const QList<QStringList> &agents, const QJsonObject &policy);

/// A policy that restarts a failed agent after an hour.
[[nodiscard]] QJsonObject hourlyRetries();

/// Writes a file into a folder; returns its path.
[[nodiscard]] QString writeFile(const QString &folder, const QString &name, const QByteArray &text);

[[nodiscard]] QByteArray readFile(const QString &path);

} // namespace Rekindle
