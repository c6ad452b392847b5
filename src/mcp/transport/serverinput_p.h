// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "outgoingbytes_p.h"

#include <rekindle/policy/timepoint.h>

#include <QByteArray>

namespace Rekindle {

class ProcessAgent;
class Scheduler;

/// What is on its way to a server's stdin: keeps what the server does not take, and knows since
/// when that has been so.
class ServerInput
{
public:
    ServerInput(ProcessAgent &agent, const Scheduler &scheduler);

    void add(const QByteArray &line);

    /// Gives the server what it takes. False if it is alive and will never read again: what there
    /// was is gone then, as it is told by the server's end.
    bool flush();

    /// For another server, or none.
    void clear();

    /// How much is kept here.
    [[nodiscard]] qsizetype size() const { return m_waiting.size(); }

    /// All is in the server's pipe.
    [[nodiscard]] bool isDone() const;

    /// For how long nothing more has got into the pipe; 0 where all is.
    [[nodiscard]] Duration stalledFor();

private:
    void lookForProgress();

    ProcessAgent &m_agent;
    const Scheduler &m_scheduler;
    OutgoingBytes m_waiting;
    qint64 m_given = 0;     ///< to the agent, which has a buffer of its own
    qint64 m_inPipe = 0;    ///< of that, when it was last looked
    Instant m_progressAt{}; ///< when that grew
};

} // namespace Rekindle
