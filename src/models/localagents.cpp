// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/readyfuture_p.h"
#include "control/internal/agentlines.h"
#include "control/internal/agentoperations.h"
#include "control/internal/agentwords.h"

#include <rekindle/control/decisionlog.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/models/localagents.h>

#include <QCoreApplication>
#include <QMetaMethod>
#include <QPointer>
#include <QSet>

#include <algorithm>
#include <utility>
#include <variant>

namespace Rekindle {

class LocalAgents::Private
{
public:
    explicit Private(AgentSupervisor &agents)
        : supervisor(&agents)
        , decisions(agents)
    {
    }

    [[nodiscard]] bool isKnown(const QUuid &id) const
    {
        return supervisor != nullptr && supervisor->agent(id) != nullptr;
    }
    [[nodiscard]] ControlError unknownAgent() const
    {
        return {ControlError::Code::UnknownAgent,
                supervisor != nullptr ? LocalAgents::tr("the agent does not exist anymore")
                                      : removedText()};
    }
    static QString removedText()
    {
        return LocalAgents::tr("the agents of this program were removed");
    }

    AgentSupervisor *supervisor; ///< null: it was destroyed
    UtcTime end{};               ///< when it was destroyed
    QPointer<SharedBreakers> breakers;
    AgentLines *lines = nullptr; ///< of the supervisor; null before followOutput()
    QSet<QUuid> followed;        ///< whose lines are emitted
    DecisionLog decisions;
};

LocalAgents::LocalAgents(AgentSupervisor &supervisor, QObject *parent)
    : AgentSource(parent)
    , d(std::make_unique<Private>(supervisor))
{
    connect(&supervisor, &AgentSupervisor::agentAdded, this, [this](const QUuid &id) {
        if (d->isKnown(id)) // another slot may have removed it
            Q_EMIT agentAdded(id);
    });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        d->followed.remove(id);
        Q_EMIT agentRemoved(id);
    });
    connect(&supervisor, &AgentSupervisor::aboutToBeDestroyed, this, [this] {
        d->end = utcNow();
        d->supervisor = nullptr;
        d->lines = nullptr;
        const QPointer<LocalAgents> alive(this);
        Q_EMIT reset();
        if (alive)
            Q_EMIT availabilityChanged();
    });
    connect(&supervisor, &AgentSupervisor::lifecycleEvent, this,
            [this](const LifecycleEvent &event) {
                static const QMetaMethod received =
                    QMetaMethod::fromSignal(&AgentSource::eventReceived);
                const QUuid id = header(event).instanceId;
                const bool isOutput = std::holds_alternative<AgentOutput>(event);
                const QPointer<LocalAgents> alive(this);
                if (isSignalConnected(received))
                    Q_EMIT eventReceived(AgentEvent::of(event));
                if (alive)
                    Q_EMIT lifecycleEvent(event);
                if (alive && !isOutput)
                    Q_EMIT agentChanged(id);
            });
    connect(&supervisor, &AgentSupervisor::policyChanged, this, &AgentSource::agentChanged);
    connect(&supervisor, &AgentSupervisor::stateChanged, this, &AgentSource::agentChanged);
}

LocalAgents::~LocalAgents() = default;

void LocalAgents::setSharedBreakers(SharedBreakers *breakers) { d->breakers = breakers; }

AgentSupervisor *LocalAgents::supervisor() const { return d->supervisor; }

QString LocalAgents::name() const { return QCoreApplication::applicationName(); }

QString LocalAgents::fault() const
{
    return d->supervisor != nullptr ? QString() : Private::removedText();
}

QList<QUuid> LocalAgents::ids() const
{
    return d->supervisor != nullptr ? d->supervisor->ids() : QList<QUuid>();
}

std::optional<AgentStatus> LocalAgents::agent(const QUuid &id) const
{
    return d->isKnown(id) ? std::optional(statusOf(*d->supervisor, id)) : std::nullopt;
}

Instant LocalAgents::now() const
{
    return d->supervisor != nullptr ? d->supervisor->scheduler().now() : Instant();
}

UtcTime LocalAgents::utcNow() const
{
    return d->supervisor != nullptr ? d->supervisor->scheduler().clock().utcNow() : d->end;
}

std::optional<InstanceState> LocalAgents::state(const QUuid &id) const
{
    return d->isKnown(id) ? d->supervisor->policyEvaluator().state(id) : std::nullopt;
}

std::optional<RestartPolicy> LocalAgents::policy(const QUuid &id) const
{
    return d->isKnown(id) ? std::optional(d->supervisor->policyEvaluator().policy(id))
                          : std::nullopt;
}

std::optional<LicenseTier> LocalAgents::tier() const
{
    return d->supervisor != nullptr ? std::optional(d->supervisor->featureGate().tier())
                                    : std::nullopt;
}

QFuture<ControlResult<OperationResult>> LocalAgents::operate(ControlOperation operation,
                                                             const QUuid &id, const QString &reason)
{
    using Result = ControlResult<OperationResult>;
    if (!d->isKnown(id))
        return readyFuture(Result{.error = d->unknownAgent()});
    return readyFuture(
        operateAgent(*d->supervisor, d->breakers, operation, id, ownAction(operation, reason)));
}

QList<OutputLine> LocalAgents::followOutput(const QUuid &id)
{
    if (d->supervisor == nullptr)
        return {};
    if (d->lines == nullptr) {
        d->lines = &AgentLines::of(*d->supervisor);
        connect(d->lines, &AgentLines::added, this,
                [this](const QUuid &writer, const LogLine &line) {
                    if (d->followed.contains(writer))
                        Q_EMIT lineReceived(writer, AgentLines::shown(line));
                });
    }
    const Agent *const agent = d->supervisor->agent(id);
    if (agent == nullptr)
        return {};
    d->followed.insert(id);
    QList<OutputLine> found;
    const auto append = [&found](const LogRing &ring) {
        for (quint64 number = ring.first(); number < ring.end(); ++number)
            found.append(AgentLines::shown(ring.at(number)));
    };
    QStringList paths; // a file of both streams is read once
    for (const OutputFile &file : agent->outputFiles()) {
        if (paths.contains(file.path))
            continue;
        paths.append(file.path);
        append(AgentLines::tailOf(file).lines);
    }
    if (const std::shared_ptr<LogRing> ring = d->lines->find(id))
        append(*ring);
    return found.last(std::min<qsizetype>(found.size(), LogRing::maxLines));
}

QFuture<ControlResult<AgentExplanation>> LocalAgents::explain(const QUuid &id)
{
    using Result = ControlResult<AgentExplanation>;
    return readyFuture(d->isKnown(id) ? Result{.value = d->decisions.explain(id)}
                                      : Result{.error = d->unknownAgent()});
}

} // namespace Rekindle
