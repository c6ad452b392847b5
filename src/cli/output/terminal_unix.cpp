// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminal_p.h"

#include <QByteArray>

#include <sys/ioctl.h>
#include <unistd.h>

namespace Rekindle {

namespace {

bool isForeground() { return ::tcgetpgrp(STDOUT_FILENO) == ::getpgrp(); }

void send(const char *sequence, std::size_t length)
{
    // If the terminal was closed, there is nothing to restore.
    [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, sequence, length);
}

constexpr char hideCursor[] = "\x1b[?25l";
constexpr char showCursor[] = "\x1b[?25h";

} // namespace

bool Terminal::isTerminal(int descriptor) { return ::isatty(descriptor) != 0; }

bool Terminal::isLive()
{
    const QByteArray kind = qgetenv("TERM");
    return isTerminal(STDOUT_FILENO) && !kind.isEmpty() && kind != "dumb";
}

bool Terminal::hasColors() { return qEnvironmentVariableIsEmpty("NO_COLOR"); }

Terminal::Size Terminal::size()
{
    winsize window{};
    Size size;
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0
        && window.ws_row > 0) {
        size.columns = window.ws_col;
        size.rows = window.ws_row;
    }
    return size;
}

Terminal::Terminal() { take(); }

Terminal::~Terminal() { release(); }

void Terminal::take()
{
    termios settings{};
    if (m_before || !isForeground() || ::tcgetattr(STDOUT_FILENO, &settings) != 0)
        return;
    m_before = settings;
    settings.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
    ::tcsetattr(STDOUT_FILENO, TCSADRAIN, &settings);
    send(hideCursor, sizeof hideCursor - 1);
}

void Terminal::release()
{
    if (!m_before)
        return;
    send(showCursor, sizeof showCursor - 1);
    // Keys that were typed meanwhile must not reach the shell.
    if (isForeground())
        ::tcsetattr(STDOUT_FILENO, TCSAFLUSH, &*m_before);
    m_before.reset();
}

} // namespace Rekindle
