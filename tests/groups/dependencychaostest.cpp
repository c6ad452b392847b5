// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "sanitizer.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/startgate.h>

#include <algorithm>
#include <random>

using namespace Rekindle;

namespace {

constexpr int agentCount = 6;

QString nameOf(int number) { return QStringLiteral("a%1").arg(number); }

// Random agents, dependencies, failures and commands, derived from a seed.
class Chaos
{
public:
    explicit Chaos(unsigned seed)
        : m_random(seed)
        , m_gate(m_stage.supervisor)
        , m_dependencies(m_stage.supervisor)
    {
        if (below(2) == 0)
            m_gate.setLimits(GovernorLimits{.maxStarting = 1 + below(2), .rate = 2, .burst = 2});
        for (int i = 0; i < agentCount; ++i) {
            const QString name = nameOf(i);
            const QUuid id = m_stage.supervisor
                                 .add(name,
                                      std::make_unique<ScriptedAgent>(
                                          m_stage.scheduler, script(),
                                          [this, name](const QString &word) { check(name, word); }),
                                      policyOf(QStringLiteral("'stableAfter':'2s'")))
                                 .id;
            Q_ASSERT(!id.isNull());
        }
        for (int i = 0; i < agentCount; ++i) // of later agents only: no cycle
            (void)m_dependencies.setDependencies(nameOf(i), dependencies(i));
        QObject::connect(&m_stage.supervisor, &AgentSupervisor::allStopped, &m_stage.supervisor,
                         [this] { m_allStopped = true; });
    }

    void play()
    {
        m_stage.play(QStringLiteral("startAll"));
        for (int step = 0; step < 40; ++step) {
            m_stage.play(QStringLiteral("%1%2 +%3ms")
                             .arg(word(), below(4) == 0 ? u'&' + word() : QString())
                             .arg(below(4000)));
            if (below(12) == 0)
                (void)m_dependencies.setDependencies(nameOf(0), dependencies(0));
        }
    }

    /// After failures have ceased, all agents become ready. Until then, failures can stop agents.
    void converge()
    {
        for (int round = 0; round < 10; ++round)
            m_stage.play(QStringLiteral("startAll +10m"));
        for (int i = 0; i < agentCount; ++i) {
            const AgentSnapshot agent =
                *m_stage.supervisor.snapshot(m_stage.supervisor.idOf(nameOf(i)));
            if (agent.state != InstanceState::Running)
                fault(QStringLiteral("%1 is %2, held by %3")
                          .arg(agent.name, toText(agent.state),
                               toTexts(agent.holdCauses).join(u',')));
        }
        if (m_gate.governor().queuedCount() > 0 || m_gate.governor().startingCount() > 0)
            fault(QStringLiteral("the governor waits for agents that run"));
    }

    void stopAll()
    {
        m_isStopping = true;
        m_stage.play(QStringLiteral("stopAll +1h"));
        if (!m_allStopped)
            fault(QStringLiteral("not all agents have stopped"));
    }

    [[nodiscard]] QString fault() const { return m_fault; }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

    QString word()
    {
        static const QStringList words{
            QStringLiteral("start"), QStringLiteral("stop"),    QStringLiteral("restart"),
            QStringLiteral("retry"), QStringLiteral("isolate"), QStringLiteral("release"),
            QStringLiteral("reset"), QStringLiteral("stopAll"),
        };
        if (below(12) == 0) // of the first agent
            return QStringLiteral("policy:'stableAfter':'2s','initialDelay':'%1s'")
                .arg(1 + below(4));
        const QString chosen = words.at(below(static_cast<int>(words.size())));
        return chosen + u':' + nameOf(below(agentCount));
    }

    AgentScript script()
    {
        QStringList runs;
        for (int run = below(4); run > 0; --run) {
            static const QStringList ways{QStringLiteral("fail"),
                                          QStringLiteral("started +1s fail"),
                                          QStringLiteral("started +1s ready +3s fail"),
                                          QStringLiteral("started ready +9s fail"),
                                          QStringLiteral("started ready +2s exit42")};
            runs.append(ways.at(below(static_cast<int>(ways.size()))));
        }
        runs.append(QStringLiteral("started +%1ms ready").arg(below(5000)));
        AgentScript script{.runs = runs.join(u'|')};
        if (below(3) == 0)
            script.onStop = QStringLiteral("+%1ms stopped").arg(below(3000));
        return script;
    }

    QList<Dependency> dependencies(int agent)
    {
        QList<Dependency> found;
        for (int other = agent + 1; other < agentCount; ++other) {
            if (below(3) != 0)
                continue;
            found.append(
                {.agent = nameOf(other),
                 .until = std::array{DependencyLevel::Started, DependencyLevel::Ready,
                                     DependencyLevel::Stable}[below(3)],
                 .onDown = std::array{OnDown::Keep, OnDown::Stop, OnDown::Restart}[below(3)],
                 .downGrace = std::chrono::seconds(below(3))});
        }
        return found;
    }

    void check(const QString &name, const QString &word)
    {
        if (word == QLatin1String("TWICE"))
            fault(name + QStringLiteral(" was started twice"));
        if (word == QLatin1String("START") && !m_dependencies.unmet(name).isEmpty())
            fault(name + QStringLiteral(" was started before ")
                  + m_dependencies.unmet(name).at(0).agent);
        if (!m_isStopping || word != QLatin1String("STOP"))
            return;
        for (const QString &dependent : m_dependencies.graph().dependents(name)) {
            if (m_stage.supervisor.agent(m_stage.supervisor.idOf(dependent))->isAlive())
                fault(name + QStringLiteral(" was stopped before ") + dependent);
        }
    }

    void fault(const QString &text)
    {
        if (m_fault.isEmpty())
            m_fault = text;
    }

    std::mt19937 m_random;
    Stage m_stage;
    StartGate m_gate;
    AgentDependencies m_dependencies;
    bool m_isStopping = false;
    bool m_allStopped = false;
    QString m_fault;
};

} // namespace

class DependencyChaosTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ordersHoldAndEverythingConverges()
    {
        constexpr unsigned runs = runsHere(500);
        for (unsigned seed = 1; seed <= runs; ++seed) {
            Chaos chaos(seed);
            chaos.play();
            chaos.converge();
            chaos.stopAll();
            QVERIFY2(chaos.fault().isEmpty(),
                     qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(chaos.fault())));
        }
    }
};

REKINDLE_TEST(DependencyChaosTest)
#include "dependencychaostest.moc"
