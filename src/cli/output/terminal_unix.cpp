// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminal_p.h"

#include "base/uniquefd_p.h"

#include <QByteArray>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace Rekindle {

namespace {

bool isForeground() { return ::tcgetpgrp(STDOUT_FILENO) == ::getpgrp(); }

constexpr char hideCursor[] = "\x1b[?25l";
constexpr char showCursor[] = "\x1b[?25h";

} // namespace

bool Terminal::isTerminal(int descriptor) { return ::isatty(descriptor) != 0; }

bool Terminal::isLive()
{
    const QByteArray kind = qgetenv("TERM");
    return isTerminal(STDOUT_FILENO) && !kind.isEmpty() && kind != "dumb";
}

bool Terminal::isControlling()
{
    return UniqueFd(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)).isOpen();
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

int Terminal::columnsOr(int usual) { return isTerminal(STDOUT_FILENO) ? size().columns : usual; }

Terminal::Terminal(qsizetype backlog)
    : m_channel(OutputChannel::to(STDOUT_FILENO, backlog))
{
    take();
}

Terminal::~Terminal() { release(); }

bool Terminal::take()
{
    termios settings{};
    if (m_before)
        return true;
    if (!isForeground() || ::tcgetattr(STDOUT_FILENO, &settings) != 0)
        return false;
    m_before = settings;
    settings.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
    ::tcsetattr(STDOUT_FILENO, TCSANOW, &settings);
    write(hideCursor);
    return true;
}

void Terminal::release(const QByteArray &last)
{
    write(last + (m_before ? showCursor : ""));
    // Keys that were typed meanwhile must not reach the shell.
    if (m_before && isForeground()) {
        ::tcflush(STDOUT_FILENO, TCIFLUSH);
        // TCSADRAIN and TCSAFLUSH would wait for the output.
        termios resumed = *m_before;
        resumed.c_iflag &= ~static_cast<tcflag_t>(IXON);
        ::tcsetattr(STDOUT_FILENO, TCSANOW, &resumed); // without IXON, nothing stays stopped
        ::tcsetattr(STDOUT_FILENO, TCSANOW, &*m_before);
    }
    m_before.reset();
    if (m_channel)
        m_channel->finish();
}

void Terminal::write(const QByteArray &bytes)
{
    if (m_channel && !bytes.isEmpty())
        m_channel->write(bytes);
}

void Terminal::writeFrame(const QByteArray &frame) { write("\x1b[?2026h" + frame + "\x1b[?2026l"); }

bool isUnread(int descriptor)
{
    pollfd look{descriptor, POLLOUT, 0};
    return ::poll(&look, 1, 0) == 1 && (look.revents & (POLLERR | POLLHUP)) != 0;
}

} // namespace Rekindle
