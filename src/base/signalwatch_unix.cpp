// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalwatch_p.h"

#include <QPointer>
#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace Rekindle {

// A pipe is never closed, because a handler in another thread may be writing to it.
struct SignalPipe
{
    std::atomic<std::uint32_t> watched = 0; ///< one bit for each signal
    std::atomic<int> writeEnd = -1;
    int readEnd = -1;
    bool isUsed = false;
};

namespace {

// Handlers and not signalfd(): that needs the signals blocked in all threads, and a graphical
// application has threads before its first own line of code.
struct Arrived
{
    int number = 0;
    int code = 0;
};

struct Watched
{
    int objects = 0;
    struct sigaction before{};
};

std::mutex mutex; // guards what the handler does not use
std::array<Watched, 32> watchedSignals;
std::array<SignalPipe, 8> pipes;

std::uint32_t bitOf(int number) { return std::uint32_t{1} << static_cast<unsigned>(number); }

bool isIgnored(int number)
{
    struct sigaction action{};
    return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void forward(int number, siginfo_t *info, void *)
{
    const int error = errno;
    const Arrived arrived{number, info->si_code};
    for (const SignalPipe &pipe : pipes) {
        // A full pipe contains more signals than anybody counts.
        if ((pipe.watched & bitOf(number)) != 0) [[maybe_unused]]
            const auto written = ::write(pipe.writeEnd, &arrived, sizeof arrived);
    }
    errno = error;
}

SignalPipe *takePipe()
{
    for (SignalPipe &pipe : pipes) {
        std::array<int, 2> ends{};
        if (pipe.isUsed)
            continue;
        if (pipe.readEnd < 0) {
            if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
                return nullptr;
            pipe.readEnd = ends[0];
            pipe.writeEnd = ends[1];
        }
        pipe.isUsed = true;
        return &pipe;
    }
    return nullptr;
}

} // namespace

SignalWatch::SignalWatch(std::initializer_list<int> numbers, QObject *parent)
    : QObject(parent)
{
    const std::lock_guard lock(mutex);
    m_pipe = takePipe();
    if (m_pipe == nullptr) {
        qCritical("cannot receive signals: no descriptor left");
        return;
    }
    Arrived late;
    while (::read(m_pipe->readEnd, &late, sizeof late) > 0) {
    }
    m_notifier = new QSocketNotifier(m_pipe->readEnd, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] { read(); });

    sigset_t received;
    ::sigemptyset(&received);
    for (const int number : numbers) {
        if (number != SIGTERM && isIgnored(number))
            continue;
        ::sigaddset(&received, number);
        m_pipe->watched |= bitOf(number);
        Watched &watched = watchedSignals.at(static_cast<std::size_t>(number));
        if (watched.objects++ > 0)
            continue;
        struct sigaction action{};
        action.sa_sigaction = forward;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        ::sigfillset(&action.sa_mask);
        ::sigaction(number, &action, &watched.before);
    }
    ::pthread_sigmask(SIG_UNBLOCK, &received, nullptr);
}

SignalWatch::~SignalWatch()
{
    if (m_pipe == nullptr)
        return;
    const std::lock_guard lock(mutex);
    const std::uint32_t numbers = m_pipe->watched.exchange(0);
    for (std::size_t number = 0; number < watchedSignals.size(); ++number) {
        Watched &watched = watchedSignals[number];
        if ((numbers >> number & 1U) != 0 && --watched.objects == 0)
            ::sigaction(static_cast<int>(number), &watched.before, nullptr);
    }
    delete m_notifier;
    m_pipe->isUsed = false;
}

void SignalWatch::read()
{
    const QPointer<SignalWatch> alive(this);
    Arrived arrived;
    while (alive && m_pipe != nullptr
           && ::read(m_pipe->readEnd, &arrived, sizeof arrived) == sizeof arrived) {
        if (arrived.code == SI_QUEUE && (arrived.number == SIGINT || arrived.number == SIGQUIT))
            Q_EMIT keyPressed(arrived.number);
        else
            Q_EMIT received(arrived.number);
    }
}

} // namespace Rekindle
