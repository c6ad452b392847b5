// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/launch/childprocess_p.h"

#include <termios.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// Job control for one child, as in a shell: which process group has the terminal of this process,
/// and the settings of the terminal.
class TerminalSession
{
public:
    /// Opens the controlling terminal of this process. Null if it has none.
    static std::unique_ptr<TerminalSession> open();

    /// Uses another terminal, in tests.
    explicit TerminalSession(UniqueFd terminal);

    [[nodiscard]] int fd() const { return m_terminal.get(); }

    /// Whether this process is in the foreground.
    [[nodiscard]] bool isForeground() const;

    void giveTo(pid_t group) const;

    /// Takes the terminal back if `group` has it, and restores its settings.
    void takeBackFrom(pid_t group);

    /// To be called when the child was stopped from the keyboard. Takes the terminal back and stops
    /// this process too, as its shell expects. When this process continues, the child continues
    /// with its own settings of the terminal.
    void followStop(ChildProcess &child);

private:
    [[nodiscard]] std::optional<termios> settings() const;

    UniqueFd m_terminal;
    std::optional<termios> m_settings;      ///< of this process
    std::optional<termios> m_childSettings; ///< of a child that was stopped in the foreground
};

} // namespace Rekindle
