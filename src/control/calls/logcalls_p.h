// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"
#include "control/internal/agentlines.h"
#include "control/session/controlsession_p.h"

#include <rekindle/control/controlmessages.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QHash>
#include <QObject>

#include <memory>
#include <vector>

namespace Rekindle {

/// Carries out logs.read and logs.follow: the output of agents that the host reads, and the last
/// lines of the files to which agents write. As with events, a session receives further lines only
/// when it has read the ones before, and one notification with the number of lines that were
/// removed in the meantime. The client follows files itself.
class LogCalls : public QObject
{
    Q_OBJECT

public:
    /// `supervisor` must outlive it.
    explicit LogCalls(AgentSupervisor &supervisor);

    [[nodiscard]] ControlReply read(ControlRequest &request) const;
    [[nodiscard]] ControlReply follow(ControlRequest &request);

    void remove(ControlSession &session);
    /// The number of lines of all agents so far.
    [[nodiscard]] quint64 lineCount() const { return m_lines.count(); }

    /// Adds some of the lines that are due to the output of the session, unless it has enough
    /// output. Returns whether more lines are due.
    bool fill(ControlSession &session);

Q_SIGNALS:
    /// There is a new line, and a session follows an agent.
    void added();

private:
    struct Params
    {
        QString agent{};
        int lines = 100;
        QList<AgentOutput::Stream> streams{}; ///< empty: both
        QByteArray match{};

        [[nodiscard]] static Params of(ControlRequest &request);
        [[nodiscard]] bool isSelected(AgentOutput::Stream stream) const
        {
            return streams.isEmpty() || streams.contains(stream);
        }
        [[nodiscard]] bool isSelected(const LogLine &line) const;
        /// The number of the first of the newest selected lines.
        [[nodiscard]] quint64 firstIn(const LogRing &ring) const;
    };
    struct Follower
    {
        Params params;
        std::shared_ptr<const LogRing> ring;
        quint64 next = 0;
    };

    [[nodiscard]] QList<QByteArray> readFiles(const Params &params, QList<OutputLine> &lines) const;
    static void addLines(const LogRing &ring, const Params &params, QList<OutputLine> &lines);
    static bool sendNext(ControlSession &session, Follower &follower);

    const AgentSupervisor &m_supervisor;
    AgentLines &m_lines;
    QHash<ControlSession *, std::vector<Follower>> m_followers;
};

} // namespace Rekindle
