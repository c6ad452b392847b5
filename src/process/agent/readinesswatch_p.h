// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/launch/launchfault_p.h"

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

#include <QRegularExpression>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// Waits until a started process is ready, as its definition says.
class ReadinessWatch
{
public:
    /// `onReady` is called at most once for each start; it may destroy the watch.
    ReadinessWatch(Agent &agent, const ProcessDefinition &definition, Scheduler &scheduler,
                   std::function<void()> onReady);

    /// To be called before each launch. Returns why the definition cannot be met.
    [[nodiscard]] std::optional<LaunchFault> prepare();

    /// To be called after the launch. The process may be ready immediately.
    void begin();
    void lineRead(const QByteArray &line);
    /// The unfinished last line has changed; empty: there is none. A program that asks for input,
    /// for example, does not end it.
    void unfinishedLineRead(const QByteArray &line);
    void notified();
    void reported() { sawSignal(); }

    /// The process can no longer become ready.
    void cancel();

private:
    [[nodiscard]] bool isMatched(const QByteArray &line) const;
    void sawSignal();
    void reached();
    void onDeadline();
    void probe();
    void probed(bool ok);

    Agent &m_agent;
    const ProcessDefinition &m_definition;
    const Readiness &m_readiness;
    const std::optional<QRegularExpression> m_pattern; // of Line
    const std::function<void()> m_onReady;
    Scheduler &m_scheduler;
    Deadline m_deadline; // of Alive; of Probe for its timeout and its interval; of Line
    QByteArray m_unfinishedLine;
    std::unique_ptr<HealthProbe> m_probe;
    bool m_sawSignal = false; // the line or message that Line or Notify waits for has arrived
    bool m_probing = false;
    bool m_waiting = false;
};

} // namespace Rekindle
