// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lineframer_p.h"

#include <rekindle/mcp/messagechannel.h>
#include <rekindle/process/processagent.h>

#include <deque>
#include <optional>

namespace Rekindle {

/// The channel to the server that a ProcessAgent runs; the agent's stdin and stdout are piped. One
/// connection for each start.
class ProcessChannel final : public MessageChannel
{
    Q_OBJECT

public:
    /// Of messages that wait to be written, in bytes; a single one is taken whatever its size.
    static constexpr qsizetype mostQueued = 16 * 1024 * 1024;

    /// Both must outlive it.
    ProcessChannel(ProcessAgent &agent, Scheduler &scheduler);

    qint64 send(const QByteArray &line) override;
    [[nodiscard]] qint64 lastWritten() const override { return m_lastWritten; }
    [[nodiscard]] bool isOpen() const override { return m_isOpen; }

private:
    // A process that dies closes its stdout a moment before its end is known, and that tells more.
    static constexpr Duration patience = std::chrono::milliseconds(100);

    struct Message
    {
        qint64 number = 0;
        QByteArray bytes;
        qsizetype done = 0;
    };

    void begin();
    void flush();
    void drained();
    void take(const QByteArray &bytes);
    void silent(const QString &what);
    void end(const QString &message, const FailureDetail &detail);

    ProcessAgent &m_agent;
    Deadline m_patience;
    QString m_suspicion;
    std::optional<LineFramer> m_framer;
    std::deque<Message> m_queue;
    qsizetype m_queuedBytes = 0;
    qint64 m_lastNumber = 0;
    qint64 m_lastWritten = 0;
    bool m_isOpen = false;
    bool m_mustWait = false; // what the agent has taken is not written yet
};

} // namespace Rekindle
