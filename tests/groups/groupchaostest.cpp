// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "sanitizer.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/policy/journalentry.h>

#include <algorithm>
#include <array>
#include <random>

using namespace Rekindle;

// Random agents, groups, dependencies, limits, shared breakers, failures and commands, each trace
// from a seed.
//
// REKINDLE_GROUP_TRACES sets the number of traces, and REKINDLE_GROUP_SEED the first seed.

namespace {

/// A random number generator with the same numbers on all platforms.
class Dice
{
public:
    explicit Dice(unsigned seed)
        : m_random(seed)
    {
    }

    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
    bool oneIn(int number) { return below(number) == 0; }
    template<typename Value>
    Value oneOf(std::initializer_list<Value> values)
    {
        return *(values.begin() + below(static_cast<int>(values.size())));
    }
    QString textOf(std::initializer_list<const char *> texts)
    {
        return QLatin1String(oneOf(texts));
    }

private:
    std::mt19937 m_random;
};

/// What a trace consists of.
struct TracePlan
{
    struct Agent
    {
        QString name{};
        AgentScript script{};
        QString policy{};
        int failingRuns = 0; ///< at the beginning of the script
        Duration startTimeout{0};
        QStringList required{}; ///< shared breakers
    };

    explicit TracePlan(Dice &theDice)
        : dice(theDice)
    {
        const int count = 2 + dice.below(7);
        for (int i = 0; i < count; ++i)
            agents.append(agent(QStringLiteral("a%1").arg(i)));
        addGroups();
        addBreakers();
        if (dice.oneIn(2)) {
            limits = GovernorLimits{.maxStarting = 1 + dice.below(3),
                                    .rate = 1 + dice.below(10),
                                    .burst = 1 + dice.below(5)};
        }
    }

    QList<Dependency> dependencies()
    {
        QList<Dependency> found;
        for (const Agent &each : std::as_const(agents)) {
            if (!dice.oneIn(6))
                continue;
            found.append(
                {.agent = each.name,
                 .until = dice.oneOf(
                     {DependencyLevel::Started, DependencyLevel::Ready, DependencyLevel::Stable}),
                 .onDown = dice.oneOf({OnDown::Keep, OnDown::Keep, OnDown::Stop, OnDown::Restart}),
                 .downGrace = std::chrono::seconds(dice.below(3))});
        }
        return found;
    }

    [[nodiscard]] int failingRuns() const
    {
        int sum = 0;
        for (const Agent &each : agents)
            sum += each.failingRuns;
        return sum;
    }

    Dice &dice;
    QList<Agent> agents;
    QList<GroupDefinition> groups;
    QList<SharedBreakerPolicy> breakers;
    std::optional<GovernorLimits> limits;

private:
    void addBreakers()
    {
        const int count = dice.below(3);
        for (int i = 0; i < count; ++i) {
            const int threshold = 1 + dice.below(3);
            breakers.append(
                {.name = QStringLiteral("b%1").arg(i),
                 .threshold = threshold,
                 .agents = 1 + dice.below(std::min(threshold, 2)),
                 .timeout = std::chrono::seconds(1 + dice.below(5)),
                 .maxTimeout = std::chrono::seconds(10),
                 .provenAfter = dice.oneOf<Duration>({Duration(), std::chrono::seconds(2)})});
            for (Agent &each : agents) {
                if (dice.oneIn(2))
                    each.required.append(breakers.constLast().name);
            }
        }
    }

    Agent agent(const QString &name)
    {
        Agent result{.name = name};
        QStringList runs;
        for (result.failingRuns = dice.below(4); runs.size() < result.failingRuns;) {
            runs.append(dice.textOf(
                {"fail", "started +700ms fail", "started +1s ready +3s fail",
                 "started ready +9s fail", "started ready +2s exit42", "started +1s exit42",
                 "started ready +3s stopped", "started +1s stopped", "started +1h",
                 "started ready +1s fail:1", "started ready fail:DependencyFailure",
                 "started down:b0", "started ready +1s down:b0", "started +1s down:b1",
                 "started ready +1s down:b1"}));
        }
        runs.append(QStringLiteral("started +%1ms ready").arg(dice.below(2) * dice.below(3000)));
        result.script.runs = runs.join(u'|');
        result.script.onStop = dice.textOf({"stopped", "stopped", "+700ms stopped",
                                            "+1500ms stopped", "", "+500ms fail", "+600ms exit42"});
        result.startTimeout = std::chrono::milliseconds(3500 + dice.below(1000));
        result.policy =
            QStringLiteral("'stableAfter':'2s','stopTimeout':'2s','startTimeout':'%1','maxRetries':"
                           "%2,'initialDelay':'%3ms'")
                .arg(durationToString(result.startTimeout))
                .arg(dice.oneOf({0, 1, 3, 10, 10}))
                .arg(dice.oneOf({0, 100, 1000}));
        return result;
    }

    void addGroups()
    {
        const int count = 1 + dice.below(std::min<int>(3, static_cast<int>(agents.size())));
        for (int i = 0; i < count; ++i) {
            GroupDefinition group{.name = QStringLiteral("g%1").arg(i)};
            group.strategy = dice.oneOf(
                {GroupStrategy::OneForOne, GroupStrategy::OneForAll, GroupStrategy::RestForOne});
            group.maxRestarts = dice.oneOf({0, 1, 3, 10});
            group.period = dice.oneOf<Duration>({std::chrono::seconds(5), std::chrono::minutes(1)});
            group.onGiveUp = dice.oneOf({OnGiveUp::Stop, OnGiveUp::Keep, OnGiveUp::Escalate});
            if (dice.oneIn(4))
                group.rearmAfter = std::chrono::seconds(5);
            groups.append(group);
            if (i > 0 && !dice.oneIn(4))
                groups[dice.below(i)].members.append({.name = group.name, .isGroup = true});
        }
        for (qsizetype i = 0; i < agents.size(); ++i) {
            if (i >= count && dice.oneIn(6))
                continue; // an agent outside of the groups
            QList<GroupMember> &members = groups[i < count ? i : dice.below(count)].members;
            members.insert(dice.below(static_cast<int>(members.size()) + 1),
                           {.name = agents.at(i).name});
        }
        for (GroupDefinition &each : groups) {
            if (!dice.oneIn(5))
                continue;
            each.members[dice.below(static_cast<int>(each.members.size()))].significant = true;
            each.autoShutdown =
                dice.oneOf({AutoShutdown::AnySignificant, AutoShutdown::AllSignificant});
        }
    }
};

/// Records why an agent starts and stops, and its holds, independently of the agents' states.
class CauseJournal
{
public:
    struct Causes
    {
        Holds holds{};
        Instant permittedAt{}; ///< by its group; the maximum: not permitted
        InputKind stop{};
        Holds stopHolds{};
        bool stopByHost = false;
        bool startByOperator = false;
        bool wasOperated =
            false; ///< an operator has started or restarted it; it was not ready since
    };

    void record(const JournalEntry &entry)
    {
        if (entry.kind != JournalEntry::Kind::Input)
            return;
        Causes &causes = m_causes[entry.instanceId];
        switch (entry.input) {
        case InputKind::Start:
        case InputKind::Restart:
            causes.stop = entry.input;
            [[fallthrough]];
        case InputKind::ResetBreaker:
        case InputKind::ReleaseBreaker:
            causes.startByOperator = !entry.byHost;
            causes.wasOperated = causes.wasOperated || !entry.byHost;
            break;
        case InputKind::Ready:
            causes.wasOperated = false;
            break;
        case InputKind::AddHolds:
            causes.holds |= entry.holds;
            forbid(causes, entry.holds);
            break;
        case InputKind::LiftHolds:
            causes.holds &= ~entry.holds;
            if (entry.holds.testFlag(Hold::Group))
                causes.permittedAt = entry.time;
            break;
        case InputKind::GroupStop:
        case InputKind::GiveUp:
        case InputKind::Stop:
            causes.holds |= entry.holds;
            forbid(causes, entry.holds);
            causes.stop = entry.input;
            causes.stopHolds = entry.holds;
            causes.stopByHost = entry.byHost;
            break;
        case InputKind::Unhealthy:
        case InputKind::RequestRestart:
        case InputKind::Deadline:
            if (causes.stop != InputKind::Stop) // no effect on an agent that is being stopped
                causes.stop = entry.input;
            break;
        default:
            break;
        }
    }

    Causes of(const QUuid &id) const { return m_causes.value(id); }

private:
    static void forbid(Causes &causes, Holds holds)
    {
        if (holds.testFlag(Hold::Group))
            causes.permittedAt = Instant::max();
    }

    QHash<QUuid, Causes> m_causes;
};

/// The place of a member in a group that contains it, directly or not.
struct Level
{
    QString group{};
    qsizetype member = 0;
};

/// The groups of a trace, as the design describes them.
class GroupTree
{
public:
    explicit GroupTree(const QList<GroupDefinition> &groups)
    {
        for (const GroupDefinition &each : groups) {
            m_groups.insert(each.name, each);
            for (qsizetype i = 0; i < each.members.size(); ++i)
                m_places.insert(each.members.at(i).name, {each.name, i});
        }
    }

    /// From the inside to the outside.
    [[nodiscard]] QList<Level> levels(const QString &member) const
    {
        QList<Level> all;
        for (QString name = member; m_places.contains(name); name = all.constLast().group)
            all.append(m_places.value(name));
        return all;
    }
    [[nodiscard]] const GroupDefinition definition(const QString &group) const
    {
        return m_groups.value(group);
    }
    [[nodiscard]] QStringList agents(const GroupMember &member) const
    {
        if (!member.isGroup)
            return {member.name};
        QStringList all;
        const QList<GroupMember> members = definition(member.name).members;
        for (const GroupMember &each : members)
            all += agents(each);
        return all;
    }
    [[nodiscard]] QStringList agentsAfter(const Level &level) const
    {
        QStringList all;
        const QList<GroupMember> members = definition(level.group).members;
        for (qsizetype i = level.member + 1; i < members.size(); ++i)
            all += agents(members.at(i));
        return all;
    }

private:
    QHash<QString, GroupDefinition> m_groups;
    QHash<QString, Level> m_places;
};

/// Plays a trace and checks it.
class GroupTrace
{
public:
    explicit GroupTrace(unsigned seed)
        : m_dice(seed)
        , m_plan(m_dice)
        , m_tree(m_plan.groups)
        , m_dependencies(m_stage.supervisor)
        , m_groups(m_dependencies)
        , m_gate(m_stage.supervisor)
        , m_breakers(m_stage.supervisor, &m_gate)
    {
        EvaluatorPort(m_stage.supervisor.policyEvaluator())
            .setInputJournal([this](const JournalEntry &entry) { m_journal.record(entry); });
        m_gate.setLimits(m_plan.limits);
        for (const TracePlan::Agent &each : std::as_const(m_plan.agents)) {
            note(QStringLiteral("%1 = %2 [%3] %4")
                     .arg(each.name, each.script.runs, each.script.onStop, each.policy));
            const auto added = m_stage.supervisor.add(
                each.name,
                std::make_unique<ScriptedAgent>(
                    m_stage.scheduler, each.script,
                    [this, name = each.name](const QString &word) { onReport(name, word); }),
                policyOf(each.policy));
            Q_ASSERT(added);
        }
        QObject::connect(&m_groups, &AgentGroups::groupStateChanged, &m_stage.supervisor,
                         [this](const QString &group, GroupState before, GroupState state) {
                             note(group + u'.' + toText(state));
                             m_changes[group] = ++m_changeCount;
                             if (before == GroupState::Running)
                                 m_notReadySince[group] = m_stage.scheduler.now();
                             if (state == GroupState::Stopped || state == GroupState::Exhausted)
                                 m_turns.remove(group);
                             if (state != GroupState::Stopping)
                                 m_stoppingByItself.remove(group);
                         });
        QObject::connect(
            &m_groups, &AgentGroups::groupRestarting, &m_stage.supervisor,
            [this](const QString &group, const QString &member) { note(group + u'!' + member); });
        QObject::connect(&m_groups, &AgentGroups::groupExhausted, &m_stage.supervisor,
                         [this](const QString &group, const QString &member) {
                             note(group + QStringLiteral(".EXHAUSTED:") + member);
                             m_stoppingByItself.insert(group);
                         });
        QObject::connect(&m_stage.supervisor, &AgentSupervisor::allStopped, &m_stage.supervisor,
                         [this] { m_allStopped = true; });
        QObject::connect(&m_stage.supervisor.policyEvaluator(),
                         &RestartPolicyEvaluator::stateChanged, &m_stage.supervisor,
                         [this](const QUuid &id, InstanceState state) {
                             const QString name = m_stage.supervisor.policyEvaluator().name(id);
                             note(name + u'.' + toText(state));
                             if (state != InstanceState::Running)
                                 m_notReadySince[name] = m_stage.scheduler.now();
                             if (isTerminal(state))
                                 m_turns.remove(name);
                         });
        const QStringList faults = m_groups.setGroups(m_plan.groups);
        if (!faults.isEmpty())
            fault(faults.join(u'\n'));
        for (const GroupDefinition &each : std::as_const(m_plan.groups))
            note(textOf(each));
        if (m_plan.limits)
            note(QStringLiteral("governor %1 %2")
                     .arg(m_plan.limits->maxStarting)
                     .arg(m_plan.limits->rate));
        if (!m_dice.oneIn(3)) {
            for (const TracePlan::Agent &each : std::as_const(m_plan.agents))
                depend(each.name);
        }
        addBreakers();
    }

    void play()
    {
        act(QStringLiteral("startAll"));
        for (int step = 0; step < 25; ++step) {
            playStep();
            act(QStringLiteral("+%1ms").arg(m_dice.oneOf({0, 200, 1000, 4000, 20'000})));
            checkHolds();
        }
    }

    /// After failures have ceased, a start of all agents has the effect that all run.
    void converge()
    {
        for (const SharedBreakerPolicy &each : std::as_const(m_plan.breakers))
            m_breakers.release(each.name);
        for (int round = m_plan.failingRuns() + 2; round > 0 && hasFailures(); --round)
            act(QStringLiteral("startAll +10m"));
        act(QStringLiteral("startAll +10m"));
        // A start has no effect on an agent that its group or a dependency is about to stop.
        act(QStringLiteral("startAll +10m"));
        checkHolds();
        for (const TracePlan::Agent &each : std::as_const(m_plan.agents)) {
            const AgentSnapshot agent = snapshotOf(each.name);
            if (agent.state != InstanceState::Running)
                fault(
                    QStringLiteral("%1 is %2, held by %3")
                        .arg(each.name, toText(agent.state), toTexts(agent.holdCauses).join(u',')));
        }
        for (const GroupDefinition &each : std::as_const(m_plan.groups)) {
            if (m_groups.state(each.name) != GroupState::Running)
                fault(each.name + QStringLiteral(" is not Running"));
        }
    }

    void stopAll()
    {
        m_allStopped = false;
        m_isStopping = true;
        act(QStringLiteral("stopAll +1h"));
        m_isStopping = false;
        if (!m_allStopped)
            fault(QStringLiteral("not all agents have stopped"));
    }

    [[nodiscard]] QString fault() const { return m_fault; }
    void print() const
    {
        for (const QString &each : m_notes)
            qWarning().noquote() << each;
    }

private:
    [[nodiscard]] QUuid idOf(const QString &agent) const { return m_stage.supervisor.idOf(agent); }
    [[nodiscard]] AgentSnapshot snapshotOf(const QString &agent) const
    {
        return m_stage.supervisor.snapshot(idOf(agent)).value();
    }
    [[nodiscard]] bool isAlive(const QString &agent) const
    {
        return m_stage.supervisor.agent(idOf(agent))->isAlive();
    }

    static QString textOf(const GroupDefinition &group)
    {
        QStringList members;
        for (const GroupMember &each : group.members)
            members.append(each.name + (each.significant ? QStringLiteral("*") : QString()));
        return QStringLiteral("%1: %2 %3/%4 %5 %6 %7")
            .arg(group.name, toText(group.strategy))
            .arg(group.maxRestarts)
            .arg(durationToString(group.period), toText(group.onGiveUp), toText(group.autoShutdown),
                 members.join(u','));
    }

    void note(const QString &text)
    {
        m_notes.append(durationToString(m_stage.scheduler.now() - m_begin) + u' ' + text);
    }

    void fault(const QString &text)
    {
        note(QStringLiteral("FAULT: ") + text);
        if (m_fault.isEmpty())
            m_fault = text;
    }

    void act(const QString &words)
    {
        note(QStringLiteral("> ") + words);
        m_stage.play(words);
    }

    void depend(const QString &agent)
    {
        const QList<Dependency> all = m_plan.dependencies();
        // A cycle changes nothing.
        if (m_dependencies.setDependencies(agent, all).isEmpty()) {
            for (const Dependency &each : all)
                note(QStringLiteral("%1 depends on %2 %3 %4")
                         .arg(agent, each.agent, toText(each.until), toText(each.onDown)));
        }
    }

    void addBreakers()
    {
        QObject::connect(
            &m_breakers, &SharedBreakers::stateChanged, &m_stage.supervisor,
            [this](const QString &breaker, CircuitBreakerState, CircuitBreakerState state,
                   const QString &agent) { note(breaker + u'.' + toText(state) + u':' + agent); });
        const QStringList faults = m_breakers.setBreakers(m_plan.breakers);
        if (!faults.isEmpty())
            fault(faults.join(u'\n'));
        for (const SharedBreakerPolicy &each : std::as_const(m_plan.breakers))
            note(QStringLiteral("%1: %2 votes of %3, %4")
                     .arg(each.name)
                     .arg(each.threshold)
                     .arg(each.agents)
                     .arg(durationToString(each.timeout)));
        for (const TracePlan::Agent &each : std::as_const(m_plan.agents)) {
            m_breakers.setRequired(each.name, each.required);
            if (!each.required.isEmpty())
                note(each.name + QLatin1String(" requires ") + each.required.join(u','));
        }
    }

    void operateBreaker(const QString &breaker)
    {
        const int action = m_dice.below(4);
        note(QStringLiteral("> breaker %1 %2").arg(breaker).arg(action));
        if (action == 0)
            m_breakers.isolate(breaker);
        else if (action == 1)
            m_breakers.reset(breaker);
        else
            m_breakers.release(breaker);
    }

    void playStep()
    {
        if (!m_plan.breakers.isEmpty() && m_dice.oneIn(10)) {
            operateBreaker(
                m_plan.breakers.at(m_dice.below(static_cast<int>(m_plan.breakers.size()))).name);
            return;
        }
        const QString agent =
            m_plan.agents.at(m_dice.below(static_cast<int>(m_plan.agents.size()))).name;
        switch (m_dice.below(16)) {
        case 0:
            depend(agent);
            return;
        case 1: {
            const QString group =
                m_plan.groups.at(m_dice.below(static_cast<int>(m_plan.groups.size()))).name;
            note(QStringLiteral("> stop group ") + group);
            m_stoppingByItself.insert(group);
            m_groups.stop(group);
            return;
        }
        case 2:
            fail(agent);
            return;
        case 3:
            if (m_dice.oneIn(4)) {
                stopAll();
                act(QStringLiteral("startAll"));
            }
            return;
        case 4:
            act(QStringLiteral("startAll"));
            return;
        case 5:
            reload();
            return;
        default:
            break;
        }
        act(m_dice.textOf(
                {"start", "start", "stop", "restart", "retry", "reset", "isolate", "release"})
            + (u':' + agent));
    }

    /// Replaces the groups, which may be doing anything.
    void reload()
    {
        QList<GroupDefinition> next = m_plan.groups;
        GroupDefinition &group = next[m_dice.below(static_cast<int>(next.size()))];
        const int last = static_cast<int>(group.members.size()) - 1;
        const int change = m_dice.below(6);
        switch (change) {
        case 0: // none
            break;
        case 1:
            group.maxRestarts = m_dice.oneOf({0, 1, 3, 10});
            group.strategy = m_dice.oneOf({GroupStrategy::OneForOne, GroupStrategy::OneForAll});
            break;
        case 2:
            group.members.swapItemsAt(m_dice.below(last + 1), last);
            break;
        case 3:
            moveMember(group, next);
            break;
        case 4: { // an agent joins
            const QString agent =
                m_plan.agents.at(m_dice.below(static_cast<int>(m_plan.agents.size()))).name;
            if (m_tree.levels(agent).isEmpty())
                group.members.insert(m_dice.below(last + 2), {.name = agent});
            break;
        }
        default: // the group disappears
            removeGroup(group.name, next);
            break;
        }
        note(QStringLiteral("> reload"));
        if (!m_groups.setGroups(next).isEmpty()) { // for example, a cycle with the dependencies
            note(QStringLiteral("rejected"));
            return;
        }
        for (const GroupDefinition &each : std::as_const(next))
            note(textOf(each));
        m_plan.groups = next;
        m_tree = GroupTree(next);
        m_hasNewOrder = m_hasNewOrder || change > 1;
    }

    /// Moves a member to another group, or out of all groups.
    void moveMember(GroupDefinition &from, QList<GroupDefinition> &all)
    {
        const int index = m_dice.below(static_cast<int>(from.members.size()));
        if (from.members.size() == 1 || from.members.at(index).significant)
            return;
        const GroupMember member = from.members.takeAt(index);
        GroupDefinition &to = all[m_dice.below(static_cast<int>(all.size()))];
        if (to.name != from.name && !m_dice.oneIn(4))
            to.members.insert(m_dice.below(static_cast<int>(to.members.size()) + 1), member);
    }

    static void removeGroup(const QString &name, QList<GroupDefinition> &all)
    {
        if (all.size() == 1)
            return;
        for (GroupDefinition &each : all)
            each.members.removeIf([&name](const GroupMember &member) {
                return member.isGroup && member.name == name;
            });
        all.removeIf([&name](const GroupDefinition &each) { return each.name == name; });
    }

    /// The agent does not respond.
    void fail(const QString &agent)
    {
        note(QStringLiteral("> hung ") + agent);
        RestartPolicyEvaluator &evaluator = m_stage.supervisor.policyEvaluator();
        EvaluatorPort(evaluator).reportUnhealthy(idOf(agent), snapshotOf(agent).generation,
                                                 {.reason = FailureReason::HealthCheckFailed});
    }

    [[nodiscard]] bool hasFailures() const
    {
        return std::any_of(m_plan.agents.begin(), m_plan.agents.end(),
                           [this](const TracePlan::Agent &each) {
                               return m_starts.value(each.name) <= each.failingRuns;
                           });
    }

    void onReport(const QString &agent, const QString &word)
    {
        note(agent + u'.' + word);
        if (word == QLatin1String("TWICE"))
            fault(agent + QStringLiteral(" has two processes"));
        else if (word == QLatin1String("START"))
            checkStart(agent);
        else if (word == QLatin1String("STOP"))
            checkStop(agent);
    }

    void checkStart(const QString &agent)
    {
        ++m_starts[agent];
        m_startedAt[agent] = m_stage.scheduler.now();
        const CauseJournal::Causes causes = m_journal.of(idOf(agent));
        // The trial of a shared breaker is held again when its start begins.
        if (causes.holds & ~Holds(Hold::SharedBreaker))
            fault(QStringLiteral("%1 was started while it is held (%2)")
                      .arg(agent)
                      .arg(causes.holds.toInt()));
        for (const Dependency &each : m_dependencies.unmet(agent))
            fault(agent + QStringLiteral(" was started before ") + each.agent);
        const QStringList required = m_breakers.required(agent);
        for (const QString &each : required) {
            if (isOpen(each) && m_breakers.trial(each) != idOf(agent))
                fault(agent + QStringLiteral(" was started without ") + each);
        }
        const QList<Level> levels = m_tree.levels(agent);
        for (const Level &level : levels) {
            const QString member = m_tree.definition(level.group).members.at(level.member).name;
            if (hasHadTurn(member))
                continue;
            checkOrder(agent, level);
            m_turns.insert(member, m_stage.scheduler.now());
        }
        if (!m_plan.limits || causes.startByOperator)
            return;
        // A start of an operator that passes between the grant and the launch is not counted.
        const auto starting = std::count_if(
            m_plan.agents.begin(), m_plan.agents.end(), [this](const TracePlan::Agent &each) {
                return snapshotOf(each.name).state == InstanceState::Starting
                    && !m_journal.of(idOf(each.name)).startByOperator;
            });
        if (starting > m_plan.limits->maxStarting)
            fault(QStringLiteral("%1 are starting").arg(starting));
    }

    [[nodiscard]] bool isOpen(const QString &breaker) const
    {
        return m_breakers.info(breaker)->state != CircuitBreakerState::Closed;
    }

    /// In a running group, a start waits for no other.
    void checkOrder(const QString &agent, const Level &level)
    {
        if (m_hasNewOrder || m_groups.state(level.group) == GroupState::Running)
            return;
        const QList<GroupMember> members = m_tree.definition(level.group).members;
        // The turn of a group is the turn of its first agent, which may still be held for other
        // reasons.
        Instant permittedAt = Instant::max();
        for (const QString &each : m_tree.agents(members.at(level.member)))
            permittedAt = std::min(permittedAt, m_journal.of(idOf(each)).permittedAt);
        if (wasReadyAt(level.group, permittedAt))
            return;
        for (qsizetype i = 0; i < level.member; ++i) {
            const GroupMember &member = members.at(i);
            if (member.isGroup
                && (m_groups.state(member.name) == GroupState::Running
                    || wasReadyAt(member.name, m_turns.value(member.name, permittedAt))))
                continue;
            for (const QString &each : m_tree.agents(member)) {
                if (!isPassed(each) && !wasReadyAt(each, permittedAt))
                    fault(QStringLiteral("%1 was started while %2 is %3 in %4")
                              .arg(agent, each, toText(snapshotOf(each).state), level.group));
            }
        }
    }

    /// Since then, the start may have waited for other reasons.
    [[nodiscard]] bool wasReadyAt(const QString &member, Instant time) const
    {
        return m_notReadySince.value(member, Instant::min()) >= time;
    }

    /// Ended, absent or given up.
    static bool isTerminal(InstanceState state)
    {
        return state == InstanceState::Stopped || state == InstanceState::Exhausted
            || state == InstanceState::Failed || state == InstanceState::Gated;
    }
    [[nodiscard]] bool isReadyOrDone(const QString &agent) const
    {
        const InstanceState state = snapshotOf(agent).state;
        return state == InstanceState::Running || isTerminal(state);
    }
    [[nodiscard]] bool isPassed(const QString &agent) const
    {
        if (isReadyOrDone(agent))
            return true;
        // No member waits for one that an operator stops, starts or restarts.
        const CauseJournal::Causes causes = m_journal.of(idOf(agent));
        if (causes.wasOperated)
            return true;
        const InputKind cause = causes.stop;
        return hasHadTurn(agent)
            && (cause == InputKind::Stop || cause == InputKind::Start
                || cause == InputKind::Restart);
    }

    [[nodiscard]] bool hasHadTurn(const QString &member) const
    {
        if (!m_turns.contains(member))
            return false;
        const QUuid id = idOf(member);
        return id.isNull() || m_turns.value(member) >= m_journal.of(id).permittedAt;
    }

    void checkStop(const QString &agent)
    {
        if (m_isStopping) {
            checkStopAll(agent);
            return;
        }
        const CauseJournal::Causes causes = m_journal.of(idOf(agent));
        const bool isByGroup = causes.stop == InputKind::GiveUp
            || (causes.stop == InputKind::GroupStop && causes.stopHolds.testFlag(Hold::Group))
            || (causes.stop == InputKind::Stop && causes.stopByHost && !canBeStopped(agent));
        const QList<Level> levels = m_tree.levels(agent);
        if (m_hasNewOrder || !isByGroup || levels.isEmpty())
            return;
        checkReverseOrder(agent, levels.at(0));
        for (qsizetype i = 1;
             i < levels.size() && isStoppedByParent(levels.at(i - 1), levels.at(i)); ++i)
            checkReverseOrder(agent, levels.at(i));
    }

    /// By a dependency.
    [[nodiscard]] bool canBeStopped(const QString &agent) const
    {
        const QList<Dependency> all = m_dependencies.graph().dependencies(agent);
        return std::any_of(all.begin(), all.end(),
                           [](const Dependency &each) { return each.onDown != OnDown::Keep; });
    }

    [[nodiscard]] bool isStoppedByParent(const Level &inner, const Level &outer) const
    {
        const GroupDefinition definition = m_tree.definition(inner.group);
        const std::optional<GroupState> state = m_groups.state(outer.group);
        const bool stopsAll = state == GroupState::Stopping
            || (state == GroupState::StoppingMembers
                && m_tree.definition(outer.group).strategy == GroupStrategy::OneForAll);
        return stopsAll && m_groups.state(inner.group) == GroupState::Stopping
            && m_changes.value(outer.group) < m_changes.value(inner.group)
            && !m_stoppingByItself.contains(inner.group)
            && definition.autoShutdown == AutoShutdown::Never
            && definition.onGiveUp != OnGiveUp::Stop;
    }

    void checkReverseOrder(const QString &agent, const Level &level)
    {
        const std::optional<GroupState> state = m_groups.state(level.group);
        if (state != GroupState::Stopping && state != GroupState::StoppingMembers)
            return;
        for (const QString &each : m_tree.agentsAfter(level)) {
            if (isAlive(each))
                fault(
                    QStringLiteral("%1 was stopped before %2 in %3").arg(agent, each, level.group));
        }
    }

    void checkStopAll(const QString &agent)
    {
        if (m_stage.scheduler.now() - m_startedAt.value(agent) == startTimeoutOf(agent))
            return;
        QStringList later = m_dependencies.graph().dependents(agent);
        const QList<Level> levels = m_tree.levels(agent);
        for (const Level &level : levels)
            later += m_tree.agentsAfter(level);
        for (const QString &each : std::as_const(later)) {
            if (isAlive(each))
                fault(agent + QStringLiteral(" was stopped before ") + each);
        }
    }

    [[nodiscard]] Duration startTimeoutOf(const QString &agent) const
    {
        for (const TracePlan::Agent &each : m_plan.agents) {
            if (each.name == agent)
                return each.startTimeout;
        }
        return {};
    }

    /// Each hold has a text, and its cause exists.
    void checkHolds()
    {
        for (const TracePlan::Agent &each : std::as_const(m_plan.agents)) {
            const AgentSnapshot agent = snapshotOf(each.name);
            for (const QString &text : toTexts(agent.holdCauses)) {
                if (!hasCause(text, each.name))
                    fault(QStringLiteral("%1 is %2, held by \"%3\"")
                              .arg(each.name, toText(agent.state), text));
            }
        }
    }

    [[nodiscard]] bool hasCause(const QString &text, const QString &agent) const
    {
        const QStringList words = text.split(u' ');
        if (words.at(0) == QLatin1String("governor:"))
            return m_gate.governor().isQueued(idOf(agent));
        if (words.at(0) == QLatin1String("dependency"))
            return !m_dependencies.unmet(agent).isEmpty();
        if (words.at(0) == QLatin1String("shared"))
            return m_breakers.required(agent).contains(words.value(2)) && isOpen(words.value(2))
                && (m_isStopping || !couldBeTrial(agent));
        if (words.at(0) != QLatin1String("group"))
            return false;
        const std::optional<GroupState> state = m_groups.state(words.value(1));
        if (text.endsWith(QLatin1String(" (given up)")))
            return state == GroupState::Exhausted;
        if (text.endsWith(QLatin1String(" (not started since it gave up)")))
            return snapshotOf(agent).state == InstanceState::Exhausted;
        if (text.endsWith(QLatin1String(" (stopping its members)")))
            return isAnyAlive(words.at(1));
        if (text.endsWith(QLatin1String(" (exit of its old process)")))
            return isAlive(agent);
        if (text.endsWith(QLatin1String(" (its turn to start)")))
            return m_tree.levels(words.at(1)).size() > 0;
        if (text.contains(QLatin1String(" (restart of ")))
            return state == GroupState::StartingMembers;
        const QString cause = words.value(2).mid(1); // "group g (b is not ready)"
        if (const std::optional<GroupState> group = m_groups.state(cause))
            return *group != GroupState::Running && *group != GroupState::Exhausted;
        // A member that had ended is started again when the delay has passed.
        const bool startsAgain = state == GroupState::StartingMembers
            && snapshotOf(cause).state == InstanceState::Stopped;
        return text.endsWith(QLatin1String(" is not ready)"))
            && (startsAgain || !isReadyOrDone(cause));
    }

    /// Whether its start is due and each breaker that holds it is due for a trial. Then it must
    /// have begun.
    [[nodiscard]] bool couldBeTrial(const QString &agent) const
    {
        const auto start =
            EvaluatorPort(m_stage.supervisor.policyEvaluator()).dueStart(idOf(agent));
        if (!start || (start->holds & ~(Holds(Hold::SharedBreaker) | Hold::Governor)))
            return false;
        const QStringList names = m_breakers.required(agent);
        return std::all_of(names.begin(), names.end(), [this](const QString &name) {
            const CircuitBreakerInfo breaker = m_breakers.info(name).value();
            return breaker.state == CircuitBreakerState::Closed
                || (breaker.state == CircuitBreakerState::Open
                    && !breaker.isolated
                    // Not equal, because these times are in milliseconds.
                    && breaker.resetAt.value() < m_stage.scheduler.clock().utcNow());
        });
    }

    [[nodiscard]] bool isAnyAlive(const QString &group) const
    {
        const QStringList agents = m_tree.agents({.name = group, .isGroup = true});
        return std::any_of(agents.begin(), agents.end(),
                           [this](const QString &each) { return isAlive(each); });
    }

    Dice m_dice;
    TracePlan m_plan;
    GroupTree m_tree;
    CauseJournal m_journal;
    Stage m_stage;
    AgentDependencies m_dependencies;
    AgentGroups m_groups;
    StartGate m_gate;
    SharedBreakers m_breakers;
    Instant m_begin = m_stage.scheduler.now();
    QHash<QString, int> m_starts;
    QHash<QString, Instant> m_startedAt;
    QHash<QString, Instant> m_notReadySince; ///< of agents and groups
    /// Agents and groups that were permitted to start, with the time. They restart by themselves;
    /// later members do not wait for a group that has been ready.
    QHash<QString, Instant> m_turns;
    QHash<QString, int> m_changes; ///< the number of the last change of a group's state
    int m_changeCount = 0;
    QSet<QString> m_stoppingByItself; ///< groups that stop not because of their parents
    /// Other members or another order since the begin. What was permitted before is not known then.
    bool m_hasNewOrder = false;
    bool m_isStopping = false;
    bool m_allStopped = false;
    QString m_fault;
    QStringList m_notes;
};

unsigned numberFrom(const char *variable, unsigned standard)
{
    bool isNumber = false;
    const unsigned number = qEnvironmentVariable(variable).toUInt(&isNumber);
    return isNumber ? number : standard;
}

} // namespace

class GroupChaosTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    }

    void cleanupTestCase() { QLoggingCategory::setFilterRules({}); }

    void ordersHoldAndEverythingConverges()
    {
        const unsigned first = numberFrom("REKINDLE_GROUP_SEED", 1);
        const unsigned count = numberFrom("REKINDLE_GROUP_TRACES", runsHere(500));
        for (unsigned seed = first; seed - first < count; ++seed) {
            GroupTrace trace(seed);
            trace.play();
            trace.converge();
            trace.stopAll();
            if (trace.fault().isEmpty())
                continue;
            trace.print();
            QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(trace.fault())));
        }
    }
};

REKINDLE_TEST(GroupChaosTest)
#include "groupchaostest.moc"
