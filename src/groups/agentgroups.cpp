// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QHash>
#include <QPointer>
#include <QSet>

#include <algorithm>
#include <deque>
#include <utility>

namespace Rekindle {

namespace {

/// A member: the index of its group, and its index in the group.
struct Place
{
    std::size_t group = 0;
    std::size_t member = 0;
};

/// A group with what the table does not contain.
struct Node
{
    Node(const GroupDefinition &definition, std::optional<Place> thePlace)
        : group(definition, thePlace.has_value())
        , place(thePlace)
        , failedGenerations(group.members.size(), 0)
        , observedStates(group.members.size(), InstanceState::Stopped)
    {
    }

    Group group;
    std::optional<Place> place; ///< in its parent
    /// By member: the last start whose failure the group knows.
    std::vector<quint64> failedGenerations;
    std::vector<InstanceState> observedStates; ///< by member, of the agent
    std::unique_ptr<Deadline> deadline{};
    std::vector<Instant> restoredIncidents{}; ///< of an earlier host, until the group begins
};

template<typename Value>
bool isOneOf(Value value, std::initializer_list<Value> values)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

} // namespace

class AgentGroups::Private
{
public:
    Private(AgentGroups *groups, AgentDependencies &theDependencies);

    void connectSupervisor();
    void build(const QList<GroupDefinition> &groups);
    void continueFrom(std::size_t index, const Node &earlier, bool isMoved);
    void adoptAll();
    void adopt(const QUuid &id);
    void observe(const QUuid &id);
    void observePlanned(const QUuid &id, const InstanceStatus &status, Place place);
    void observeExit(const QUuid &id);
    void observeGroup(std::size_t child);
    void post(std::size_t group, const GroupInput &input);
    void process();
    void apply(std::size_t index, const GroupInput &input);
    void announce(std::size_t index, const GroupInput &input, const GroupOutcome &outcome);
    void emitChanges(std::size_t index, const GroupInput &input, const GroupOutcome &outcome,
                     GroupState oldState);
    void perform(std::size_t index, const GroupOutcome &outcome);
    void performOnGroup(std::size_t child, GroupOutcome::Action action);
    void performOnAgent(const QUuid &id, GroupOutcome::Action action);
    [[nodiscard]] bool isHeld(Place place) const;
    /// A group around the one of this place that is stopping it.
    [[nodiscard]] std::optional<std::size_t> stoppingGroup(Place place) const;
    void updateHolds(Place place); ///< of the agent, or of the agents of the group
    void updateHold(Place place);
    void updateDeadline(std::size_t index);
    void withdrawTurns(std::size_t index, const GroupInput &input);
    void suspend(Place place);
    [[nodiscard]] bool isLaunched(Place place) const;
    void checkOrigin(std::size_t index);
    void proceed();
    void restartObservation();
    [[nodiscard]] QUuid idOf(Place place) const;
    [[nodiscard]] QStringList agentsOf(Place place) const;
    [[nodiscard]] const GroupMember &memberAt(Place place) const;
    [[nodiscard]] std::optional<Place> placeOf(const QUuid &id) const;
    [[nodiscard]] MemberState &stateAt(Place place);
    [[nodiscard]] HoldCause holdCause(const QUuid &id) const;
    [[nodiscard]] QString waitText(Place place) const;

    AgentGroups *const q;
    AgentDependencies &dependencies;
    AgentSupervisor &supervisor;
    RestartPolicyEvaluator &evaluator;
    std::vector<Node> nodes;
    QHash<QString, std::size_t> groupsByName;
    QHash<QString, Place> agentsByName;
    QHash<QUuid, Place> agentsById;
    QSet<QUuid> held; ///< with Hold::Group
    std::deque<std::pair<std::size_t, GroupInput>> inputs;
    bool processing = false;
    bool isStale = false;             ///< the supervisor has stopped all agents
    std::vector<std::size_t> planned; ///< groups with members that wait for Proceed
    Deadline proceeding;
};

AgentGroups::Private::Private(AgentGroups *groups, AgentDependencies &theDependencies)
    : q(groups)
    , dependencies(theDependencies)
    , supervisor(theDependencies.supervisor())
    , evaluator(supervisor.policyEvaluator())
    , proceeding(supervisor.scheduler(), [this] { proceed(); })
{
}

void AgentGroups::Private::connectSupervisor()
{
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, q,
            [this](const QUuid &id) { observe(id); });
    connect(&evaluator, &RestartPolicyEvaluator::startHeld, q,
            [this](const StartHeld &event) { observe(event.instanceId); });
    const AgentMonitor &monitor = supervisor.monitor();
    connect(&monitor, &AgentMonitor::agentStopped, q, [this](const QUuid &id) { observe(id); });
    connect(&monitor, &AgentMonitor::agentFailed, q, [this](const QUuid &id) { observe(id); });
    connect(&supervisor, &AgentSupervisor::agentStuck, q,
            [this](const QUuid &id) { observeExit(id); });
    connect(&supervisor, &AgentSupervisor::agentAdded, q, [this](const QUuid &id) { adopt(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this](const QUuid &id) {
        held.remove(id);
        const auto found = agentsById.constFind(id);
        if (found == agentsById.cend())
            return;
        const Place place = *found;
        agentsById.erase(found);
        post(place.group, {.kind = GroupInputKind::MemberStopped, .member = place.member});
    });
}

QUuid AgentGroups::Private::idOf(Place place) const
{
    return supervisor.idOf(memberAt(place).name);
}

// The agent itself, or the agents of the group, in the order of starts.
QStringList AgentGroups::Private::agentsOf(Place place) const
{
    const GroupMember &member = memberAt(place);
    if (!member.isGroup)
        return {member.name};
    QStringList agents;
    const std::size_t group = groupsByName.value(member.name);
    for (std::size_t i = 0; i < nodes[group].group.members.size(); ++i)
        agents += agentsOf({group, i});
    return agents;
}

const GroupMember &AgentGroups::Private::memberAt(Place place) const
{
    return nodes[place.group].group.definition.members.at(static_cast<qsizetype>(place.member));
}

MemberState &AgentGroups::Private::stateAt(Place place)
{
    return nodes[place.group].group.members[place.member];
}

std::optional<Place> AgentGroups::Private::placeOf(const QUuid &id) const
{
    const auto found = agentsById.constFind(id);
    return found == agentsById.cend() ? std::nullopt : std::optional(*found);
}

// Parents come before the groups that they contain. A group that existed before continues.
void AgentGroups::Private::build(const QList<GroupDefinition> &groups)
{
    const std::vector<Node> before = std::exchange(nodes, {});
    const QHash<QString, std::size_t> namesBefore = std::exchange(groupsByName, {});
    agentsByName.clear();
    agentsById.clear();
    inputs.clear();
    planned.clear();

    QHash<QString, GroupDefinition> definitions;
    QSet<QString> contained;
    for (const GroupDefinition &each : groups) {
        definitions.insert(each.name, each);
        for (const GroupMember &member : each.members) {
            if (member.isGroup)
                contained.insert(member.name);
        }
    }
    std::deque<std::pair<QString, std::optional<Place>>> next;
    for (const GroupDefinition &each : groups) {
        if (!contained.contains(each.name))
            next.emplace_back(each.name, std::nullopt);
    }
    for (; !next.empty(); next.pop_front()) {
        const auto [name, place] = next.front();
        const std::size_t index = nodes.size();
        const Node &node = nodes.emplace_back(definitions.value(name), place);
        groupsByName.insert(name, index);
        for (std::size_t i = 0; i < node.group.members.size(); ++i) {
            const GroupMember &member = memberAt({index, i});
            if (member.isGroup)
                next.emplace_back(member.name, Place{index, i});
            else
                agentsByName.insert(member.name, {index, i});
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node &node = nodes[i];
        node.deadline = std::make_unique<Deadline>(
            supervisor.scheduler(), [this, i] { post(i, {.kind = GroupInputKind::Deadline}); });
        const auto old = namesBefore.constFind(node.group.definition.name);
        if (old == namesBefore.cend())
            continue;
        const auto parentOf = [](const std::vector<Node> &all, const Node &each) {
            return each.place ? all[each.place->group].group.definition.name : QString();
        };
        continueFrom(i, before[*old], parentOf(before, before[*old]) != parentOf(nodes, node));
    }
}

void AgentGroups::Private::continueFrom(std::size_t index, const Node &earlier, bool isMoved)
{
    Node &node = nodes[index];
    const GroupDefinition definition = node.group.definition;
    const bool isNested = node.group.nested;
    node.group = earlier.group;
    GroupTable::redefine(node.group, definition, isNested, isMoved);
    node.restoredIncidents = earlier.restoredIncidents;
    const QList<GroupMember> &members = earlier.group.definition.members;
    for (std::size_t i = 0; i < static_cast<std::size_t>(members.size()); ++i) {
        const Place place =
            agentsByName.value(members.at(static_cast<qsizetype>(i)).name, {.group = nodes.size()});
        if (place.group != index)
            continue;
        node.failedGenerations[place.member] = earlier.failedGenerations[i];
        node.observedStates[place.member] = earlier.observedStates[i];
    }
    updateDeadline(index);
    // It may have waited for a member that has left, or for Proceed.
    planned.push_back(index);
    proceeding.arm(supervisor.scheduler().now());
    if (isMoved && !isNested && node.group.state == GroupState::Stopped)
        inputs.emplace_back(index, GroupInput{.kind = GroupInputKind::Permit});
}

// Adopts all agents, then the groups in others, from the inside to the outside.
void AgentGroups::Private::adoptAll()
{
    const bool wasProcessing = std::exchange(processing, true); // until all agents are known
    const QList<QUuid> ids = supervisor.ids();
    for (const QUuid &id : ids)
        adopt(id);
    for (std::size_t i = nodes.size(); i-- > 0;)
        observeGroup(i);
    processing = wasProcessing;
    process();
}

void AgentGroups::Private::adopt(const QUuid &id)
{
    const auto found = agentsByName.constFind(evaluator.name(id));
    const bool isMember = found != agentsByName.cend();
    supervisor.setGroup(id, isMember ? nodes[found->group].group.definition.name : QString());
    if (!isMember)
        return;
    agentsById.insert(id, *found);
    const InstanceStatus status = evaluator.status(id).value_or(InstanceStatus());
    const bool isUnknown =
        isOneOf(stateAt(*found), {MemberState::Absent, MemberState::Ended, MemberState::GaveUp});
    Group &group = nodes[found->group].group;
    if (isUnknown && status.alive && group.state == GroupState::Stopped) { // runs without a turn
        group.state = GroupState::Running;
        group.permitted = true;
    }
    if (isUnknown && status.state == InstanceState::Starting)
        stateAt(*found) = MemberState::Starting;
    updateHold(*found);
    observe(id);
}

// Derives the input from the state of the agent, because a signal may be older than the state.
void AgentGroups::Private::observe(const QUuid &id)
{
    const std::optional<Place> place = placeOf(id);
    const std::optional<InstanceStatus> status = evaluator.status(id);
    if (!place || !status)
        return;
    if (supervisor.isStopping()) {
        isStale = true;
        return;
    }
    if (isStale) {
        restartObservation();
        return;
    }
    using enum MemberState;
    const MemberState known = stateAt(*place);
    const InstanceState before =
        std::exchange(nodes[place->group].observedStates[place->member], status->state);
    // The group has planned a start of this agent, which has not begun.
    if (known == Waiting && before == status->state && !evaluator.isActive(id))
        return;
    const auto report = [this, place](GroupInputKind kind) {
        post(place->group, {.kind = kind, .member = place->member});
    };
    switch (status->state) {
    case InstanceState::Starting:
        if (isOneOf(known, {Absent, Ended, GaveUp}))
            report(GroupInputKind::MemberPlanned);
        return;
    case InstanceState::Running:
        if (known != Ready && known != Stopping)
            report(GroupInputKind::MemberReady);
        return;
    case InstanceState::Waiting:
    case InstanceState::CircuitOpen:
        observePlanned(id, *status, *place);
        return;
    case InstanceState::Stopped:
        if (known == Absent || known == Ended)
            return;
        report(status->levels.testFlag(DependencyLevel::Completed) ? GroupInputKind::MemberEnded
                                                                   : GroupInputKind::MemberStopped);
        return;
    case InstanceState::Exhausted:
    case InstanceState::Failed:
    case InstanceState::Gated:
        if (known == Absent) // it had given up before it was a member, or in an earlier host
            stateAt(*place) = GaveUp;
        else if (known != GaveUp)
            report(GroupInputKind::MemberGaveUp);
        return;
    case InstanceState::Stopping:
        // A dependency restarts it.
        if (status->planned == PlannedStart::Group && isOneOf(known, {Starting, Ready}))
            post(place->group,
                 {.kind = GroupInputKind::MemberDown, .member = place->member, .alive = true});
        return;
    case InstanceState::Evaluating: // the decision follows
        return;
    }
}

// The agent has a planned start.
void AgentGroups::Private::observePlanned(const QUuid &id, const InstanceStatus &status,
                                          Place place)
{
    using enum MemberState;
    GroupInput input{.kind = GroupInputKind::MemberPlanned,
                     .member = place.member,
                     .counted = status.planned != PlannedStart::Requested,
                     .alive = status.alive};
    switch (stateAt(place)) {
    case Stopping:
        input.kind = GroupInputKind::MemberDown;
        if (status.alive)
            return;
        break;
    case Ready:
    case Starting: {
        quint64 &failed = nodes[place.group].failedGenerations[place.member];
        if (status.planned == PlannedStart::Attempt || status.planned == PlannedStart::Requested) {
            if (std::exchange(failed, status.generation) == status.generation)
                return; // known
            input.kind = GroupInputKind::MemberFailed;
        } else if (status.planned == PlannedStart::Group && stateAt(place) == Ready) {
            input.kind = GroupInputKind::MemberDown;
        } else {
            return; // its start, which the group permits
        }
        break;
    }
    case Waiting:
        input.kind = GroupInputKind::MemberDue;
        if (!EvaluatorPort(evaluator).dueStart(id))
            return;
        break;
    case Absent:
    case Ended:
    case GaveUp:
        break;
    }
    post(place.group, input);
}

// The process of the agent does not exit, even though it was killed.
void AgentGroups::Private::observeExit(const QUuid &id)
{
    const std::optional<Place> place = placeOf(id);
    if (place && stateAt(*place) == MemberState::Stopping)
        post(place->group, {.kind = GroupInputKind::MemberDown, .member = place->member});
}

// Reports the state of a group to its parent.
void AgentGroups::Private::observeGroup(std::size_t child)
{
    using enum MemberState;
    const Group &group = nodes[child].group;
    const std::optional<Place> place = nodes[child].place;
    if (!place)
        return;
    const MemberState known = stateAt(*place);
    const bool isKnown = !isOneOf(known, {Absent, Ended, GaveUp});
    std::optional<GroupInputKind> kind;
    switch (group.state) {
    case GroupState::Stopped: {
        const auto has = [&group](MemberState state) {
            return std::find(group.members.begin(), group.members.end(), state)
                != group.members.end();
        };
        if (has(Waiting)) {
            if (known == Stopping)
                kind = GroupInputKind::MemberDown;
            else if (!isKnown) // its previous parent has stopped it
                kind = GroupInputKind::MemberPlanned;
        } else if (isKnown) {
            kind = has(Ended) ? GroupInputKind::MemberEnded : GroupInputKind::MemberStopped;
        }
        break;
    }
    case GroupState::Starting:
        if (!isKnown)
            kind = GroupInputKind::MemberPlanned;
        else if (known != Waiting && !group.permitted) // started again while it was stopping
            kind = GroupInputKind::MemberDown;
        break;
    case GroupState::Running:
        if (known != Ready && known != Stopping)
            kind = GroupInputKind::MemberReady;
        break;
    case GroupState::Exhausted:
        if (known == Stopping)
            kind = GroupInputKind::MemberGaveUp;
        else if (isKnown)
            kind = GroupInputKind::MemberFailed;
        break;
    case GroupState::StoppingMembers:
    case GroupState::StartingMembers:
        if (!isKnown)
            kind = GroupInputKind::MemberPlanned;
        break;
    case GroupState::Stopping:
        break;
    }
    if (kind)
        post(place->group, {.kind = *kind, .member = place->member});
}

void AgentGroups::Private::post(std::size_t group, const GroupInput &input)
{
    inputs.emplace_back(group, input);
    process();
}

// No slot runs in the meantime, but the actions on agents cause further inputs.
void AgentGroups::Private::process()
{
    if (std::exchange(processing, true))
        return;
    const DeferredEmission deferred(evaluator);
    while (!inputs.empty()) {
        isStale = isStale || supervisor.isStopping();
        if (isStale) { // nothing starts by itself anymore
            inputs.clear();
            break;
        }
        const auto [index, input] = inputs.front();
        inputs.pop_front();
        apply(index, input);
    }
    processing = false;
}

void AgentGroups::Private::apply(std::size_t index, const GroupInput &input)
{
    Node &node = nodes[index];
    const GroupState before = node.group.state;
    const GroupOutcome outcome = GroupTable::apply(node.group, input, supervisor.scheduler().now());
    if (node.group.state != before) { // a group begins without incidents
        for (const Instant each : std::exchange(node.restoredIncidents, {}))
            node.group.incidents.add(each);
    }
    if (outcome.proceed) {
        planned.push_back(index);
        proceeding.arm(supervisor.scheduler().now());
    }
    updateDeadline(index);
    const std::size_t size = node.group.members.size();
    const std::size_t heldFrom = node.group.state == before ? outcome.holdFrom.value_or(size) : 0;
    emitChanges(index, input, outcome, before);
    for (std::size_t i = heldFrom; i < size; ++i)
        updateHolds({index, i});
    if (input.member < size)
        updateHold({index, input.member});
    if (outcome.action != GroupOutcome::Action::None)
        perform(index, outcome);
    withdrawTurns(index, input);
    checkOrigin(index);
    observeGroup(index);
}

// A member that has not been launched yet, because it is held for other reasons, waits again if one
// before it is not ready anymore.
void AgentGroups::Private::withdrawTurns(std::size_t index, const GroupInput &input)
{
    const Group &group = nodes[index].group;
    const bool isStarting =
        isOneOf(group.state, {GroupState::Starting, GroupState::StartingMembers});
    const bool isLost = isOneOf(input.kind,
                                {GroupInputKind::MemberPlanned, GroupInputKind::MemberFailed,
                                 GroupInputKind::MemberDown})
        && isOneOf(group.members[input.member],
                   {MemberState::Waiting, MemberState::Starting, MemberState::Stopping});
    if (!isStarting || !isLost)
        return;
    for (std::size_t i = input.member + 1; i < group.members.size(); ++i) {
        const Place place{index, i};
        if (group.members[i] != MemberState::Starting || isLaunched(place))
            continue;
        if (memberAt(place).isGroup)
            suspend(place);
        inputs.emplace_back(index, GroupInput{.kind = GroupInputKind::MemberDown, .member = i});
    }
}

// Before the group that contains it.
void AgentGroups::Private::suspend(Place place)
{
    const std::size_t child = groupsByName.value(memberAt(place).name);
    const Group &group = nodes[child].group;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const Place inner{child, i};
        if (group.members[i] == MemberState::Starting && memberAt(inner).isGroup)
            suspend(inner);
    }
    inputs.emplace_back(child, GroupInput{.kind = GroupInputKind::Suspend});
}

bool AgentGroups::Private::isLaunched(Place place) const
{
    const QStringList agents = agentsOf(place);
    return std::any_of(agents.begin(), agents.end(), [this](const QString &agent) {
        const std::optional<InstanceStatus> status = evaluator.status(supervisor.idOf(agent));
        return status && (status->alive || status->state == InstanceState::Starting);
    });
}

// Emits the event of the member that has failed.
void AgentGroups::Private::announce(std::size_t index, const GroupInput &input,
                                    const GroupOutcome &outcome)
{
    const Place origin{index, input.member};
    const QStringList inner = memberAt(origin).isGroup ? agentsOf(origin) : QStringList();
    const QUuid id = inner.isEmpty() ? idOf(origin) : supervisor.idOf(inner.front());
    const Group &group = nodes[index].group;
    if (outcome.exhausted) {
        GroupExhausted event;
        event.group = group.definition.name;
        for (std::size_t i = 0; i < group.members.size(); ++i)
            event.members += agentsOf({index, i});
        evaluator.announce(id, event);
        return;
    }
    GroupRestarting event;
    event.group = group.definition.name;
    event.strategy = group.definition.strategy;
    const bool isAlone = group.definition.strategy == GroupStrategy::OneForOne;
    for (std::size_t i = isAlone ? input.member : group.first; i < group.members.size(); ++i) {
        const bool isAffected =
            !isOneOf(group.members[i], {MemberState::Absent, MemberState::GaveUp});
        if (isAffected && memberAt({index, i}).isGroup)
            event.members += agentsOf({index, i});
        else if (isAffected)
            event.members += memberAt({index, i}).name;
        if (isAlone)
            break;
    }
    evaluator.announce(id, event);
}

void AgentGroups::Private::emitChanges(std::size_t index, const GroupInput &input,
                                       const GroupOutcome &outcome, GroupState oldState)
{
    const Group &group = nodes[index].group;
    const QString name = group.definition.name;
    const GroupState newState = group.state;
    const QString member = group.members.empty() ? QString() : memberAt({index, input.member}).name;
    EvaluatorPort port(evaluator);
    const QPointer<AgentGroups> groups(q);
    if (outcome.exhausted || outcome.incident) {
        port.post([groups, name, member, isExhausted = outcome.exhausted] {
            if (groups && isExhausted)
                Q_EMIT groups->groupExhausted(name, member);
            else if (groups)
                Q_EMIT groups->groupRestarting(name, member);
        });
        announce(index, input, outcome);
    }
    if (newState != oldState)
        port.post([=] {
            if (groups)
                Q_EMIT groups->groupStateChanged(name, oldState, newState);
        });
}

void AgentGroups::Private::perform(std::size_t index, const GroupOutcome &outcome)
{
    const Place place{index, outcome.member};
    if (memberAt(place).isGroup) {
        const std::size_t child = groupsByName.value(memberAt(place).name);
        performOnGroup(child, outcome.action);
        return;
    }
    const QUuid id = idOf(place);
    if (id.isNull()) {
        inputs.emplace_back(
            index, GroupInput{.kind = GroupInputKind::MemberStopped, .member = outcome.member});
        return;
    }
    updateHold(place);
    performOnAgent(id, outcome.action);
    observe(id);
}

void AgentGroups::Private::performOnGroup(std::size_t child, GroupOutcome::Action action)
{
    using enum GroupOutcome::Action;
    GroupInput input{.kind = GroupInputKind::Permit};
    if (action == Restart)
        input.kind = GroupInputKind::Withdraw;
    else if (action == Stop)
        input.kind = GroupInputKind::Stop;
    else if (action == GiveUp)
        input.kind = GroupInputKind::GiveUp;
    inputs.emplace_back(child, input);
}

void AgentGroups::Private::performOnAgent(const QUuid &id, GroupOutcome::Action action)
{
    switch (action) {
    case GroupOutcome::Action::Restart:
        EvaluatorPort(evaluator).stopHeld(id, Hold::Group);
        return;
    case GroupOutcome::Action::Stop:
        evaluator.stop(id, true);
        return;
    case GroupOutcome::Action::GiveUp:
        EvaluatorPort(evaluator).giveUp(id);
        return;
    case GroupOutcome::Action::Start:
        if (!evaluator.isActive(id))
            evaluator.start(id, true);
        return;
    case GroupOutcome::Action::None:
        return;
    }
}

// An agent is also held while a group around its own one stops.
bool AgentGroups::Private::isHeld(Place place) const
{
    return GroupTable::isHeld(nodes[place.group].group, place.member) || stoppingGroup(place);
}

std::optional<std::size_t> AgentGroups::Private::stoppingGroup(Place place) const
{
    for (std::optional<Place> outer = nodes[place.group].place; outer;
         outer = nodes[outer->group].place) {
        const Group &group = nodes[outer->group].group;
        if (group.state == GroupState::Stopping
            || (group.state == GroupState::StoppingMembers && outer->member >= group.first))
            return outer->group;
    }
    return {};
}

void AgentGroups::Private::updateHolds(Place place)
{
    if (!memberAt(place).isGroup) {
        updateHold(place);
        return;
    }
    const std::size_t child = groupsByName.value(memberAt(place).name);
    const std::size_t size = nodes[child].group.members.size();
    for (std::size_t i = 0; i < size; ++i)
        updateHolds({child, i});
}

void AgentGroups::Private::updateHold(Place place)
{
    const QUuid id = memberAt(place).isGroup ? QUuid() : idOf(place);
    if (id.isNull())
        return;
    const bool isToHold = isHeld(place);
    if (isToHold == held.contains(id))
        return;
    if (isToHold) {
        held.insert(id);
        evaluator.addHolds(id, Hold::Group);
    } else {
        held.remove(id);
        evaluator.liftHolds(id, Hold::Group);
    }
}

void AgentGroups::Private::updateDeadline(std::size_t index)
{
    Node &node = nodes[index];
    if (node.group.deadline)
        node.deadline->arm(*node.group.deadline);
    else
        node.deadline->disarm();
}

// The start may have become due while members were being stopped.
void AgentGroups::Private::checkOrigin(std::size_t index)
{
    const Group &group = nodes[index].group;
    if (group.state != GroupState::StartingMembers || group.originDue)
        return;
    const Place origin{index, group.origin};
    if (!memberAt(origin).isGroup && EvaluatorPort(evaluator).dueStart(idOf(origin)))
        inputs.emplace_back(index,
                            GroupInput{.kind = GroupInputKind::MemberDue, .member = group.origin});
}

// Many members are planned in one pass, in any order; the first one starts afterwards.
void AgentGroups::Private::proceed()
{
    for (const std::size_t group : std::exchange(planned, {}))
        inputs.emplace_back(group, GroupInput{.kind = GroupInputKind::Proceed});
    process();
}

// After stopAll(), the groups begin with what the agents do now.
void AgentGroups::Private::restartObservation()
{
    const DeferredEmission deferred(evaluator);
    isStale = false;
    QList<GroupDefinition> groups;
    for (const Node &each : nodes)
        groups.append(each.group.definition);
    nodes.clear();
    groupsByName.clear();
    build(groups);
    adoptAll();
}

HoldCause AgentGroups::Private::holdCause(const QUuid &id) const
{
    const std::optional<Place> place = placeOf(id);
    if (!place)
        return {.text = QStringLiteral("group")};
    const std::optional<std::size_t> outer = stoppingGroup(*place);
    const QString why = outer ? QStringLiteral("stopping its members") : waitText(*place);
    return {.text = QStringLiteral("group %1 (%2)")
                        .arg(nodes[outer.value_or(place->group)].group.definition.name,
                             why.isEmpty() ? QStringLiteral("about to start") : why),
            .isTransient = why.isEmpty()};
}

// Empty if the member is to start as soon as all starts of the same pass are known.
QString AgentGroups::Private::waitText(Place place) const
{
    const Group &group = nodes[place.group].group;
    switch (group.state) {
    case GroupState::Exhausted:
        return QStringLiteral("given up");
    case GroupState::Stopping:
    case GroupState::StoppingMembers:
        return QStringLiteral("stopping its members");
    default:
        break;
    }
    const MemberState member = group.members[place.member];
    const bool isAlive = evaluator.status(idOf(place)).value_or(InstanceStatus()).alive;
    if (member == MemberState::Stopping || (member == MemberState::Absent && isAlive))
        return QStringLiteral("exit of its old process");
    if (member == MemberState::GaveUp) // an earlier host may have given up
        return QStringLiteral("not started since it gave up");
    if (!group.permitted)
        return QStringLiteral("its turn to start");
    if (group.state == GroupState::StartingMembers && !group.originDue)
        return QLatin1String("restart of ") + memberAt({place.group, group.origin}).name;
    // In a running group, a member does not wait for others.
    for (std::size_t i = 0; group.state != GroupState::Running && i < group.members.size(); ++i) {
        if (i != place.member
            && isOneOf(group.members[i],
                       {MemberState::Starting, MemberState::Stopping, MemberState::Waiting}))
            return memberAt({place.group, i}).name + QLatin1String(" is not ready");
    }
    return {};
}

AgentGroups::AgentGroups(AgentDependencies &dependencies, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, dependencies))
{
    d->connectSupervisor();
    d->evaluator.setHoldCauseSource(Hold::Group,
                                    [this](const QUuid &id) { return d->holdCause(id); });
}

AgentGroups::~AgentGroups()
{
    d->evaluator.disconnect(this);
    d->supervisor.disconnect(this);
    d->evaluator.setHoldCauseSource(Hold::Group, {});
    const DeferredEmission deferred(d->evaluator);
    (void)d->dependencies.setOrders({});
    for (const QUuid &id : std::exchange(d->held, {}))
        d->evaluator.liftHolds(id, Hold::Group);
}

QStringList AgentGroups::setGroups(const QList<GroupDefinition> &groups)
{
    QStringList faults;
    for (const GroupFault &each : faultsOfGroups(groups))
        faults += groups.at(each.group).name + each.place + QLatin1String(": ") + each.text;
    if (!faults.isEmpty())
        return faults;
    const DeferredEmission deferred(d->evaluator);
    QList<QStringList> orders;
    for (const GroupDefinition &each : groups)
        orders.append(agentsOfGroup(groups, each.name));
    const QStringList cycle = d->dependencies.setOrders(orders);
    if (!cycle.isEmpty())
        return {QStringLiteral("the order of the members and the dependencies form a cycle: ")
                + cycle.join(QStringLiteral(" -> "))};
    d->build(groups);
    const QSet<QUuid> before = d->held;
    for (const QUuid &id : before) {
        if (d->agentsByName.contains(d->evaluator.name(id)))
            continue;
        d->held.remove(id);
        d->evaluator.liftHolds(id, Hold::Group);
    }
    d->adoptAll();
    return {};
}

QList<GroupDefinition> AgentGroups::groups() const
{
    QList<GroupDefinition> all;
    for (const Node &each : d->nodes)
        all.append(each.group.definition);
    return all;
}

std::optional<GroupState> AgentGroups::state(const QString &group) const
{
    const auto found = d->groupsByName.constFind(group);
    return found == d->groupsByName.cend() ? std::nullopt
                                           : std::optional(d->nodes[*found].group.state);
}

std::optional<GroupSnapshot> AgentGroups::snapshot(const QString &group) const
{
    const auto found = d->groupsByName.constFind(group);
    if (found == d->groupsByName.cend())
        return {};
    const Node &node = d->nodes[*found];
    const Group &data = node.group;
    const Instant now = d->supervisor.scheduler().now();
    const bool isGivingUp =
        data.state == GroupState::Stopping && data.afterStop == GroupState::Exhausted;
    return GroupSnapshot{.incidents = node.restoredIncidents.empty() ? data.incidents.recent(now)
                                                                     : node.restoredIncidents,
                         .exhausted = data.state == GroupState::Exhausted || isGivingUp,
                         .rearmAt = data.deadline};
}

void AgentGroups::restore(const QString &group, const GroupSnapshot &snapshot)
{
    const auto found = d->groupsByName.constFind(group);
    if (found == d->groupsByName.cend())
        return;
    Node &node = d->nodes[*found];
    Group &data = node.group;
    if (!snapshot.exhausted) {
        node.restoredIncidents = snapshot.incidents;
        return;
    }
    data.state = GroupState::Exhausted;
    for (const Instant each : snapshot.incidents)
        data.incidents.add(each);
    // The configuration may have changed, and a host may be killed while its group gives up.
    if (const auto &after = data.definition.rearmAfter; after && !data.nested)
        data.deadline = snapshot.rearmAt.value_or(d->supervisor.scheduler().now() + *after);
    d->updateDeadline(*found);
}

bool AgentGroups::hasPendingStart() const
{
    return !d->planned.empty()
        || std::any_of(d->nodes.begin(), d->nodes.end(),
                       [](const Node &each) { return each.group.deadline.has_value(); });
}

QString AgentGroups::groupOf(const QString &agent) const
{
    const auto found = d->agentsByName.constFind(agent);
    return found == d->agentsByName.cend() ? QString()
                                           : d->nodes[found->group].group.definition.name;
}

void AgentGroups::stop(const QString &group)
{
    if (const auto found = d->groupsByName.constFind(group); found != d->groupsByName.cend())
        d->post(*found, {.kind = GroupInputKind::Stop});
}

} // namespace Rekindle
