// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testterminal.h"

#include "processes.h"
#include "testprogram.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace Rekindle {

TestTerminal::TestTerminal(QString stateFolder)
    : m_stateFolder(std::move(stateFolder))
{
    if (::openpty(&m_host, &m_terminal, nullptr, nullptr, nullptr) != 0)
        qFatal("openpty failed");
    ::fcntl(m_host, F_SETFL, O_NONBLOCK);
    ::fcntl(m_host, F_SETFD, FD_CLOEXEC);
    resize(100, 24);
}

TestTerminal::~TestTerminal()
{
    ::close(m_host);
    ::close(m_terminal);
}

void TestTerminal::attach(CommandRun &run, const char *kind) const
{
    run.setVariable("TERM", QString::fromLatin1(kind));
    run.setVariable("NO_COLOR");
    run.setStateFolder(m_stateFolder);
    run.setChildProcessModifier([terminal = m_terminal] {
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            std::signal(number, SIG_DFL);
        ::setsid();
        ::ioctl(terminal, TIOCSCTTY, 0);
        for (const int standard : {0, 1, 2})
            ::dup2(terminal, standard);
    });
}

bool TestTerminal::begin(CommandRun &run, const char *kind) const
{
    attach(run, kind);
    return run.begin();
}

void TestTerminal::drain()
{
    QByteArray bytes(65536, Qt::Uninitialized);
    ssize_t count = 0;
    while ((count = ::read(m_host, bytes.data(), static_cast<std::size_t>(bytes.size()))) > 0)
        m_shown += bytes.left(count);
}

bool TestTerminal::waitFor(const QByteArray &text)
{
    return waitUntil([&] {
        drain();
        return m_shown.contains(text);
    });
}

bool TestTerminal::waitUntilFull() const
{
    return waitUntil([this] {
        pollfd look{m_terminal, POLLOUT, 0};
        return ::poll(&look, 1, 0) == 0;
    });
}

void TestTerminal::resize(unsigned short columns, unsigned short rows) const
{
    const winsize size{rows, columns, 0, 0};
    ::ioctl(m_host, TIOCSWINSZ, &size);
}

void TestTerminal::type(const QByteArray &keys) const
{
    QCOMPARE(::write(m_host, keys.constData(), static_cast<std::size_t>(keys.size())), keys.size());
}

termios TestTerminal::settings() const
{
    termios settings{};
    ::tcgetattr(m_terminal, &settings);
    return settings;
}

int TestTerminal::foregroundGroup() const { return ::tcgetpgrp(m_host); }

} // namespace Rekindle
