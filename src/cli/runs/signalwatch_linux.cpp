// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalwatch_p.h"

#include <QPointer>
#include <QSocketNotifier>

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace Rekindle {

namespace {

// A blocked signal arrives through the descriptor even if it is ignored.
bool isIgnored(int number)
{
    struct sigaction action
    {
    };
    return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

SignalWatch::SignalWatch(std::initializer_list<int> numbers, QObject *parent)
    : QObject(parent)
{
    sigset_t watched;
    ::sigemptyset(&watched);
    for (const int number : numbers) {
        if (number == SIGTERM)
            std::signal(number, SIG_DFL);
        if (!isIgnored(number))
            ::sigaddset(&watched, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &watched, nullptr);
    m_descriptor = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (m_descriptor < 0)
        qFatal("cannot receive signals: no descriptor left");
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] { read(); });
}

SignalWatch::~SignalWatch()
{
    m_notifier->setEnabled(false);
    ::close(m_descriptor);
}

void SignalWatch::read()
{
    const QPointer<SignalWatch> alive(this);
    signalfd_siginfo info{};
    while (alive && ::read(m_descriptor, &info, sizeof info) == sizeof info) {
        const int number = static_cast<int>(info.ssi_signo);
        if (info.ssi_code == SI_QUEUE && (number == SIGINT || number == SIGQUIT))
            Q_EMIT keyPressed(number);
        else
            Q_EMIT received(number);
    }
}

} // namespace Rekindle
