// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include "lifecycle/health/healthwatch_p.h"
#include "outputmeter_p.h"

#include <QHash>
#include <QPointer>

#include <utility>

namespace Rekindle {

namespace {
enum class Life {
    Over, ///< nothing of it runs, or it was told to end
    Starting,
    Ready,
};

struct Watched
{
    QUuid id;
    Agent *agent = nullptr;
    quint64 generation = 0;
    std::unique_ptr<HealthWatch> health;
    Life life = Life::Over;
    std::unique_ptr<OutputMeter> output; ///< where its lines are told
};
} // namespace

class AgentMonitor::Private
{
public:
    Private(AgentMonitor *monitor, Scheduler &scheduler)
        : q(monitor)
        , surroundings{scheduler, StallWatch(scheduler), {}, *monitor}
    {
    }

    [[nodiscard]] std::unique_ptr<HealthWatch> makeHealth(const Watched &w,
                                                          std::vector<HealthCheck> checks);
    [[nodiscard]] std::shared_ptr<Watched> find(const QUuid &id) const { return watched.value(id); }

    void onStarted(const QUuid &id) const;
    void onReady(const QUuid &id) const;
    void onEnded(const QUuid &id) const;
    void onProbed(const QUuid &id, const ProbeResult &result, int misses);
    void onNews(const QUuid &id, const HealthWatch::News &news) const;
    void onOutput(const QUuid &id, AgentOutput::Stream stream, const QByteArray &line) const;
    [[nodiscard]] bool tellLastOutput(const QUuid &id) const;

    AgentMonitor *const q;
    ProbeCycle::Surroundings surroundings;
    QHash<QUuid, std::shared_ptr<Watched>> watched;
};

std::unique_ptr<HealthWatch> AgentMonitor::Private::makeHealth(const Watched &w,
                                                               std::vector<HealthCheck> checks)
{
    return std::make_unique<HealthWatch>(
        std::move(checks), w.health ? w.health->status() : AgentHealthStatus{}, surroundings,
        [this, id = w.id](const HealthWatch::News &news) { onNews(id, news); });
}

void AgentMonitor::Private::onStarted(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    const quint64 generation = w->generation;
    w->life = Life::Starting;
    Q_EMIT q->agentStarted(id, generation, w->agent->processId());
    // A slot may have done anything.
    if (find(id) == w && w->generation == generation && w->health)
        w->health->started();
}

void AgentMonitor::Private::onReady(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (w->life == Life::Starting)
        w->life = Life::Ready;
    if (w->health)
        w->health->ready();
    Q_EMIT q->agentReady(id, w->generation);
}

void AgentMonitor::Private::onEnded(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (!w)
        return;
    w->life = Life::Over;
    if (w->health)
        w->health->ended();
}

void AgentMonitor::Private::onProbed(const QUuid &id, const ProbeResult &result, int misses)
{
    const std::shared_ptr<Watched> w = find(id);
    if (w->life == Life::Over)
        return;
    // Most agents have no probes and find nothing themselves: they need no memory for it.
    if (!w->health)
        w->health = makeHealth(*w, {});
    w->health->probed(result, misses);
}

void AgentMonitor::Private::onNews(const QUuid &id, const HealthWatch::News &news) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (!w)
        return;
    const quint64 generation = w->generation;
    if (news.wedged)
        w->life = Life::Over;
    if (news.before.state != news.after.state
        || news.before.consecutiveMisses != news.after.consecutiveMisses)
        Q_EMIT q->healthChanged(id, generation, news.before, news.after);
    if (!news.wedged || find(id) != w || w->generation != generation)
        return;
    Failure failure{FailureReason::HealthCheckFailed, {}};
    failure.detail.message = *news.wedged;
    failure.detail.processId = w->agent->processId();
    if (!tellLastOutput(id) || w->generation != generation)
        return;
    Q_EMIT q->agentUnhealthy(id, generation, failure);
}

void AgentMonitor::Private::onOutput(const QUuid &id, AgentOutput::Stream stream,
                                     const QByteArray &line) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (!w || !w->output)
        return;
    if (const auto dropped = w->output->take(surroundings.scheduler.now(), stream, line))
        Q_EMIT q->agentOutput(id, outputEvent(w->generation, stream, line, *dropped));
}

// A flood's last line may be why it ends. False where a slot has removed the agent.
bool AgentMonitor::Private::tellLastOutput(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    const auto untold = w->output ? w->output->takeUntold() : std::nullopt;
    if (!untold)
        return true;
    const QPointer<AgentMonitor> alive(q);
    Q_EMIT q->agentOutput(id,
                          outputEvent(w->generation, untold->stream, untold->line, untold->before));
    return !alive.isNull() && find(id) == w;
}

AgentMonitor::AgentMonitor(Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, scheduler))
{
}

AgentMonitor::~AgentMonitor()
{
    // Its probes become children of this object, which still is one.
    d->watched.clear();
}

void AgentMonitor::watch(const QUuid &instanceId, Agent *agent)
{
    unwatch(instanceId);
    d->watched.insert(
        instanceId,
        std::make_shared<Watched>(Watched{instanceId, agent, 0, nullptr, Life::Over, nullptr}));

    // The connections end with unwatch(), which a slot may call.
    const QUuid id = instanceId;
    connect(agent, &Agent::started, this, [this, id] { d->onStarted(id); });
    connect(agent, &Agent::ready, this, [this, id] { d->onReady(id); });
    connect(agent, &Agent::stopped, this, [this, id] {
        if (!d->tellLastOutput(id))
            return;
        d->onEnded(id);
        Q_EMIT agentStopped(id, d->find(id)->generation);
    });
    connect(agent, &Agent::failed, this,
            [this, id](FailureReason reason, const FailureDetail &detail) {
                if (!d->tellLastOutput(id))
                    return;
                d->onEnded(id);
                Q_EMIT agentFailed(id, d->find(id)->generation, {reason, detail});
            });
    connect(agent, &Agent::probed, this,
            [this, id](const ProbeResult &result, int misses) { d->onProbed(id, result, misses); });
    connect(agent, &Agent::restartRequested, this, [this, id](const QString &reason) {
        const std::shared_ptr<Watched> w = d->find(id);
        const bool alive = w->agent->isAlive();
        if (!alive && !d->tellLastOutput(id))
            return;
        if (!alive)
            d->onEnded(id);
        Q_EMIT restartRequested(id, w->generation, reason, alive);
    });
}

void AgentMonitor::unwatch(const QUuid &instanceId)
{
    const std::shared_ptr<Watched> watched = d->watched.take(instanceId);
    if (!watched)
        return;
    disconnect(watched->agent, nullptr, this, nullptr);
    // Now, though a slot that is still running may hold the rest: no probe of it goes on.
    watched->health.reset();
}

void AgentMonitor::setGeneration(const QUuid &instanceId, quint64 generation)
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    if (!watched || watched->generation == generation)
        return;
    watched->generation = generation;
    // Now and not when it has started: perhaps it never does.
    if (watched->health)
        watched->health->renew();
}

Agent *AgentMonitor::agent(const QUuid &instanceId) const
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    return watched ? watched->agent : nullptr;
}

QList<Fault> AgentMonitor::setHealth(const QUuid &instanceId, std::vector<HealthCheck> checks)
{
    QList<Fault> faults;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        const QString path = QLatin1Char('/') + QString::number(i);
        if (!checks[i].probe)
            faults.append({path, QStringLiteral("found no probe")});
        for (Fault fault : validate(checks[i].schedule)) {
            fault.path.prepend(path);
            faults.append(fault);
        }
    }
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    if (!watched || hasErrors(faults))
        return faults;
    // The old ones last: one of them may be in the middle of a signal.
    const std::unique_ptr<HealthWatch> old =
        std::exchange(watched->health, d->makeHealth(*watched, std::move(checks)));
    if (watched->life == Life::Starting)
        watched->health->started();
    return faults;
}

AgentHealthStatus AgentMonitor::health(const QUuid &instanceId) const
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    return watched && watched->health ? watched->health->status() : AgentHealthStatus{};
}

void AgentMonitor::endHealth(const QUuid &instanceId) { d->onEnded(instanceId); }

void AgentMonitor::tellOutput(const QUuid &instanceId, bool told)
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    if (!watched || (watched->output != nullptr) == told)
        return;
    if (!told) {
        watched->output.reset();
        disconnect(watched->agent, &Agent::output, this, nullptr);
        return;
    }
    watched->output = std::make_unique<OutputMeter>(outputPerSecond);
    connect(watched->agent, &Agent::output, this,
            [this, instanceId](AgentOutput::Stream stream, const QByteArray &line) {
                d->onOutput(instanceId, stream, line);
            });
}

} // namespace Rekindle
