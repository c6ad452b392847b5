// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "messages_p.h"

#include "base/text/terminaltext_p.h"
#include "policy/internal/texthelpers.h"
#include "terminal_p.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

namespace Rekindle {

namespace {

Messages *current = nullptr;

constexpr qsizetype longestMessage = 16'384; // names of many agents fit

void handleLog(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    if (current)
        current->say(text);
    if (type == QtFatalMsg)
        std::abort();
}

// A message may contain a text of an agent, a server or a file.
QByteArray shownLine(const QString &text)
{
    return foreignText(text, longestMessage).toLocal8Bit();
}

} // namespace

Messages::Messages()
    : m_channel(OutputChannel::to(STDERR_FILENO))
{
    current = this;
    qInstallMessageHandler(handleLog);
}

Messages::~Messages()
{
    qInstallMessageHandler(nullptr);
    current = nullptr;
    if (!m_channel)
        return;
    m_channel->finish();
    if (const quint64 lost = m_channel->dropped(); lost > 0)
        say(QStringLiteral("stderr: %1 lines dropped, because writing failed or the reader "
                           "was too slow")
                .arg(lost));
}

void Messages::say(const QString &text) { sayLine("rekindle: " + shownLine(text)); }

void Messages::sayLine(const QByteArray &line)
{
    if (m_diversion) {
        m_diversion(line);
        return;
    }
    const QByteArray whole = line + '\n';
    const bool isWritten = write(whole);
    if (m_copy < 0 || (isWritten && m_copies == Copies::Unwritten))
        return;
    [[maybe_unused]] const ssize_t written =
        ::write(m_copy, whole.constData(), static_cast<std::size_t>(whole.size()));
}

void Messages::sayFaults(const QList<Fault> &faults, const QString &file)
{
    for (const Fault &fault : byPlace(faults)) {
        if (file.isEmpty())
            say(fault.toString());
        else
            sayLine(shownLine(fault.toString(file)));
    }
}

bool Messages::write(const QByteArray &line)
{
    if (!m_channel)
        return false;
    const QByteArray gap = m_lost == 0
        ? QByteArray()
        : "rekindle: " + counted(static_cast<qint64>(m_lost), "line", "lines").toLatin1()
            + " lost here, because writing failed\n";
    const bool isWritten = m_channel->write(gap + line);
    m_lost = isWritten ? 0 : m_lost + 1;
    return isWritten;
}

void Messages::divertTo(std::function<void(const QByteArray &)> target)
{
    m_diversion = std::move(target);
}

QList<Fault> byPlace(QList<Fault> faults)
{
    std::stable_sort(faults.begin(), faults.end(), [](const Fault &one, const Fault &other) {
        return std::tie(one.file, one.line, one.column)
            < std::tie(other.file, other.line, other.column);
    });
    return faults;
}

QString writeToStdout(const QByteArray &text)
{
    qsizetype done = 0;
    while (done < text.size()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.constData() + done,
                                        static_cast<std::size_t>(text.size() - done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EPIPE)
            return {};
        if (written < 0 && errno == EBADF)
            return QStringLiteral("stdout: closed");
        if (written < 0)
            return QLatin1String("stdout: ") + qt_error_string(errno);
        done += written;
    }
    return {};
}

int print(Messages &messages, const QByteArray &text)
{
    const QString fault = writeToStdout(text);
    return fault.isEmpty() ? ExitCode::fine : messages.fail(ExitCode::outputFailed, fault);
}

void printOrEnd(Messages &messages, const QByteArray &text)
{
    const int exitCode = print(messages, text);
    if (exitCode != ExitCode::fine || isUnread(STDOUT_FILENO))
        throw CommandFailure{exitCode};
}

} // namespace Rekindle
