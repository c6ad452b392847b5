// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminalsession_p.h"

#include "base/signalblock_p.h"

#include <fcntl.h>

#include <csignal>
#include <utility>

namespace Rekindle {

std::unique_ptr<TerminalSession> TerminalSession::open()
{
    UniqueFd terminal = aboveStandard(UniqueFd(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)));
    if (!terminal.isOpen())
        return nullptr;
    return std::make_unique<TerminalSession>(std::move(terminal));
}

TerminalSession::TerminalSession(UniqueFd terminal)
    : m_terminal(std::move(terminal))
    , m_settings(settings())
{
}

std::optional<termios> TerminalSession::settings() const
{
    termios settings{};
    if (::tcgetattr(m_terminal.get(), &settings) != 0)
        return std::nullopt;
    return settings;
}

bool TerminalSession::isForeground() const { return ::tcgetpgrp(m_terminal.get()) == ::getpgrp(); }

void TerminalSession::giveTo(pid_t group) const
{
    const SignalBlock blocked; // SIGTTOU would stop a background process
    ::tcsetpgrp(m_terminal.get(), group);
}

void TerminalSession::takeBackFrom(pid_t group)
{
    // If the shell has it, this process runs in the background.
    if (::tcgetpgrp(m_terminal.get()) != group)
        return;
    const SignalBlock blocked; // of SIGTTOU
    ::tcsetpgrp(m_terminal.get(), ::getpgrp());
    if (m_settings)
        ::tcsetattr(m_terminal.get(), TCSADRAIN, &*m_settings);
}

void TerminalSession::followStop(ChildProcess &child)
{
    // A shell does not report `bg` and `fg`. If this process is in the foreground after them, the
    // child was stopped because it accessed the terminal, and gets the terminal immediately.
    if (!isForeground()) {
        // A child that was stopped in the background has not changed the settings.
        if (::tcgetpgrp(m_terminal.get()) == child.pid())
            m_childSettings = settings();
        takeBackFrom(child.pid());
        // Returns when the shell continues this job.
        ::kill(0, SIGTSTP);
    }
    if (isForeground()) {
        if (m_childSettings)
            ::tcsetattr(m_terminal.get(), TCSADRAIN, &*m_childSettings);
        giveTo(child.pid());
    }
    child.signalGroup(SIGCONT);
}

} // namespace Rekindle
