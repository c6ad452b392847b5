// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/counterfactualreplay.h>

#include "policy/internal/operatorinput.h"
#include "simulationrun_p.h"

#include <rekindle/policy/policygate.h>

#include <QSet>

#include <algorithm>
#include <map>

namespace Rekindle {

namespace {

/// An agent of the run under both settings.
struct Compared
{
    std::size_t recordedPosition = 0;              ///< in the figures
    std::size_t changedPosition = 0;               ///< if it is configured
    std::shared_ptr<const RestartPolicy> policy{}; ///< the other one; null: it is not configured
    bool gated = false;                            ///< by the license tier
    std::optional<Instance> recorded{};
    std::optional<Instance> changed{};
    RecordedLives lives{};
    // Until the first difference.
    std::size_t launches = 0;
    std::size_t reports = 0;
};

Outcome applied(Instance &instance, const JournalEntry &entry, const InstanceInput &input)
{
    instance.evaluatorAvailable = entry.hasEvaluator;
    return InstanceTable::apply(instance, input, entry.time, entry.draw);
}

// Deadlines that differ have an effect only when they are due.
bool haveSameEffect(const Outcome &a, const Outcome &b)
{
    return a.launch == b.launch && a.stop == b.stop && a.evaluate == b.evaluate
        && std::equal(a.events.begin(), a.events.begin() + a.eventCount, b.events.begin(),
                      b.events.begin() + b.eventCount);
}

bool isQueued(const std::optional<Instance> &instance)
{
    return instance && instance->startDue && instance->holds.testFlag(Hold::Governor);
}

bool isCommand(const JournalEntry &entry)
{
    if (entry.kind != JournalEntry::Kind::Input)
        return entry.kind == JournalEntry::Kind::Removed;
    return commandOf(entry.input) || entry.input == InputKind::Success
        || entry.input == InputKind::Resume;
}

} // namespace

class CounterfactualReplay::Private
{
public:
    void apply(const JournalEntry &entry);
    [[nodiscard]] Compared &find(const JournalEntry &entry);
    void configure(Compared &agent, const QString &name);
    void remove(Compared &agent, const JournalEntry &entry);
    void applyInput(Compared &agent, const JournalEntry &entry);
    void applyChanged(Compared &agent, const JournalEntry &entry, const Outcome &recordedOutcome);
    void checkDeadlines(Instant until, quint64 number);
    void differ(Difference found);
    void finish(Instant end, Duration length);
    [[nodiscard]] SimulationResult simulateRest(Instant end, Duration length);
    [[nodiscard]] Duration since(Instant time) const { return time - begin; }

    std::optional<Configuration> configuration; ///< empty: `policy` applies to all agents
    RestartPolicy policy;
    LicenseTier tier = LicenseTier::Enterprise;

    Configuration used; ///< the agents that both settings have, in the order of the run
    std::map<QString, Compared> agents;
    QStringList notConfigured;
    QSet<QString> unlikeDeadlines; ///< agents whose deadlines differ
    std::optional<Difference> difference;
    QList<JournalEntry> commands; ///< from the difference on

    quint64 lastNumber = 0;
    Instant begin{};
    Instant last{};      ///< time of the last input
    Instant differsAt{}; ///< time of the last input before the difference
    qint64 queued = 0;   ///< starts that wait for the governor of the recorded run
    RunFigures recordedFigures;
    RunFigures changedFigures;
    SimulationResult recorded;
    SimulationResult changed;
};

Compared &CounterfactualReplay::Private::find(const JournalEntry &entry)
{
    const auto [found, isNew] = agents.try_emplace(entry.agent);
    if (isNew) {
        found->second.recordedPosition = recordedFigures.addAgent(entry.agent);
        configure(found->second, entry.agent);
    }
    return found->second;
}

void CounterfactualReplay::Private::configure(Compared &agent, const QString &name)
{
    AgentDefinition definition;
    definition.name = name;
    definition.policy = policy;
    if (configuration) {
        const auto found =
            std::find_if(configuration->agents.cbegin(), configuration->agents.cend(),
                         [&name](const AgentDefinition &each) { return each.name == name; });
        if (found == configuration->agents.cend()) {
            notConfigured.append(name);
            return;
        }
        definition = *found;
    }
    const GatedPolicy limited = gatePolicy(definition.policy, tier);
    agent.policy = std::make_shared<const RestartPolicy>(limited.policy);
    agent.gated = limited.gated;
    agent.changedPosition = changedFigures.addAgent(name);
    used.agents.append(definition);
}

void CounterfactualReplay::Private::apply(const JournalEntry &entry)
{
    if (agents.empty())
        begin = last = entry.time;
    Compared &agent = find(entry);
    checkDeadlines(entry.time, entry.number);
    switch (entry.kind) {
    case JournalEntry::Kind::Added:
        agent.recorded.emplace(entry.policy);
        if (!difference && agent.policy) {
            agent.changed.emplace(agent.policy);
            agent.changed->gated = agent.gated;
        }
        break;
    case JournalEntry::Kind::Removed:
        remove(agent, entry);
        break;
    case JournalEntry::Kind::Input:
        if (agent.recorded)
            applyInput(agent, entry);
        break;
    }
    if (difference && isCommand(entry))
        commands.append(entry);
    last = entry.time;
    lastNumber = entry.number;
}

void CounterfactualReplay::Private::remove(Compared &agent, const JournalEntry &entry)
{
    queued -= static_cast<qint64>(isQueued(agent.recorded));
    recordedFigures.onRemoved(agent.recordedPosition, since(entry.time));
    agent.recorded.reset();
    agent.lives.cut(entry.time);
    if (difference || !agent.changed)
        return;
    changedFigures.onRemoved(agent.changedPosition, since(entry.time));
    agent.changed.reset();
    unlikeDeadlines.remove(entry.agent);
}

void CounterfactualReplay::Private::applyInput(Compared &agent, const JournalEntry &entry)
{
    Failure failure;
    const bool wasQueued = isQueued(agent.recorded);
    const quint64 generation = agent.recorded->generation;
    const Outcome outcome = applied(*agent.recorded, entry, entry.toInput(failure));
    queued += static_cast<qint64>(isQueued(agent.recorded)) - static_cast<qint64>(wasQueued);
    recordedFigures.onQueue(queued);
    recordedFigures.onOutcome(agent.recordedPosition, outcome, *agent.recorded, since(entry.time));
    if (!difference && agent.changed)
        applyChanged(agent, entry, outcome);
    if (agent.recorded->generation != generation)
        agent.lives.launch(entry.time);
    else
        agent.lives.add(entry, outcome);
}

void CounterfactualReplay::Private::applyChanged(Compared &agent, const JournalEntry &entry,
                                                 const Outcome &recordedOutcome)
{
    Failure failure;
    InstanceInput input = entry.toInput(failure);
    if (input.kind == InputKind::ChangePolicy) { // the other settings apply to the whole run
        input.policy = agent.policy;
        input.gated = agent.gated;
    }
    Instance next = *agent.changed;
    const Outcome outcome = applied(next, entry, input);
    if (!haveSameEffect(recordedOutcome, outcome) || next.state != agent.recorded->state) {
        differ({entry.number, entry.agent, entry.kindText(), since(entry.time)});
        return;
    }
    agent.changed = std::move(next);
    changedFigures.onQueue(queued);
    changedFigures.onOutcome(agent.changedPosition, outcome, *agent.changed, since(entry.time));
    if (agent.changed->deadline == agent.recorded->deadline)
        unlikeDeadlines.remove(entry.agent);
    else
        unlikeDeadlines.insert(entry.agent);
}

// A deadline that the recorded run did not have at this time.
void CounterfactualReplay::Private::checkDeadlines(Instant until, quint64 number)
{
    if (difference)
        return;
    std::optional<Instant> earliest;
    QString agent;
    for (const QString &each : std::as_const(unlikeDeadlines)) {
        const std::optional<Instant> &due = agents.at(each).changed->deadline;
        const bool isEarlier = due && *due <= until
            && (!earliest || *due < *earliest || (*due == *earliest && each < agent));
        if (isEarlier) {
            earliest = due;
            agent = each;
        }
    }
    if (!earliest)
        return;
    JournalEntry deadline;
    deadline.input = InputKind::Deadline;
    differ({number, agent, deadline.kindText(), since(std::max(*earliest, last))});
}

void CounterfactualReplay::Private::differ(Difference found)
{
    difference = std::move(found);
    differsAt = last;
    for (auto &[name, agent] : agents) {
        agent.launches = agent.lives.launches();
        agent.reports = agent.lives.reports();
    }
}

void CounterfactualReplay::Private::finish(Instant end, Duration length)
{
    checkDeadlines(begin + length, lastNumber + 1);
    recorded = recordedFigures.finish(0, length);
    changed = difference ? simulateRest(end, length) : changedFigures.finish(0, length);
}

SimulationResult CounterfactualReplay::Private::simulateRest(Instant end, Duration length)
{
    if (configuration)
        used.governor = configuration->governor;
    for (AgentDefinition &each : used.agents)
        each.dependsOn.removeIf([this](const Dependency &dependency) {
            const auto found = agents.find(dependency.agent);
            return found == agents.end() || !found->second.policy;
        });
    RecordedState state{.begin = begin, .now = differsAt, .commands = commands};
    for (auto &[name, agent] : agents) {
        agent.lives.finish(end);
        state.agents.insert(name, {agent.changed, agent.lives, agent.launches, agent.reports});
    }
    const SimulationOptions options{.length = length, .tier = tier, .workLimit = workLimit};
    return SimulationRun(used, options, changedFigures).continueFrom(state);
}

CounterfactualReplay::CounterfactualReplay(Configuration configuration, LicenseTier tier)
    : d(std::make_unique<Private>())
{
    d->configuration = std::move(configuration);
    d->tier = tier;
}

CounterfactualReplay::CounterfactualReplay(const RestartPolicy &policy, LicenseTier tier)
    : d(std::make_unique<Private>())
{
    d->policy = policy;
    d->tier = tier;
}

CounterfactualReplay::~CounterfactualReplay() = default;

void CounterfactualReplay::apply(const JournalEntry &entry) { d->apply(entry); }

void CounterfactualReplay::finish(Instant end, Duration length)
{
    d->finish(end, std::max(end - d->begin, length));
}

const std::optional<CounterfactualReplay::Difference> &CounterfactualReplay::difference() const
{
    return d->difference;
}

const SimulationResult &CounterfactualReplay::recorded() const { return d->recorded; }
const SimulationResult &CounterfactualReplay::changed() const { return d->changed; }

QStringList CounterfactualReplay::notConfigured() const { return d->notConfigured; }

QStringList CounterfactualReplay::notRecorded() const
{
    QStringList names;
    for (const AgentDefinition &each :
         d->configuration ? d->configuration->agents : QList<AgentDefinition>()) {
        if (!d->agents.contains(each.name))
            names.append(each.name);
    }
    return names;
}

QStringList CounterfactualReplay::repeated() const
{
    QStringList names;
    for (const SimulationResult::Agent &each : d->changed.agents) {
        if (each.starts > static_cast<qint64>(d->agents.at(each.name).lives.launches()))
            names.append(each.name);
    }
    return names;
}

} // namespace Rekindle
