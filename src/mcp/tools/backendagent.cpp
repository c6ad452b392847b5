// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "backendagent_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QFutureWatcher>
#include <QPromise>

#include <algorithm>
#include <iterator>
#include <utility>

namespace Rekindle {

struct BackendAgent::Waiter
{
    Waiter(BackendAgent &server, Scheduler &scheduler, Duration time)
        : within(time)
        , late(scheduler, [this, &server] { server.answerLate(this); })
    {
        promise.start();
        late.armIn(std::max(within, Duration{0}));
    }

    QPromise<Start> promise;
    Duration within;
    Deadline late;
};

BackendAgent::BackendAgent(AgentSupervisor &supervisor, QString name,
                           const ProcessDefinition &definition, const RestartPolicy &policy,
                           const McpClientOptions &options, const Callbacks &callbacks)
    : m_supervisor(&supervisor)
    , m_name(std::move(name))
    , m_fewerWaiters(callbacks.fewerWaiters)
    , m_makeAgent([definition, &scheduler = supervisor.scheduler(), options] {
        return std::make_unique<McpAgent>(definition, scheduler, options);
    })
{
    std::unique_ptr<McpAgent> owned = m_makeAgent();
    m_agent = owned.get();
    const AgentSupervisor::Added added = supervisor.add(m_name, std::move(owned), policy);
    m_id = added.id;
    m_faults = added.faults;
    if (!added)
        replaceAgent();

    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    QObject::connect(&evaluator, &RestartPolicyEvaluator::agentReady, &m_receiver,
                     [this, ready = callbacks.ready](const AgentReady &event) {
                         if (event.instanceId != m_id)
                             return;
                         isStarting = false;
                         ready();
                     });
    QObject::connect(&evaluator, &RestartPolicyEvaluator::stateChanged, &m_receiver,
                     [this, changed = callbacks.stateChanged](const QUuid &id, InstanceState to) {
                         if (id == m_id)
                             changed(to);
                     });
    QObject::connect(&supervisor, &AgentSupervisor::agentRemoved, &m_receiver,
                     [this](const QUuid &id) {
                         if (!isManaged() || id != m_id)
                             return;
                         isStarting = false;
                         replaceAgent();
                         answerWaiters(notManaged());
                     });
}

BackendAgent::~BackendAgent()
{
    // Cleared first, so that the signal of this removal is not processed.
    if (const QUuid id = std::exchange(m_id, {}); m_supervisor)
        m_supervisor->remove(id);
}

// The supervisor deletes the removed agent soon. The replacement is never started.
void BackendAgent::replaceAgent()
{
    m_id = QUuid();
    m_standIn = m_makeAgent();
    m_agent = m_standIn.get();
}

bool BackendAgent::isReady() const
{
    return !isStarting && m_agent->client().isReady() && state() != InstanceState::Stopping;
}

InstanceState BackendAgent::state() const
{
    const auto known = m_supervisor ? m_supervisor->policyEvaluator().state(m_id) : std::nullopt;
    return known.value_or(InstanceState::Stopped);
}

McpError BackendAgent::notManaged() const
{
    if (!hasErrors(m_faults))
        return unavailable(QStringLiteral("%1 was removed from its supervisor").arg(m_name));
    return unavailable(QStringLiteral("%1 was rejected: ").arg(m_name)
                       + m_faults.front().toString());
}

McpError BackendAgent::unavailable(const QString &what) const
{
    McpError error{.kind = McpError::Kind::NotReady, .message = what};
    // A supervisor that is the parent of the caller is destroyed first.
    const auto snapshot = m_supervisor ? m_supervisor->snapshot(m_id) : std::nullopt;
    if (snapshot && snapshot->lastFailure) {
        error.process = snapshot->lastFailure->detail;
        if (!error.process.message.isEmpty())
            error.message += QLatin1String(": ") + error.process.message;
    }
    return error;
}

QFuture<ToolBackend::Start> BackendAgent::addWaiter(Duration within)
{
    m_waiters.push_back(std::make_unique<Waiter>(*this, m_supervisor->scheduler(), within));
    QFuture<Start> future = m_waiters.back()->promise.future();
    if (m_fewerWaiters) {
        auto *watcher = new QFutureWatcher<Start>(&m_receiver);
        QObject::connect(watcher, &QFutureWatcherBase::canceled, &m_receiver, m_fewerWaiters);
        QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
        watcher->setFuture(future);
    }
    return future;
}

bool BackendAgent::isAwaited() const
{
    return std::any_of(
        m_waiters.begin(), m_waiters.end(),
        [](const std::unique_ptr<Waiter> &waiter) { return !waiter->promise.isCanceled(); });
}

void BackendAgent::answerLate(const Waiter *waiter)
{
    const auto found = std::find_if(m_waiters.begin(), m_waiters.end(),
                                    [waiter](const auto &one) { return one.get() == waiter; });
    Waiters late;
    late.push_back(std::move(*found));
    m_waiters.erase(found);
    const QPointer<QObject> alive(&m_receiver);
    const QString within = durationToString(late.front()->within);
    answer(late, unavailable(QStringLiteral("%1 was not ready within %2").arg(m_name, within)));
    if (alive && m_fewerWaiters)
        m_fewerWaiters();
}

void BackendAgent::answerWaiters(const Start &start)
{
    answer(std::exchange(m_waiters, {}), start);
}

void BackendAgent::answerShortWaiters(Instant instant, const McpError &error)
{
    const auto split =
        std::stable_partition(m_waiters.begin(), m_waiters.end(),
                              [instant](const auto &one) { return one->late.due() >= instant; });
    const Waiters expiring(std::make_move_iterator(split),
                           std::make_move_iterator(m_waiters.end()));
    m_waiters.erase(split, m_waiters.end());
    answer(expiring, error);
}

void BackendAgent::answer(const Waiters &waiters, const Start &start)
{
    for (const std::unique_ptr<Waiter> &waiter : waiters)
        waiter->late.disarm();
    for (const std::unique_ptr<Waiter> &waiter : waiters) {
        waiter->promise.addResult(start);
        waiter->promise.finish();
    }
}

} // namespace Rekindle
