// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "outputchannel_p.h"

#include <termios.h>

#include <optional>

namespace Rekindle {

/// Shows frames on the terminal on stdout, without the cursor and the echo of keys. The destructor
/// restores both.
class Terminal
{
public:
    /// Whether stdout is a terminal that can move its cursor.
    [[nodiscard]] static bool isLive();

    /// Whether a descriptor is a terminal.
    [[nodiscard]] static bool isTerminal(int descriptor);

    /// Whether this process has a controlling terminal, whose end sends SIGHUP.
    [[nodiscard]] static bool isControlling();

    /// Whether colors are permitted: NO_COLOR is not set.
    [[nodiscard]] static bool hasColors();

    struct Size
    {
        int columns = 80;
        int rows = 24;
    };
    [[nodiscard]] static Size size();

    /// The width of the terminal on stdout; `usual` if stdout is another file.
    [[nodiscard]] static int columnsOr(int usual);

    /// Takes the terminal. If it is slow, up to `backlog` bytes wait for it.
    explicit Terminal(qsizetype backlog = OutputChannel::defaultBacklog);
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    /// Returns whether the terminal is taken; false if another process is in the foreground.
    bool take();

    /// Writes `last` and all pending output. Also resumes output that Ctrl-S has stopped.
    void release(const QByteArray &last = {});

    void write(const QByteArray &bytes);
    /// If the terminal supports it, shows the whole frame at once.
    void writeFrame(const QByteArray &frame);
    /// Whether it has not read the last frame yet. The next one is to be skipped.
    [[nodiscard]] bool isSlow() const { return m_channel && m_channel->hasBacklog(); }

private:
    const std::unique_ptr<OutputChannel> m_channel; ///< null: stdout is closed
    std::optional<termios> m_before;                ///< while it is taken
};

/// Whether the other end of a pipe or a socket is closed.
[[nodiscard]] bool isUnread(int descriptor);

} // namespace Rekindle
