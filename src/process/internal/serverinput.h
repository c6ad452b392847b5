// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/outgoingbytes_p.h"

#include <rekindle/policy/timepoint.h>
#include <rekindle/process/export.h>

#include <QByteArray>

namespace Rekindle {

class ProcessAgent;
class Scheduler;

/// The queue of messages for the stdin of a server. Measures for how long the server has read
/// nothing.
class REKINDLE_PROCESS_EXPORT ServerInput
{
public:
    ServerInput(ProcessAgent &agent, const Scheduler &scheduler);

    /// Adds a line and its end.
    void addLine(const QByteArray &line) { add(line, QByteArrayLiteral("\n")); }

    /// Adds a message in two parts. Large parts are not copied.
    void add(const QByteArray &bytes, const QByteArray &more);

    /// Writes as much as the agent accepts. Returns false if the server is alive but has closed its
    /// stdin; the queue is then cleared.
    bool flush();

    /// Prepares for the next start of the server.
    void clear();

    /// Returns the number of bytes that the agent has not accepted.
    [[nodiscard]] qsizetype size() const { return m_waiting.size(); }

    /// Returns the number of bytes that the agent has accepted since clear().
    [[nodiscard]] qint64 accepted() const { return m_accepted; }

    /// Returns whether everything is written to the pipe.
    [[nodiscard]] bool isDone() const;

    /// Returns for how long nothing was written to the pipe; 0 if everything is written.
    [[nodiscard]] Duration stalledFor();

private:
    void updateProgress();

    ProcessAgent &m_agent;
    const Scheduler &m_scheduler;
    OutgoingBytes m_waiting;
    qint64 m_accepted = 0;  ///< by the agent, which has a buffer of its own
    qint64 m_written = 0;   ///< to the pipe, as of the last update
    Instant m_progressAt{}; ///< when m_written last grew
};

} // namespace Rekindle
