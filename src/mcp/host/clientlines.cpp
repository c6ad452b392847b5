// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "clientlines_p.h"

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr qsizetype mostPending = qsizetype{1024} * 1024;
constexpr Duration timeToDrain = 2s;

} // namespace

ClientLines::ClientLines(int input, int output, Scheduler &scheduler)
    : m_pipe(input, output)
    , m_drainTime(scheduler, [this] { drainTimePassed(); })
{
    connect(&m_pipe, &ClientPipe::bytesRead, this,
            [this](const QByteArray &bytes) { take(bytes); });
    connect(&m_pipe, &ClientPipe::ended, this, [this] { takeRest(); });
    connect(&m_pipe, &ClientPipe::drained, this, &ClientLines::drained);
    connect(
        &m_pipe, &ClientPipe::broken, this,
        [this](const QString &fault) {
            const bool isNews = !fault.isEmpty() && !std::exchange(m_isFaultTold, true);
            Q_EMIT broken(isNews ? fault : QString());
        },
        Qt::QueuedConnection);
}

bool ClientLines::isFull() const { return m_pipe.pendingSize() > mostPending; }

void ClientLines::take(const QByteArray &bytes)
{
    m_lines.clear();
    m_framer.add(bytes, m_lines);
    if (!m_lines.empty())
        Q_EMIT lines(m_lines);
}

// A last line without its end may be whole.
void ClientLines::takeRest()
{
    if (const auto rest = m_framer.takeRest(); rest && !rest->isTooLong)
        Q_EMIT lines({*rest});
    Q_EMIT ended();
}

void ClientLines::finish()
{
    if (m_pipe.pendingSize() == 0) {
        tellFinished(false);
    } else if (!m_drainTime.isArmed()) {
        m_drainLeft = m_pipe.pendingSize();
        m_drainTime.armIn(timeToDrain);
    }
}

// One that reads slowly reads all the same.
void ClientLines::drainTimePassed()
{
    if (m_pipe.pendingSize() == m_drainLeft)
        tellFinished(true);
    else
        finish();
}

// There may be more to say by the time that it is told: a server's end answers its calls.
void ClientLines::tellFinished(bool cutsOff)
{
    if (std::exchange(m_isFinished, true))
        return;
    m_drainTime.disarm();
    const auto tell = [this, cutsOff] {
        m_isFinished = cutsOff || m_pipe.pendingSize() == 0;
        if (m_isFinished)
            Q_EMIT finished();
        else
            finish();
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
}

} // namespace Rekindle
