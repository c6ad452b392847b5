// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlclient.h>
#include <rekindle/models/agentevent.h>
#include <rekindle/models/export.h>
#include <rekindle/policy/restartpolicy.h>

#include <QObject>

namespace Rekindle {

/// Provides the agents of one host to views. LocalAgents are the agents of a supervisor of this
/// process, and RemoteAgents those of another process or machine. Use it from its own thread. To
/// delete the source in a slot, use deleteLater().
class REKINDLE_MODELS_EXPORT AgentSource : public QObject
{
    Q_OBJECT
    Q_PROPERTY(QString name READ name CONSTANT)
    Q_PROPERTY(bool available READ isAvailable NOTIFY availabilityChanged)
    Q_PROPERTY(QString fault READ fault NOTIFY availabilityChanged)

public:
    ~AgentSource() override;

    /// Returns the name of the host.
    [[nodiscard]] virtual QString name() const = 0;
    /// Returns why there are no agents, for people; empty if the host is available.
    [[nodiscard]] virtual QString fault() const = 0;
    [[nodiscard]] bool isAvailable() const { return fault().isEmpty(); }

    /// Returns the agents in the order of the host; none if it is unavailable.
    [[nodiscard]] virtual QList<QUuid> ids() const = 0;
    /// Returns the newest known status of an agent, with times relative to now(). Empty if there is
    /// no agent with this id.
    [[nodiscard]] virtual std::optional<AgentStatus> agent(const QUuid &id) const = 0;
    /// Returns the time of the clock of the source.
    [[nodiscard]] virtual Instant now() const = 0;

    /// Returns the time of day of the source, for example of a supervisor in virtual time.
    [[nodiscard]] virtual UtcTime utcNow() const = 0;
    /// Returns the state of an agent, faster than agent(). Empty for an unknown state of a newer
    /// host.
    [[nodiscard]] virtual std::optional<InstanceState> state(const QUuid &id) const;
    /// Returns the worst state of these agents, for example for one symbol that represents them.
    /// Empty if there are none, or if the state of one is unknown.
    [[nodiscard]] std::optional<InstanceState> worstState(const QList<QUuid> &ids) const;

    /// Returns the policy in force. Empty if it is unknown, as for other hosts.
    [[nodiscard]] virtual std::optional<RestartPolicy> policy(const QUuid &id) const;
    /// Returns the license tier of the host. Empty if it is unknown, as for other hosts.
    [[nodiscard]] virtual std::optional<LicenseTier> tier() const;

    /// Operates an agent or its circuit breaker. `reason` is for the event operator.action and the
    /// audit trail, at most 1,000 characters. The errors are those of ControlClient::operate(), and
    /// UnknownAgent for an unknown id. A future that is not finished when the source is destroyed
    /// or loses its host can be canceled.
    virtual QFuture<ControlResult<OperationResult>>
    operate(ControlOperation operation, const QUuid &id, const QString &reason = {}) = 0;

    /// Begins to emit lineReceived() for the output of an agent. Returns its newest lines that are
    /// known now, at most 1,000. Call it again after reset(). LocalAgents store the lines of all
    /// agents from the first call on, even if its id is unknown. RemoteAgents store the lines of
    /// this agent while they are connected to the host. The default implementation returns nothing.
    virtual QList<OutputLine> followOutput(const QUuid &id);
    /// Explains the newest decisions about an agent. The errors are UnknownAgent for an unknown id,
    /// and those of ControlClient::explain(). The future can be canceled like that of operate().
    virtual QFuture<ControlResult<AgentExplanation>> explain(const QUuid &id) = 0;

Q_SIGNALS:
    void agentAdded(const QUuid &id);
    /// agent() returns nothing for this id anymore.
    void agentRemoved(const QUuid &id);
    /// Its state, policy, holds or health may have changed. Emitted for each event, which can be
    /// several times in a pass of the event loop.
    void agentChanged(const QUuid &id);
    /// All agents were replaced at once; nothing else is emitted for them.
    void reset();

    /// isAvailable() or fault() has changed.
    void availabilityChanged();

    void eventReceived(const Rekindle::AgentEvent &event);
    /// The same event with its data. Not emitted for an unknown type of a newer host.
    void lifecycleEvent(const Rekindle::LifecycleEvent &event);
    /// Events are missing; their number is 0 if it is unknown.
    void eventsMissed(qint64 count);

    /// An agent of followOutput() has written a line. If `stream` is empty, the text is a remark
    /// about missing lines, for people.
    void lineReceived(const QUuid &id, const Rekindle::OutputLine &line);

protected:
    explicit AgentSource(QObject *parent);
};

} // namespace Rekindle
