// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The event loop of the server: lines from stdin, and timers.

#include "server.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <thread>

int Server::run()
{
    for (const std::string &line : m_options.errorLines)
        std::fputs((line + '\n').c_str(), stderr);
    std::this_thread::sleep_for(std::chrono::milliseconds(m_options.startDelayMs));
    for (long long done = 0; done < m_options.floodBytes; done += 64)
        sendRaw(std::string(63, 'x'));
    while (!m_ended) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (::poll(&input, 1, waitMs()) > 0)
            readInput();
        runDue();
    }
    while (m_options.ignoresEndOfInput)
        ::pause();
    return 0;
}

int Server::waitMs() const
{
    if (m_tasks.empty())
        return -1;
    const auto wait =
        std::chrono::ceil<std::chrono::milliseconds>(m_tasks.begin()->first - Clock::now());
    return static_cast<int>(std::max<long long>(0, wait.count()));
}

void Server::runDue()
{
    while (!m_tasks.empty() && m_tasks.begin()->first <= Clock::now())
        m_tasks.extract(m_tasks.begin()).mapped()();
}

void Server::after(int ms, std::function<void()> task)
{
    m_tasks.emplace(Clock::now() + std::chrono::milliseconds(ms), std::move(task));
}

void Server::readInput()
{
    char block[65536];
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        m_ended = true;
        return;
    }
    std::size_t searched = m_input.size();
    m_input.append(block, static_cast<std::size_t>(got));
    std::size_t start = 0;
    for (std::size_t end; (end = m_input.find('\n', searched)) != std::string::npos;) {
        take(m_input.substr(start, end - start));
        start = searched = end + 1;
    }
    m_input.erase(0, start);
}

void Server::sendRaw(const std::string &text)
{
    const std::string line = text + '\n';
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t written = ::write(STDOUT_FILENO, line.data() + done, line.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            m_ended = true;
            return;
        }
        done += static_cast<std::size_t>(written);
    }
}
