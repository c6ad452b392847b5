// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/launch/childprocess_p.h"

#include <termios.h>

#include <optional>

namespace Rekindle {

/// The caller's terminal while a child has it: who is in the foreground, and how the terminal was
/// set before. As a shell does it for one job.
class TerminalSession
{
public:
    /// The controlling terminal of this process; nothing if it has none.
    static std::optional<TerminalSession> open();

    /// For a test, which has a terminal of its own.
    explicit TerminalSession(UniqueFd terminal);

    [[nodiscard]] int fd() const { return m_terminal.get(); }

    /// Whether this process has the terminal, and can give it away.
    [[nodiscard]] bool isForeground() const;

    void giveTo(pid_t group) const;

    /// Back to this process, if `group` has it, with the settings that it had.
    void takeBackFrom(pid_t group);

    /// The child was stopped from the keyboard: takes the terminal back and stops this process
    /// too, as the shell that started it expects; when it goes on, the child does, with the
    /// terminal set as the child had it.
    void followStop(const ChildProcess &child);

private:
    [[nodiscard]] std::optional<termios> settings() const;

    UniqueFd m_terminal;
    std::optional<termios> m_settings;      ///< of this process
    std::optional<termios> m_childSettings; ///< of a child that was stopped in the foreground
};

} // namespace Rekindle
