// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "outputchannel_p.h"

#include <rekindle/policy/validation.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <memory>

namespace Rekindle {

/// What the command says itself, on stderr, and what Qt's logging has to say. There is one, from
/// main(); it needs the application, for a slow reader of stderr is waited for in the event loop.
class Messages
{
public:
    Messages();
    ~Messages();
    Q_DISABLE_COPY_MOVE(Messages)

    /// "rekindle: text"
    void say(const QString &text);

    /// One line for each fault, in the order of the file; it begins with its place there, if there
    /// is one.
    void sayFaults(const QList<Fault> &faults, const QString &file);

    /// A whole line as it is, of an agent.
    void write(const QByteArray &line);

    /// While a live table has the terminal, lines without their ends go there instead.
    void divertTo(std::function<void(const QByteArray &line)> target);

    /// The way to stderr, for other lines that must not tear these apart; null if it is closed.
    [[nodiscard]] std::shared_ptr<OutputChannel> channel() const { return m_channel; }

private:
    std::shared_ptr<OutputChannel> m_channel;
    std::function<void(const QByteArray &)> m_diversion;
};

/// In the order of the file; what has no place comes first.
[[nodiscard]] QList<Fault> byPlace(QList<Fault> faults);

/// Writes text to stdout; why that failed, else empty. Blocks: for commands that only print. A
/// reader that has enough and closes the pipe is no failure.
[[nodiscard]] QString writeToStdout(const QByteArray &text);

/// The same; false if it failed, which is then said.
[[nodiscard]] bool print(Messages &messages, const QByteArray &text);

} // namespace Rekindle
