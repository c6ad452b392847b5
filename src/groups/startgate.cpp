// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groups/internal/holdset.h"

#include <rekindle/groups/startgate.h>

#include <QHash>
#include <QSet>

#include <map>
#include <utility>

namespace Rekindle {

namespace {

GovernedStart governedStart(const DueStart &start)
{
    if (start.byOperator)
        return GovernedStart::Operator;
    return start.planned == PlannedStart::Requested ? GovernedStart::Requested
                                                    : GovernedStart::Automatic;
}

// "1st", "2nd", "3rd", "4th", "11th"
QString ordinal(qsizetype number)
{
    const qsizetype tens = number % 100;
    QLatin1String suffix("th");
    if (tens < 11 || tens > 13) {
        if (number % 10 == 1)
            suffix = QLatin1String("st");
        else if (number % 10 == 2)
            suffix = QLatin1String("nd");
        else if (number % 10 == 3)
            suffix = QLatin1String("rd");
    }
    return QString::number(number) + suffix;
}

} // namespace

class StartGate::Private
{
public:
    Private(StartGate *gate, AgentSupervisor &theSupervisor)
        : q(gate)
        , supervisor(theSupervisor)
        , evaluator(theSupervisor.policyEvaluator())
        , port(evaluator)
        , turn(theSupervisor.scheduler(), [this] { serve(); })
        , holds(theSupervisor, Hold::Governor, [this](const QUuid &id) {
            return HoldCause{.text = QLatin1String("governor: ") + q->placeText(id)};
        })
    {
    }

    void connectEvaluator();
    [[nodiscard]] bool admit(const QUuid &id);
    void update(const QUuid &id);
    void passOperator(const QUuid &id, OperatorCommand command, InstanceState before);
    void serve();
    void admitAll();
    void reportQueue();
    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }

    StartGate *const q;
    AgentSupervisor &supervisor;
    RestartPolicyEvaluator &evaluator;
    EvaluatorPort port;
    Governor governor;
    bool limited = false;
    QHash<QUuid, int> priorities; ///< other than the default
    QSet<QUuid> readyByTimer;
    QSet<QUuid> released; ///< due because an operator has closed the breaker
    Deadline turn;
    qsizetype reportedCount = 0;
    HoldSet holds;
};

void StartGate::Private::connectEvaluator()
{
    // Each input after which a start is not due anymore, or held, emits one of these signals.
    const auto follow = [this](const auto &event) { update(event.instanceId); };
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, q,
            [this](const QUuid &id) { update(id); });
    connect(&evaluator, &RestartPolicyEvaluator::startHeld, q, follow);
    connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, q, follow);
    connect(&evaluator, &RestartPolicyEvaluator::restartCancelled, q, follow);
    connect(&evaluator, &RestartPolicyEvaluator::agentStarted, q,
            [this](const AgentStarted &event) {
                if (readyByTimer.contains(event.instanceId) && governor.release(event.instanceId))
                    serve();
            });
    connect(&evaluator, &RestartPolicyEvaluator::operatorCommanded, q,
            [this](const QUuid &id, OperatorCommand command, InstanceState before) {
                passOperator(id, command, before);
            });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this](const QUuid &id) {
        priorities.remove(id);
        readyByTimer.remove(id);
        released.remove(id);
        governor.release(id);
        governor.cancel(id);
        serve();
    });
}

// The signal may be older than the state.
void StartGate::Private::update(const QUuid &id)
{
    bool changed = false;
    if (evaluator.state(id) != InstanceState::Starting)
        changed = governor.release(id);
    // A start that is not due anymore, for example after a stop, leaves the queue or returns its
    // grant.
    const std::optional<DueStart> start = port.dueStart(id);
    if (!start || !start->canPassGate()) {
        released.remove(id);
        changed = governor.cancel(id) || changed;
        holds.set(id, false);
    }
    if (changed)
        serve();
}

// `before` is the state before the command.
void StartGate::Private::passOperator(const QUuid &id, OperatorCommand command,
                                      InstanceState before)
{
    const std::optional<DueStart> start = port.dueStart(id);
    if (!start)
        return;
    const bool isReleased = before == InstanceState::CircuitOpen
        && (command == OperatorCommand::ResetBreaker || command == OperatorCommand::ReleaseBreaker);
    if (isReleased)
        released.insert(id);
    if ((isReleased || start->byOperator) && holds.contains(id)) {
        governor.cancel(id);
        reportQueue();
        holds.set(id, false); // admit() follows, and passes
    }
}

bool StartGate::Private::admit(const QUuid &id)
{
    const std::optional<DueStart> start = port.dueStart(id);
    const bool isReleased = released.remove(id);
    if (!limited || !start)
        return true;
    const GovernedStart kind = isReleased ? GovernedStart::Operator : governedStart(*start);
    const bool isAdmitted = governor.admit(id, kind, q->priority(id), start->dueAt, now());
    const std::optional<Instant> at = governor.nextAt(now());
    if (!isAdmitted && at)
        turn.arm(*at);
    reportQueue();
    return isAdmitted;
}

// No slot runs in the meantime.
void StartGate::Private::serve()
{
    const DeferredEmission deferred(evaluator);
    while (const std::optional<QUuid> id = governor.next(now()))
        holds.set(*id, false);
    if (const std::optional<Instant> at = governor.nextAt(now()))
        turn.arm(*at);
    else
        turn.disarm();
    reportQueue();
}

void StartGate::Private::reportQueue()
{
    const qsizetype count = governor.queuedCount();
    if (std::exchange(reportedCount, count) != count)
        port.postSignal(q, &StartGate::queuedCountChanged, count);
}

void StartGate::Private::admitAll()
{
    const DeferredEmission deferred(evaluator);
    turn.disarm();
    std::map<qsizetype, QUuid> queue; // in the order of the queue
    const QList<QUuid> ids = supervisor.ids();
    for (const QUuid &id : ids) {
        if (governor.isQueued(id))
            queue.emplace(governor.place(id), id);
    }
    for (const auto &[place, id] : queue) {
        governor.cancel(id);
        holds.set(id, false);
    }
    reportQueue();
}

StartGate::StartGate(AgentSupervisor &supervisor, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor))
{
    d->connectEvaluator();
    supervisor.setLaunchGate(Hold::Governor, [this](const QUuid &id) { return d->admit(id); });
}

StartGate::~StartGate()
{
    d->supervisor.setLaunchGate(Hold::Governor, {});
    d->evaluator.disconnect(this);
    d->supervisor.disconnect(this);
    d->admitAll();
}

void StartGate::setLimits(const std::optional<GovernorLimits> &limits)
{
    d->limited = limits.has_value();
    if (limits) {
        d->governor.setLimits(*limits, d->now());
        d->serve();
    } else {
        d->admitAll();
    }
}

std::optional<GovernorLimits> StartGate::limits() const
{
    return d->limited ? std::optional(d->governor.limits()) : std::nullopt;
}

void StartGate::setPriority(const QUuid &instanceId, int priority)
{
    if (priority == Governor::lowestPriority)
        d->priorities.remove(instanceId);
    else
        d->priorities.insert(instanceId, priority);
    d->governor.setPriority(instanceId, priority);
}

int StartGate::priority(const QUuid &instanceId) const
{
    return d->priorities.value(instanceId, Governor::lowestPriority);
}

void StartGate::setReadyByTimer(const QUuid &instanceId, bool readyByTimer)
{
    if (readyByTimer)
        d->readyByTimer.insert(instanceId);
    else
        d->readyByTimer.remove(instanceId);
}

const Governor &StartGate::governor() const { return d->governor; }

QString StartGate::placeText(const QUuid &instanceId) const
{
    const qsizetype place = d->governor.place(instanceId);
    if (place == 0)
        return {};
    return QStringLiteral("%1 of %2").arg(ordinal(place)).arg(d->governor.queuedCount());
}

} // namespace Rekindle
