// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <termios.h>

#include <optional>

namespace Rekindle {

class OutputChannel;

/// Hides the cursor and the echo of keys of the terminal on stdout. The destructor restores both.
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

    /// Writes to this channel, which may be null, so that the order of all output is kept.
    explicit Terminal(OutputChannel *channel);
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    /// Returns whether the terminal is taken; false if another process is in the foreground.
    bool take();

    /// Also resumes output that Ctrl-S has stopped. Finish the channel afterwards.
    void release();

private:
    OutputChannel *const m_channel;
    std::optional<termios> m_before; ///< while it is taken
};

/// Whether the other end of a pipe or a socket is closed.
[[nodiscard]] bool isUnread(int descriptor);

} // namespace Rekindle
