// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "eventlog.h"
#include "fulllicense.h"
#include "processes.h"

#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/mcp/toolbackend.h>
#include <rekindle/process/processdefinition.h>

#include <QTemporaryDir>
#include <QTest>

namespace Rekindle {

/// A host for servers: a supervisor with all features, in real or virtual time, without jitter; and
/// the sample server, which counts its starts.
struct ServerStage
{
    enum class Time { Real, Virtual };

    explicit ServerStage(Time time = Time::Real)
        : virtualTime(clock)
        , supervisor(time == Time::Real ? static_cast<Scheduler &>(realTime) : virtualTime, {},
                     [](const QUuid &) { return 0.0; })
        , log(supervisor.policyEvaluator())
    {
        grantAll(supervisor);
    }

    [[nodiscard]] ProcessDefinition sample(const QStringList &options = {}) const
    {
        ProcessDefinition definition;
        definition.program = QStringLiteral(REKINDLE_MCPSERVER);
        definition.arguments = QStringList{QStringLiteral("--starts"), file("starts")} + options;
        definition.stop = {std::chrono::seconds(2), std::chrono::seconds(2),
                           std::chrono::seconds(2)};
        return definition;
    }

    [[nodiscard]] QString file(const char *name) const
    {
        return folder.filePath(QString::fromLatin1(name));
    }

    /// Returns how often the sample server was started.
    [[nodiscard]] int starts() const
    {
        QFile starts(file("starts"));
        return starts.open(QIODevice::ReadOnly) ? int(starts.readAll().count('\n')) : 0;
    }

    [[nodiscard]] std::optional<AgentSnapshot> snapshot() const
    {
        return supervisor.snapshot(supervisor.ids().value(0));
    }
    bool waitFor(InstanceState state) const
    {
        return QTest::qWaitFor([&] { return snapshot()->state == state; }, 30000);
    }

    /// In virtual time: performs everything that is due, for example a start.
    void settle() { virtualTime.advance(Duration{0}); }

    QTemporaryDir folder;
    VirtualClock clock;
    VirtualScheduler virtualTime;
    TimerScheduler realTime;
    AgentSupervisor supervisor;
    EventLog log;
};

/// Waits until the future has finished, at most for 30 s.
template<typename T>
bool comes(const QFuture<T> &future)
{
    return QTest::qWaitFor([&] { return future.isFinished(); }, 30000);
}

/// Waits for the start and returns why there is no server; empty if there is one.
inline QString faultOf(const QFuture<ToolBackend::Start> &start)
{
    if (!comes(start))
        return QStringLiteral("the start has not ended");
    const ToolBackend::Start result = start.result();
    return result ? toText(result->kind) + QLatin1String(": ") + result->message : QString();
}

/// Makes a list from literals.
inline QStringList options(std::initializer_list<const char *> texts)
{
    QStringList list;
    for (const char *text : texts)
        list.push_back(QString::fromLatin1(text));
    return list;
}

} // namespace Rekindle
