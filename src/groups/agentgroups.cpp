// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groups/internal/holdset.h"
#include "policy/internal/grouptree.h"
#include "policy/internal/membertable.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace Rekindle {

namespace {

using Kind = GroupInputKind;

template<typename Value>
bool isOneOf(Value value, std::initializer_list<Value> values)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

} // namespace

/// What happens to one agent affects others through inputs of groups, which wait in a queue. Each
/// input is handled in two phases:
///
/// - Propagate: the table of the group (GroupTable) changes the group. This is pure, and results in
///   at most one action on one member.
/// - Execute: events are queued, the holds of the members are updated, and the action is performed.
///   An action on an agent is an input of its own state table. An action on a group in the group is
///   another input in the queue.
///
/// Then everything is observed that the input may have changed: the agent of the action, members
/// that have had their turn, the member that has failed, and the group itself as a member of the
/// group around it. MemberTable turns each observation that is new into an input. This continues
/// until the queue is empty.
///
/// The phases alternate for each input, because an action changes what is observed next. Signals of
/// the evaluator are emitted afterwards (DeferredEmission), so that no slot runs inside. They may
/// be older than the states, so they only determine which agent is observed in the next round.
///
/// When a start is planned, the next member is not started at once, but by the input Proceed in the
/// next pass of the event loop, because many members are planned in one pass, in any order.
///
/// While the supervisor stops all agents, the groups do nothing. Afterwards, they begin with what
/// the agents do then.
class AgentGroups::Private
{
public:
    Private(AgentGroups *groups, AgentDependencies &theDependencies);

    void connectSupervisor();
    void replace(const QList<GroupDefinition> &groups, const GroupTree &earlier);
    void adopt(const QUuid &id);

    void observe(const QUuid &id);
    void observeGroup(std::size_t index);
    void observeOrigin(std::size_t index);
    void withdrawTurns(std::size_t index, const GroupInput &input);
    void suspend(MemberPlace place);
    void post(std::size_t index, const GroupInput &input)
    {
        inputs.emplace_back(index, input);
        propagate();
    }
    void post(MemberPlace place, Kind kind)
    {
        post(place.group, {.kind = kind, .member = place.member});
    }
    void proceed();

    void propagate();
    void execute(std::size_t index, const GroupInput &input, const GroupOutcome &outcome,
                 GroupState before);
    void announce(std::size_t index, const GroupInput &input, const GroupOutcome &outcome);
    void perform(MemberPlace place, GroupOutcome::Action action);
    void updateHolds(MemberPlace place);
    void updateDeadline(std::size_t index);

    [[nodiscard]] Group &groupOf(MemberPlace place) { return tree.nodes[place.group].group; }
    [[nodiscard]] QUuid idOf(MemberPlace place) const
    {
        return supervisor.idOf(tree.at(place).name);
    }
    [[nodiscard]] bool isLaunched(MemberPlace place) const;
    [[nodiscard]] HoldCause holdCause(const QUuid &id) const;
    [[nodiscard]] QString waitText(MemberPlace place) const;
    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }

    struct Agent
    {
        MemberPlace place;
        MemberMemory memory;
    };
    AgentGroups *const q;
    AgentDependencies &dependencies;
    AgentSupervisor &supervisor;
    RestartPolicyEvaluator &evaluator;
    EvaluatorPort port;
    GroupTree tree;
    QHash<QUuid, Agent> agents; ///< the members
    std::deque<std::pair<std::size_t, GroupInput>> inputs;
    bool isPropagating = false;
    bool isStale = false;             ///< the supervisor has stopped all agents
    std::vector<std::size_t> planned; ///< groups that wait for Proceed
    Deadline proceeding;
    std::map<std::size_t, Deadline> deadlines; ///< of groups that have given up
    HoldSet holds;
};

AgentGroups::Private::Private(AgentGroups *groups, AgentDependencies &theDependencies)
    : q(groups)
    , dependencies(theDependencies)
    , supervisor(theDependencies.supervisor())
    , evaluator(supervisor.policyEvaluator())
    , port(evaluator)
    , proceeding(supervisor.scheduler(), [this] { proceed(); })
    , holds(supervisor, Hold::Group, [this](const QUuid &id) { return holdCause(id); })
{
}

void AgentGroups::Private::connectSupervisor()
{
    const auto follow = [this](const QUuid &id) { observe(id); };
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, q, follow);
    connect(&evaluator, &RestartPolicyEvaluator::startHeld, q,
            [this](const StartHeld &event) { observe(event.instanceId); });
    const AgentMonitor &monitor = supervisor.monitor();
    connect(&monitor, &AgentMonitor::agentStopped, q, follow);
    connect(&monitor, &AgentMonitor::agentFailed, q, follow);
    connect(&supervisor, &AgentSupervisor::agentAdded, q, [this](const QUuid &id) { adopt(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this](const QUuid &id) {
        if (agents.contains(id))
            post(agents.take(id).place, Kind::MemberStopped);
    });
    // The exit of a stuck agent is not waited for.
    connect(&supervisor, &AgentSupervisor::agentStuck, q, [this](const QUuid &id) {
        const auto found = agents.constFind(id);
        if (found != agents.cend()
            && groupOf(found->place).members[found->place.member] == MemberState::Stopping)
            post(found->place, Kind::MemberDown);
    });
}

// Groups that are also in `earlier` continue.
void AgentGroups::Private::replace(const QList<GroupDefinition> &groups, const GroupTree &earlier)
{
    inputs.clear();
    planned.clear();
    deadlines.clear();
    GroupTree next(groups, earlier);
    for (std::size_t i = 0; i < next.nodes.size(); ++i) {
        const GroupTree::Node &node = next.nodes[i];
        if (!earlier.find(node.name()))
            continue;
        // It may have waited for a member that has left, for Proceed, or for its parent.
        planned.push_back(i);
        proceeding.arm(now());
        if (!node.place && node.group.state == GroupState::Stopped)
            inputs.emplace_back(i, GroupInput{.kind = Kind::Permit});
    }
    tree = std::move(next);
    const bool wasPropagating = std::exchange(isPropagating, true); // until all agents are known
    const QList<QUuid> ids = supervisor.ids();
    for (const QUuid &id : ids)
        adopt(id);
    for (std::size_t i = tree.nodes.size(); i-- > 0;) { // from the inside to the outside
        updateDeadline(i);
        observeGroup(i);
    }
    isPropagating = wasPropagating;
    propagate();
}

void AgentGroups::Private::adopt(const QUuid &id)
{
    const auto found = tree.agents.constFind(evaluator.name(id));
    const bool isMember = found != tree.agents.cend();
    const QString name = isMember ? tree.nodes[found->group].name() : QString();
    if (supervisor.group(id) != name)
        agents.remove(id); // another group has observed it
    supervisor.setGroup(id, name);
    if (!isMember) {
        holds.set(id, false);
        return;
    }
    agents[id].place = *found;
    Group &group = groupOf(*found);
    MemberState &known = group.members[found->member];
    const Instance *const agent = port.instance(id);
    if (agent != nullptr
        && isOneOf(known, {MemberState::Absent, MemberState::Ended, MemberState::GaveUp})) {
        if (agent->processAlive && group.state == GroupState::Stopped) { // runs without a turn
            group.state = GroupState::Running;
            group.permitted = true;
        }
        if (agent->state == InstanceState::Starting)
            known = MemberState::Starting;
    }
    holds.set(id, tree.isHeld(*found));
    observe(id);
}

void AgentGroups::Private::observe(const QUuid &id)
{
    const auto found = agents.find(id);
    const Instance *const agent = port.instance(id);
    if (found == agents.end() || agent == nullptr)
        return;
    if (supervisor.isStopping()) {
        isStale = true;
    } else if (std::exchange(isStale, false)) {
        const DeferredEmission deferred(evaluator);
        agents.clear();
        replace(tree.definitions(), {});
    } else {
        const MemberPlace place = found->place;
        if (const auto input =
                MemberTable::observe(groupOf(place), place.member, found->memory, *agent))
            post(place.group, *input);
    }
}

// Of the group around this one.
void AgentGroups::Private::observeGroup(std::size_t index)
{
    const GroupTree::Node &node = tree.nodes[index];
    if (!node.place)
        return;
    if (const auto input =
            MemberTable::observe(groupOf(*node.place), node.place->member, node.group))
        post(node.place->group, *input);
}

// The start of the member that has failed may have become due while members were being stopped.
void AgentGroups::Private::observeOrigin(std::size_t index)
{
    const Group &group = tree.nodes[index].group;
    const MemberPlace origin{index, group.origin};
    if (group.state == GroupState::StartingMembers && !group.originDue && !tree.at(origin).isGroup
        && port.dueStart(idOf(origin)))
        post(origin, Kind::MemberDue);
}

// A member that has not been launched yet, because it is held for other reasons, waits again if one
// before it is not ready anymore.
void AgentGroups::Private::withdrawTurns(std::size_t index, const GroupInput &input)
{
    using enum MemberState;
    const Group &group = tree.nodes[index].group;
    const bool isLost = isOneOf(group.state, {GroupState::Starting, GroupState::StartingMembers})
        && isOneOf(input.kind, {Kind::MemberPlanned, Kind::MemberFailed, Kind::MemberDown})
        && isOneOf(group.members[input.member], {Waiting, Starting, Stopping});
    for (std::size_t i = input.member + 1; isLost && i < group.members.size(); ++i) {
        if (group.members[i] != Starting || isLaunched({index, i}))
            continue;
        suspend({index, i});
        post({index, i}, Kind::MemberDown);
    }
}

// The groups in this member, the innermost first.
void AgentGroups::Private::suspend(MemberPlace place)
{
    if (!tree.at(place).isGroup)
        return;
    const std::size_t inner = tree.groupAt(place);
    const std::vector<MemberState> &members = tree.nodes[inner].group.members;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] == MemberState::Starting)
            suspend({inner, i});
    }
    post({inner}, Kind::Suspend);
}

bool AgentGroups::Private::isLaunched(MemberPlace place) const
{
    bool isAny = false;
    tree.forEachAgent(place, [this, &isAny](MemberPlace each) {
        const Instance *const agent = port.instance(idOf(each));
        isAny =
            isAny || (agent && (agent->processAlive || agent->state == InstanceState::Starting));
    });
    return isAny;
}

void AgentGroups::Private::proceed()
{
    for (const std::size_t index : std::exchange(planned, {}))
        inputs.emplace_back(index, GroupInput{.kind = Kind::Proceed});
    propagate();
}

void AgentGroups::Private::propagate()
{
    if (std::exchange(isPropagating, true))
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
        Group &group = tree.nodes[index].group;
        const GroupState before = group.state;
        const GroupOutcome outcome = GroupTable::apply(group, input, now());
        execute(index, input, outcome, before);
        withdrawTurns(index, input);
        observeOrigin(index);
        observeGroup(index);
    }
    isPropagating = false;
}

// `before`: the state before the input.
void AgentGroups::Private::execute(std::size_t index, const GroupInput &input,
                                   const GroupOutcome &outcome, GroupState before)
{
    const Group &group = tree.nodes[index].group;
    const QString &name = group.definition.name;
    if (outcome.proceed) {
        planned.push_back(index);
        proceeding.arm(now());
    }
    updateDeadline(index);
    if (outcome.exhausted || outcome.incident) {
        const auto signal =
            outcome.exhausted ? &AgentGroups::groupExhausted : &AgentGroups::groupRestarting;
        port.postSignal(q, signal, name, tree.at({index, input.member}).name);
        announce(index, input, outcome);
    }
    if (group.state != before)
        port.postSignal(q, &AgentGroups::groupStateChanged, name, before, group.state);
    const std::size_t size = group.members.size();
    for (std::size_t i = group.state == before ? outcome.holdFrom.value_or(size) : 0; i < size; ++i)
        updateHolds({index, i});
    if (!tree.at({index, input.member}).isGroup)
        updateHolds({index, input.member});
    if (outcome.action != GroupOutcome::Action::None)
        perform({index, outcome.member}, outcome.action);
}

// Emits the event of the member that has failed.
void AgentGroups::Private::announce(std::size_t index, const GroupInput &input,
                                    const GroupOutcome &outcome)
{
    const Group &group = tree.nodes[index].group;
    const GroupDefinition &definition = group.definition;
    const bool isAlone = definition.strategy == GroupStrategy::OneForOne && !outcome.exhausted;
    const std::size_t first = outcome.exhausted ? 0 : group.first;
    const std::size_t end = isAlone ? input.member + 1 : group.members.size();
    QStringList members;
    for (std::size_t i = isAlone ? input.member : first; i < end; ++i) {
        if (outcome.exhausted
            || !isOneOf(group.members[i], {MemberState::Absent, MemberState::GaveUp}))
            tree.forEachAgent({index, i}, [&](MemberPlace each) { members += tree.at(each).name; });
    }
    const QUuid id = idOf(tree.firstAgent({index, input.member}));
    if (outcome.exhausted)
        evaluator.announce(id, GroupExhausted{{}, definition.name, members});
    else
        evaluator.announce(id, GroupRestarting{{}, definition.name, definition.strategy, members});
}

void AgentGroups::Private::perform(MemberPlace place, GroupOutcome::Action action)
{
    using enum GroupOutcome::Action;
    if (tree.at(place).isGroup) {
        post({tree.groupAt(place)},
             action == Restart      ? Kind::Withdraw
                 : action == Stop   ? Kind::Stop
                 : action == GiveUp ? Kind::GiveUp
                                    : Kind::Permit);
        return;
    }
    const QUuid id = idOf(place);
    if (id.isNull()) {
        post(place, Kind::MemberStopped);
        return;
    }
    updateHolds(place);
    if (action == Restart)
        port.stopHeld(id, Hold::Group);
    else if (action == Stop)
        evaluator.stop(id, true);
    else if (action == GiveUp)
        port.giveUp(id);
    else if (!evaluator.isActive(id))
        evaluator.start(id, true);
    observe(id);
}

void AgentGroups::Private::updateHolds(MemberPlace place)
{
    tree.forEachAgent(place,
                      [this](MemberPlace each) { holds.set(idOf(each), tree.isHeld(each)); });
}

void AgentGroups::Private::updateDeadline(std::size_t index)
{
    const std::optional<Instant> &due = tree.nodes[index].group.deadline;
    if (!due) {
        deadlines.erase(index);
        return;
    }
    const auto onDue = [this, index] { post({index}, Kind::Deadline); };
    deadlines.try_emplace(index, supervisor.scheduler(), onDue).first->second.arm(*due);
}

HoldCause AgentGroups::Private::holdCause(const QUuid &id) const
{
    const auto found = agents.constFind(id);
    if (found == agents.cend())
        return {.text = QStringLiteral("group")};
    const std::optional<std::size_t> outer = tree.stoppingGroup(found->place);
    const QString why = outer ? QStringLiteral("stopping its members") : waitText(found->place);
    return {.text = QStringLiteral("group %1 (%2)")
                        .arg(tree.nodes[outer.value_or(found->place.group)].name(),
                             why.isEmpty() ? QStringLiteral("about to start") : why),
            .isTransient = why.isEmpty()};
}

// Empty if the member is to start as soon as all starts of the same pass are known.
QString AgentGroups::Private::waitText(MemberPlace place) const
{
    using enum MemberState;
    const Group &group = tree.nodes[place.group].group;
    if (group.state == GroupState::Exhausted)
        return QStringLiteral("given up");
    if (isOneOf(group.state, {GroupState::Stopping, GroupState::StoppingMembers}))
        return QStringLiteral("stopping its members");
    const MemberState known = group.members[place.member];
    const Instance *const agent = port.instance(idOf(place));
    if (known == Stopping || (known == Absent && agent && agent->processAlive))
        return QStringLiteral("exit of its old process");
    if (known == GaveUp) // an earlier host may have given up
        return QStringLiteral("not started since it gave up");
    if (!group.permitted)
        return QStringLiteral("its turn to start");
    if (group.state == GroupState::StartingMembers && !group.originDue)
        return QLatin1String("restart of ") + tree.at({place.group, group.origin}).name;
    // In a running group, a member does not wait for others.
    for (std::size_t i = 0; group.state != GroupState::Running && i < group.members.size(); ++i) {
        if (i != place.member && isOneOf(group.members[i], {Starting, Stopping, Waiting}))
            return tree.at({place.group, i}).name + QLatin1String(" is not ready");
    }
    return {};
}

AgentGroups::AgentGroups(AgentDependencies &dependencies, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, dependencies))
{
    d->connectSupervisor();
}

AgentGroups::~AgentGroups()
{
    d->evaluator.disconnect(this);
    d->supervisor.disconnect(this);
    (void)d->dependencies.setOrders({});
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
    d->replace(groups, d->tree);
    return {};
}

QList<GroupDefinition> AgentGroups::groups() const { return d->tree.definitions(); }

std::optional<GroupState> AgentGroups::state(const QString &group) const
{
    const auto found = d->tree.find(group);
    return found ? std::optional(d->tree.nodes[*found].group.state) : std::nullopt;
}

std::optional<GroupSnapshot> AgentGroups::snapshot(const QString &group) const
{
    const auto found = d->tree.find(group);
    if (!found)
        return {};
    const Group &data = d->tree.nodes[*found].group;
    const bool isGivingUp =
        data.state == GroupState::Stopping && data.afterStop == GroupState::Exhausted;
    return GroupSnapshot{.incidents = data.incidents.recent(d->now()),
                         .exhausted = data.state == GroupState::Exhausted || isGivingUp,
                         .rearmAt = data.deadline};
}

void AgentGroups::restore(const QString &group, const GroupSnapshot &snapshot)
{
    const auto found = d->tree.find(group);
    if (!found)
        return;
    Group &data = d->tree.nodes[*found].group;
    for (const Instant each : snapshot.incidents)
        data.incidents.add(each);
    data.restored = !snapshot.exhausted;
    if (data.restored)
        return;
    data.state = GroupState::Exhausted;
    // The configuration may have changed, and a host may be killed while its group gives up.
    if (const auto &after = data.definition.rearmAfter; after && !data.nested)
        data.deadline = snapshot.rearmAt.value_or(d->now() + *after);
    d->updateDeadline(*found);
}

bool AgentGroups::hasPendingStart() const { return !d->planned.empty() || !d->deadlines.empty(); }

QString AgentGroups::groupOf(const QString &agent) const
{
    const auto found = d->tree.agents.constFind(agent);
    return found == d->tree.agents.cend() ? QString() : d->tree.nodes[found->group].name();
}

void AgentGroups::stop(const QString &group)
{
    if (const auto found = d->tree.find(group))
        d->post({*found}, GroupInputKind::Stop);
}

} // namespace Rekindle
