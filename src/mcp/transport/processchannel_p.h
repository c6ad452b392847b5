// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "serverinput_p.h"
#include "wire/lineframer_p.h"

#include <rekindle/mcp/messagechannel.h>
#include <rekindle/process/processagent.h>

namespace Rekindle {

/// The channel to the server of a ProcessAgent, whose stdin and stdout are pipes. Each start is a
/// connection.
class ProcessChannel final : public MessageChannel
{
    Q_OBJECT

public:
    /// Limit of the queue in bytes. A single message may be larger.
    static constexpr qsizetype maxQueued = qsizetype{16} * 1024 * 1024;

    /// Both must outlive it.
    ProcessChannel(ProcessAgent &agent, Scheduler &scheduler);

    qint64 send(const QByteArray &line) override;
    [[nodiscard]] qint64 lastWritten() const override { return m_accepted; }
    [[nodiscard]] bool isOpen() const override { return m_isOpen; }

private:
    // An exiting process closes its pipes before its exit status is known, which is the better
    // reason.
    static constexpr Duration exitGrace = std::chrono::milliseconds(100);

    void begin();
    void flush();
    void receive(const QByteArray &bytes);
    void pipeClosed(const QString &reason);
    void end(const QString &message, const FailureDetail &detail);

    ProcessAgent &m_agent;
    ServerInput m_input;
    Deadline m_exitGrace;
    QString m_closeReason;
    LineFramer m_framer;
    // Bytes since the start. The number of a message is the position behind its first byte.
    qint64 m_queued = 0;
    qint64 m_accepted = 0; // by the agent
    bool m_isOpen = false;
};

} // namespace Rekindle
