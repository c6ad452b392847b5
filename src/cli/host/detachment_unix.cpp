// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "detachment_p.h"

#include "base/safepath_p.h"
#include "base/writtenfile_p.h"
#include "cli/output/exitcode_p.h"

#include <QByteArray>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <limits>

namespace Rekindle {

namespace {

void say(const QString &text)
{
    std::cerr << "rekindle: " << text.toLocal8Bit().constData() << '\n';
}

// Returns the end of the messages in the log. Returns nothing if the descriptor was closed first.
std::optional<qint64> waitForReport(int descriptor)
{
    qint64 end = 0;
    ssize_t count = 0;
    do {
        count = ::read(descriptor, &end, sizeof end); // a pipe transfers so few bytes atomically
    } while (count < 0 && errno == EINTR);
    return count == ssize_t{sizeof end} ? std::optional(end) : std::nullopt;
}

int exitCodeOf(pid_t process)
{
    int status = 0;
    while (::waitpid(process, &status, 0) < 0) {
        if (errno != EINTR)
            return ExitCode::givenUp;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : ExitCode::bySignal(WTERMSIG(status));
}

// An empty end means the end of the file.
void copyToStderr(const QString &log, qint64 from, std::optional<qint64> end)
{
    const UniqueFd file = SafePath(log).open(O_RDONLY);
    if (!file.isOpen() || ::lseek(file.get(), from, SEEK_SET) < 0)
        return;
    std::array<char, 4096> bytes{};
    qint64 left = end ? *end - from : std::numeric_limits<qint64>::max();
    while (left > 0) {
        const auto most = std::min<qint64>(left, std::ssize(bytes));
        const ssize_t count = ::read(file.get(), bytes.data(), static_cast<std::size_t>(most));
        if (count <= 0)
            return;
        std::cerr.write(bytes.data(), count);
        left -= count;
    }
}

void becomeOutput(const UniqueFd &log)
{
    ::dup2(log.get(), STDOUT_FILENO);
    ::dup2(log.get(), STDERR_FILENO);
}

} // namespace

std::optional<int> Detachment::begin(const QString &name, const QString &log)
{
    const UniqueFd output = aboveStandard(UniqueFd(openToAppend(log)));
    if (!output.isOpen()) {
        say(QStringLiteral("--detach: log %1: %2; set XDG_STATE_HOME to a writable folder")
                .arg(log, appendErrorText(errno)));
        return ExitCode::usage;
    }
    struct stat before{};
    ::fstat(output.get(), &before);
    std::array<int, 2> ends{-1, -1};
    const pid_t process = ::pipe2(ends.data(), O_CLOEXEC) == 0 ? ::fork() : -1;
    const UniqueFd reader(ends[0]);
    UniqueFd writer(ends[1]);
    if (process < 0) {
        say(QStringLiteral("%1: not started in the background: %2")
                .arg(name, qt_error_string(errno)));
        return ExitCode::tryLater;
    }
    if (process == 0) {
        ::setsid();
        // The file system of the caller's folder can then be unmounted.
        [[maybe_unused]] const int changed = ::chdir("/");
        ::dup2(nullFile(), STDIN_FILENO);
        m_originalStderr.reset(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
        becomeOutput(output);
        m_log = log;
        m_report = std::move(writer);
        return {};
    }
    writer.reset();
    const std::optional<qint64> end = waitForReport(reader.get());
    const int code = end ? ExitCode::fine : exitCodeOf(process);
    copyToStderr(log, before.st_size, end);
    if (!end)
        return code;
    say(QStringLiteral("%1: running in the background (pid %2); log: %3")
            .arg(name)
            .arg(process)
            .arg(log));
    return ExitCode::fine;
}

QString Detachment::reopenLog() const
{
    if (m_log.isEmpty())
        return {};
    const UniqueFd output(openToAppend(m_log));
    if (!output.isOpen())
        return QStringLiteral("log: %1: cannot be opened again: %2; continuing with the open file")
            .arg(m_log, appendErrorText(errno));
    becomeOutput(output);
    return {};
}

void Detachment::markMessages()
{
    if (m_report.isOpen())
        m_messagesEnd = ::lseek(STDERR_FILENO, 0, SEEK_END);
}

void Detachment::reportRunning()
{
    // The original may have been killed, which does not concern the copy.
    if (m_report.isOpen()) {
        [[maybe_unused]] const ssize_t written =
            ::write(m_report.get(), &m_messagesEnd, sizeof m_messagesEnd);
    }
    m_report.reset();
    m_originalStderr.reset();
}

} // namespace Rekindle
