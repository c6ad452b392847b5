// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QStringList>
#include <QTest>

#include <functional>
#include <utility>
#include <vector>

namespace Rekindle {

/// A probe that runs a script in the scheduler's time: one word per run; the last one repeats.
///   ok no          responds from start()
///   ok@1s no@1s    responds after this time
///   never          does not respond
class ScriptedProbe final : public HealthProbe
{
public:
    /// `report` is called with "run:2s" and "cancel".
    ScriptedProbe(Scheduler &scheduler, const QString &script,
                  std::function<void(const QString &)> report)
        : m_words(script.split(u' ', Qt::SkipEmptyParts))
        , m_report(std::move(report))
        , m_pause(scheduler, [this] { answer(); })
    {
    }

    void start(Duration timeout) override
    {
        m_report(QStringLiteral("run:") + durationToString(timeout));
        const QString word = m_words.at(std::min<qsizetype>(m_runs++, m_words.size() - 1));
        if (word == QLatin1String("never"))
            return;
        m_ok = word.startsWith(QLatin1String("ok"));
        if (!word.contains(u'@'))
            answer();
        else
            m_pause.armIn(durationFromString(word.section(u'@', 1)).value());
    }
    void cancel() override
    {
        m_pause.disarm();
        m_report(QStringLiteral("cancel"));
    }

private:
    void answer() { Q_EMIT finished(m_ok, m_ok ? QStringLiteral("fine") : QStringLiteral("bad")); }

    QStringList m_words;
    std::function<void(const QString &)> m_report;
    qsizetype m_runs = 0;
    bool m_ok = false;
    Deadline m_pause;
};

/// Sets a ScriptedProbe with the default schedule as the only probe of an agent.
inline void setProbe(
    const AgentSupervisor &supervisor, const QUuid &id, const QString &script,
    std::function<void(const QString &)> report = [](const QString &) {})
{
    auto probe = std::make_unique<ScriptedProbe>(supervisor.scheduler(), script, std::move(report));
    std::vector<HealthCheck> checks;
    checks.push_back({QStringLiteral("probe"), {}, std::move(probe)});
    QVERIFY(supervisor.monitor().setHealth(id, std::move(checks)).isEmpty());
}

} // namespace Rekindle
