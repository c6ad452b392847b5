// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/readyfuture_p.h"
#include "control/internal/logring.h"
#include "timedstatus_p.h"

#include <rekindle/control/hostaddress.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/models/remoteagents.h>
#include <rekindle/policy/backoff.h>

#include <QHash>
#include <QPointer>
#include <QSet>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace Rekindle {

namespace {

// Empty for a host on this machine.
RemoteAgents::Connector tunnelTo(const HostAddress &host)
{
    if (!host.isRemote())
        return {};
    return [host] { return host.connectedSocket(); };
}

// A host on this machine is found within a second. A connector may start ssh, which may ask for a
// password.
Duration retryDelay(bool hasConnector, int failures)
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Exponential;
    policy.initialDelay = std::chrono::seconds(1);
    policy.multiplier = 2;
    policy.maxDelay = std::chrono::seconds(hasConnector ? 30 : 1);
    return Backoff::baseDelay(policy, failures);
}

// A list of many agents takes longer.
constexpr std::chrono::seconds listInterval{5};
constexpr std::chrono::milliseconds listIntervalPerAgent{2};
constexpr std::chrono::seconds responseLimit{15};
// If more agents have changed, a list of all is cheaper.
constexpr qsizetype mostNames = 500;

// Without the times, which change all the time.
bool looksDifferent(const AgentStatus &a, const AgentStatus &b)
{
    const auto ofBreaker = [](const AgentStatus &agent) {
        const auto breaker = agent.breaker.value_or(AgentStatus::Breaker());
        return std::tuple(breaker.state, breaker.isolated, breaker.failures);
    };
    const auto ofFailure = [](const AgentStatus &agent) {
        return agent.lastFailure ? agent.lastFailure->text : QString();
    };
    const auto facts = [](const AgentStatus &agent) {
        return std::tie(agent.agent, agent.state, agent.stoppedByOperator, agent.stopReason,
                        agent.generation, agent.attempt, agent.maxRetries, agent.processId,
                        agent.holds, agent.holdTexts, agent.health.state, agent.health.detail,
                        agent.statusText, agent.tags, agent.group, agent.start);
    };
    return facts(a) != facts(b) || ofBreaker(a) != ofBreaker(b) || ofFailure(a) != ofFailure(b)
        || a.nextStartIn.has_value() != b.nextStartIn.has_value();
}

} // namespace

class RemoteAgents::Private
{
public:
    Private(RemoteAgents *source, Scheduler *times, QString hostName, Connector hostConnector)
        : q(source)
        , scheduler(times != nullptr ? *times : ownScheduler.emplace())
        , name(std::move(hostName))
        , connector(std::move(hostConnector))
        , fault(RemoteAgents::tr("not connected yet"))
    {
        retry.armIn({});
    }
    Private(RemoteAgents *source, Scheduler *times, const QString &host, const HostAddress &address)
        : Private(source, times, host, tunnelTo(address))
    {
        path = address.socketPath();
    }

    void connectToHost();
    void lose(const QString &message);

    void receiveEvent(const ControlEvent &event);
    void receiveLine(const QUuid &id, const OutputLine &line);
    void queueList();
    void list();
    void receiveList(const ControlResult<HostStatus> &result, bool isOfAll);
    void receiveAll(const HostStatus &host);
    QList<QUuid> insert(const QList<AgentStatus> &all);
    bool receive(const AgentStatus &status, bool hadEvent);
    void replace(const QList<AgentStatus> &all, const QString &newFault);
    void subscribe(const QString &cursor);

    template<typename Value, typename Send>
    [[nodiscard]] QFuture<ControlResult<Value>> request(const QUuid &id, const Send &send) const
    {
        using Code = ControlError::Code;
        ControlResult<Value> refused;
        if (!q->isAvailable() || !client)
            refused.error = ControlError{Code::NotConnected, fault};
        else if (const auto known = agents.constFind(id); known != agents.constEnd())
            return send(known->status.agent);
        else
            refused.error = ControlError{Code::UnknownAgent,
                                         RemoteAgents::tr("the agent does not exist anymore")};
        return readyFuture(std::move(refused));
    }

    RemoteAgents *const q;
    std::optional<TimerScheduler> ownScheduler;
    Scheduler &scheduler;
    const QString name;
    const Connector connector; ///< empty: the host listens on `path`
    QString path;
    QString fault;
    std::unique_ptr<ControlClient> client;
    int failures = 0; ///< since agents were received
    Deadline retry{scheduler, [this] { connectToHost(); }};
    Deadline relist{scheduler, [this] {
                        isAllChanged = true;
                        list();
                    }};
    Deadline response{scheduler,
                      [this] { lose(RemoteAgents::tr("%1 does not respond").arg(name)); }};

    QList<QUuid> ids;
    QHash<QUuid, TimedStatus> agents;
    QHash<QString, QUuid> idsByName;
    QHash<QUuid, LineRing<OutputLine>> outputs; ///< of the agents that are followed

    QSet<QString> changed; ///< since they were listed
    bool isAllChanged = false;
    bool isListQueued = false;
    bool isListing = false; ///< a request is in flight
    bool isSubscribed = false;
};

void RemoteAgents::Private::connectToHost()
{
    client = std::make_unique<ControlClient>();
    QObject::connect(client.get(), &ControlClient::opened, q, [this] {
        isAllChanged = true;
        list();
    });
    QObject::connect(client.get(), &ControlClient::closing, q,
                     [this] { lose(RemoteAgents::tr("%1 has closed the connection").arg(name)); });
    QObject::connect(client.get(), &ControlClient::failed, q,
                     [this](ControlClient::Cause, const QString &message) { lose(message); });
    QObject::connect(client.get(), &ControlClient::eventReceived, q,
                     [this](const ControlEvent &event) { receiveEvent(event); });
    QObject::connect(client.get(), &ControlClient::eventsMissed, q, [this](qint64 count) {
        isAllChanged = true;
        queueList();
        Q_EMIT q->eventsMissed(count);
    });
    QObject::connect(client.get(), &ControlClient::lineReceived, q, [this](const OutputLine &line) {
        receiveLine(idsByName.value(line.agent), line);
    });
    QObject::connect(client.get(), &ControlClient::linesMissed, q,
                     [this](const QString &agent, qint64 count) {
                         receiveLine(idsByName.value(agent),
                                     {.text = RemoteAgents::tr("missing lines: %1").arg(count)});
                     });
    response.armIn(responseLimit);
    if (!connector) {
        client->open(path);
        return;
    }
    const ControlClient::Connection connection = connector();
    if (connection.socket >= 0)
        client->open(connection.socket, name);
    else
        lose(connection.fault.isEmpty() ? RemoteAgents::tr("no connection to %1").arg(name)
                                        : connection.fault);
}

// A dead agent must not be shown as healthy.
void RemoteAgents::Private::lose(const QString &message)
{
    if (client) {
        client->disconnect(q);
        client.release()->deleteLater(); // it may be emitting
    }
    response.disarm();
    relist.disarm();
    retry.armIn(retryDelay(connector != nullptr, ++failures));
    changed.clear();
    isAllChanged = false;
    isListing = false;
    isSubscribed = false;
    outputs.clear();
    replace({}, message.isEmpty() ? RemoteAgents::tr("not connected") : message);
}

void RemoteAgents::Private::receiveEvent(const ControlEvent &event)
{
    if (event.type != eventType(AgentOutput())) {
        // An unknown agent was added.
        if (idsByName.contains(event.agent) && event.type != eventType(ConfigurationApplied()))
            changed.insert(event.agent);
        else
            isAllChanged = true;
        queueList();
    }
    const QPointer<RemoteAgents> alive(q);
    const std::optional<LifecycleEvent> known = event.event();
    Q_EMIT q->eventReceived(known ? AgentEvent::of(*known) : AgentEvent::of(event));
    if (alive && known)
        Q_EMIT q->lifecycleEvent(*known);
}

void RemoteAgents::Private::receiveLine(const QUuid &id, const OutputLine &line)
{
    const auto followed = outputs.find(id);
    if (followed == outputs.end())
        return;
    followed->add(line);
    Q_EMIT q->lineReceived(id, line);
}

// One request for all events that were received in this pass.
void RemoteAgents::Private::queueList()
{
    if (isListQueued || isListing)
        return;
    isListQueued = true;
    QMetaObject::invokeMethod(
        q,
        [this] {
            isListQueued = false;
            list();
        },
        Qt::QueuedConnection);
}

void RemoteAgents::Private::list()
{
    if (!client || isListing || (!isAllChanged && changed.isEmpty()))
        return;
    const bool isOfAll = std::exchange(isAllChanged, false) || changed.size() > mostNames;
    const QSet<QString> names = std::exchange(changed, {});
    isListing = true;
    if (isOfAll)
        relist.disarm();
    response.armIn(responseLimit);
    const QPointer<ControlClient> asked(client.get());
    const QPointer<RemoteAgents> alive(q);
    client->listAgents(isOfAll ? QStringList() : QStringList(names.begin(), names.end()))
        .then([this, alive, asked, isOfAll](const ControlResult<HostStatus> &result) {
            if (alive && asked && asked == client.get())
                receiveList(result, isOfAll);
        });
}

void RemoteAgents::Private::receiveList(const ControlResult<HostStatus> &result, bool isOfAll)
{
    isListing = false;
    response.disarm();
    const QPointer<RemoteAgents> alive(q);
    const QPointer<ControlClient> current(client.get());
    if (result.error) {
        if (result.error->code == ControlError::Code::NotConnected)
            return; // failed() follows
        if (isOfAll) {
            lose(result.error->message);
            return;
        }
        isAllChanged = true; // one of the agents was removed
    } else if (isOfAll) {
        receiveAll(result.value);
    } else {
        for (const AgentStatus &each : result.value.agents) {
            if (!receive(each, true))
                isAllChanged = true; // another agent of this name
            if (!alive || !current)
                return;
        }
    }
    if (!alive || !current || current != client.get())
        return;
    if (isOfAll)
        relist.armIn(listInterval + ids.size() * listIntervalPerAgent);
    list();
}

void RemoteAgents::Private::receiveAll(const HostStatus &host)
{
    failures = 0;
    const QPointer<RemoteAgents> alive(q);
    const QPointer<ControlClient> current(client.get());
    const auto isCurrent = [&] { return alive && current && current == client.get(); };
    if (!isSubscribed) {
        subscribe(host.cursor);
        replace(host.agents, {});
        return;
    }
    QSet<QUuid> listed;
    for (const AgentStatus &each : host.agents)
        listed.insert(each.instanceId);
    for (const QUuid &id : QList<QUuid>(ids)) {
        if (listed.contains(id))
            continue;
        ids.removeOne(id);
        idsByName.remove(agents.take(id).status.agent);
        outputs.remove(id);
        Q_EMIT q->agentRemoved(id);
        if (!isCurrent())
            return;
    }
    const QList<QUuid> added = insert(host.agents);
    for (const QUuid &id : added) {
        Q_EMIT q->agentAdded(id);
        if (!isCurrent())
            return;
    }
    for (const AgentStatus &each : host.agents) {
        receive(each, false);
        if (!isCurrent())
            return;
    }
}

// Inserts those that are not known, and returns them. Their order may have changed.
QList<QUuid> RemoteAgents::Private::insert(const QList<AgentStatus> &all)
{
    ids.clear();
    QList<QUuid> added;
    for (const AgentStatus &each : all) {
        ids.append(each.instanceId);
        if (agents.contains(each.instanceId))
            continue;
        added.append(each.instanceId);
        idsByName.insert(each.agent, each.instanceId);
        agents.insert(each.instanceId, {each, q->now()});
    }
    return added;
}

// Returns whether the agent is known. After an event, times may have changed, too.
bool RemoteAgents::Private::receive(const AgentStatus &status, bool hadEvent)
{
    const auto known = agents.find(status.instanceId);
    if (known == agents.end())
        return false;
    const bool isChanged = hadEvent || looksDifferent(known->status, status);
    *known = {status, q->now()};
    if (isChanged)
        Q_EMIT q->agentChanged(status.instanceId);
    return true;
}

void RemoteAgents::Private::replace(const QList<AgentStatus> &all, const QString &newFault)
{
    const bool isOther = std::exchange(fault, newFault) != newFault;
    const bool wasEmpty = ids.isEmpty();
    agents.clear();
    idsByName.clear();
    insert(all);
    const QPointer<RemoteAgents> alive(q);
    if (!wasEmpty || !ids.isEmpty())
        Q_EMIT q->reset();
    if (alive && isOther)
        Q_EMIT q->availabilityChanged();
}

void RemoteAgents::Private::subscribe(const QString &cursor)
{
    isSubscribed = true;
    const QPointer<ControlClient> asked(client.get());
    const QPointer<RemoteAgents> alive(q);
    client->subscribe({.from = cursor})
        .then([this, alive, asked](const ControlResult<QString> &result) {
            if (!alive || !asked || asked != client.get() || !result.error
                || result.error->code == ControlError::Code::NotConnected)
                return;
            if (result.error->code != ControlError::Code::CursorGone) {
                lose(result.error->message); // without events, the states would be wrong
                return;
            }
            isSubscribed = false;
            isAllChanged = true;
            queueList();
            Q_EMIT q->eventsMissed(0);
        });
}

RemoteAgents::RemoteAgents(const QString &host, const QString &folder, QObject *parent)
    : AgentSource(parent)
    , d(std::make_unique<Private>(this, nullptr, host, HostAddress(host, folder)))
{
}

RemoteAgents::RemoteAgents(Scheduler &scheduler, const QString &host, const QString &folder,
                           QObject *parent)
    : AgentSource(parent)
    , d(std::make_unique<Private>(this, &scheduler, host, HostAddress(host, folder)))
{
}

RemoteAgents::RemoteAgents(const QString &name, Connector connector, QObject *parent)
    : AgentSource(parent)
    , d(std::make_unique<Private>(this, nullptr, name, std::move(connector)))
{
}

RemoteAgents::~RemoteAgents() = default;

HostInfo RemoteAgents::host() const
{
    return d->client && isAvailable() ? d->client->host() : HostInfo();
}

QString RemoteAgents::name() const { return d->name; }

QString RemoteAgents::fault() const { return d->fault; }

QList<QUuid> RemoteAgents::ids() const { return d->ids; }

std::optional<AgentStatus> RemoteAgents::agent(const QUuid &id) const
{
    const auto known = d->agents.find(id);
    if (known == d->agents.end())
        return {};
    known->moveTo(now());
    return known->status;
}

Instant RemoteAgents::now() const { return d->scheduler.now(); }

UtcTime RemoteAgents::utcNow() const { return d->scheduler.clock().utcNow(); }

QFuture<ControlResult<OperationResult>>
RemoteAgents::operate(ControlOperation operation, const QUuid &id, const QString &reason)
{
    return d->request<OperationResult>(
        id, [&](const QString &agent) { return d->client->operate(operation, agent, reason); });
}

QFuture<ControlResult<AgentExplanation>> RemoteAgents::explain(const QUuid &id)
{
    return d->request<AgentExplanation>(
        id, [&](const QString &agent) { return d->client->explain(agent); });
}

QList<OutputLine> RemoteAgents::followOutput(const QUuid &id)
{
    const auto known = d->agents.constFind(id);
    if (!d->client || known == d->agents.constEnd())
        return {};
    QList<OutputLine> found;
    if (const auto ring = d->outputs.constFind(id); ring != d->outputs.constEnd()) {
        for (quint64 number = ring->first(); number < ring->end(); ++number)
            found.append(ring->at(number));
        return found;
    }
    d->outputs.insert(id, {});
    const QPointer<ControlClient> asked(d->client.get());
    const QPointer<RemoteAgents> alive(this);
    d->client->readLines(known->status.agent, LogRing::maxLines, true)
        .then([this, alive, asked, id](const ControlResult<QList<OutputLine>> &result) {
            QList<OutputLine> lines = result.value; // of files
            if (result.error)
                lines = {OutputLine{.text = result.error->message}};
            for (const OutputLine &each : std::as_const(lines)) {
                if (alive && asked && asked == d->client.get())
                    d->receiveLine(id, each);
            }
        });
    return {};
}

} // namespace Rekindle
