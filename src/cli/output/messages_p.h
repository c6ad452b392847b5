// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "exitcode_p.h"
#include "outputchannel_p.h"

#include <rekindle/json/parsed.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <memory>

namespace Rekindle {

/// Ends a command whose error was reported. main() catches it; a slot must not throw it.
struct CommandFailure
{
    int exitCode = ExitCode::configuration;
};

/// Writes the messages of the command, and Qt's log messages, to stderr. main() creates the only
/// object. It needs the application object, because lines for a slow reader wait in the event loop.
class Messages
{
public:
    Messages();
    ~Messages();
    Q_DISABLE_COPY_MOVE(Messages)

    /// "rekindle: text"
    void say(const QString &text);

    /// The same for an error; returns the exit code.
    int fail(int exitCode, const QString &text)
    {
        say(text);
        return exitCode;
    }

    /// The same; ends the command.
    [[noreturn]] void end(int exitCode, const QString &text)
    {
        throw CommandFailure{fail(exitCode, text)};
    }

    /// Writes a line for each fault, in the order of the file, with its place in `file` in front.
    void sayFaults(const QList<Fault> &faults, const QString &file);

    /// Reports the errors of a file. Returns its value, or ends the command.
    template<typename Value>
    [[nodiscard]] Value &require(Parsed<Value> &parsed)
    {
        sayFaults(parsed.faults, parsed.file);
        if (!parsed)
            throw CommandFailure{};
        return *parsed.value;
    }

    /// Writes a line unchanged, including its end. Returns whether it was written or queued. Lines
    /// that were not are counted, and their number is written before the next line.
    bool write(const QByteArray &line);

    /// Also writes the lines of say() and sayFaults() to this descriptor: all, or those that
    /// cannot be written to stderr. -1 ends this.
    enum class Copies { All, Unwritten };
    void setCopy(int descriptor, Copies copies = Copies::All)
    {
        m_copy = descriptor;
        m_copies = copies;
    }

    /// Passes the lines of say() and sayFaults(), without their ends, to `target` instead of
    /// stderr.
    void divertTo(std::function<void(const QByteArray &line)> target);

    /// The channel to stderr, for lines that must not interleave with these; null if it is closed.
    [[nodiscard]] std::shared_ptr<OutputChannel> channel() const { return m_channel; }

private:
    void sayLine(const QByteArray &line);

    std::shared_ptr<OutputChannel> m_channel;
    std::function<void(const QByteArray &)> m_diversion;
    quint64 m_lost = 0; ///< lines since the last one that was written
    int m_copy = -1;
    Copies m_copies = Copies::All;
};

/// Sorts faults by line and column; faults without a place come first.
[[nodiscard]] QList<Fault> byPlace(QList<Fault> faults);

/// Writes text to stdout and blocks until it is written. Returns the error, or an empty text. A
/// closed pipe is not an error.
[[nodiscard]] QString writeToStdout(const QByteArray &text);

/// The same; reports an error. Returns the exit code.
[[nodiscard]] int print(Messages &messages, const QByteArray &text);

/// The same; an error or a closed pipe ends the command.
void printOrEnd(Messages &messages, const QByteArray &text);

} // namespace Rekindle
