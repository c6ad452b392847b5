// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/internal/logring.h"

#include <rekindle/control/controlmessages.h>
#include <rekindle/control/export.h>
#include <rekindle/lifecycle/agent.h>

#include <QHash>
#include <QObject>
#include <QUuid>

#include <array>
#include <memory>

namespace Rekindle {

class AgentSupervisor;

/// Stores the newest lines of the agents of a supervisor, for the control socket and for views.
class REKINDLE_CONTROL_EXPORT AgentLines : public QObject
{
    Q_OBJECT

public:
    static constexpr std::array<EnumName<AgentOutput::Stream>, 2> streamNames = {{
        {AgentOutput::Stream::Output, QLatin1String("stdout")},
        {AgentOutput::Stream::Error, QLatin1String("stderr")},
    }};

    /// Returns the lines of this supervisor, which owns them. They are stored from the first call
    /// on.
    [[nodiscard]] static AgentLines &of(AgentSupervisor &supervisor);

    /// The last lines of a file, and why it cannot be read.
    struct Tail
    {
        LogRing lines{};
        QString fault{};
    };
    [[nodiscard]] static Tail tailOf(const OutputFile &file);

    /// The line as it may be shown on a terminal. Colors are kept.
    [[nodiscard]] static OutputLine shown(const LogLine &line);

    /// The lines of an agent that has written one; otherwise null.
    [[nodiscard]] std::shared_ptr<LogRing> find(const QUuid &id) const { return m_rings.value(id); }
    /// Adds an empty ring if there is none.
    [[nodiscard]] std::shared_ptr<LogRing> ringOf(const QUuid &id);

    /// The number of lines of all agents so far.
    [[nodiscard]] quint64 count() const { return m_count; }

Q_SIGNALS:
    void added(const QUuid &id, const Rekindle::LogLine &line);

private:
    explicit AgentLines(AgentSupervisor &supervisor);
    void watch(const QUuid &id);

    AgentSupervisor &m_supervisor;
    QHash<QUuid, std::shared_ptr<LogRing>> m_rings;
    quint64 m_count = 0;
};

} // namespace Rekindle
