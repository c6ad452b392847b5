// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>

#include <memory>

namespace Rekindle {

class AgentSupervisor;
class SharedBreakers;

/// The agents of a supervisor of this process. After the supervisor was destroyed, the source is
/// unavailable and has no agents. Use it from the thread of the supervisor.
class REKINDLE_MODELS_EXPORT LocalAgents : public AgentSource
{
    Q_OBJECT

public:
    /// The default name is the name of the application.
    explicit LocalAgents(AgentSupervisor &supervisor, QObject *parent = nullptr);
    ~LocalAgents() override;

    /// Sets the shared breakers of the host, which can prevent a restart. Null: there are none.
    /// They may be destroyed first.
    void setSharedBreakers(SharedBreakers *breakers);

    /// Returns the supervisor; null after it was destroyed.
    [[nodiscard]] AgentSupervisor *supervisor() const;

    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString fault() const override;
    [[nodiscard]] QList<QUuid> ids() const override;
    [[nodiscard]] std::optional<AgentStatus> agent(const QUuid &id) const override;
    [[nodiscard]] Instant now() const override;
    [[nodiscard]] UtcTime utcNow() const override;
    [[nodiscard]] std::optional<InstanceState> state(const QUuid &id) const override;
    [[nodiscard]] std::optional<RestartPolicy> policy(const QUuid &id) const override;
    [[nodiscard]] std::optional<LicenseTier> tier() const override;

    /// Returns a finished future. Emits the same event operator.action as for a client of another
    /// process.
    QFuture<ControlResult<OperationResult>> operate(ControlOperation operation, const QUuid &id,
                                                    const QString &reason = {}) override;
    QList<OutputLine> followOutput(const QUuid &id) override;
    /// Returns a finished future. Explains the decisions since the construction of this object.
    QFuture<ControlResult<AgentExplanation>> explain(const QUuid &id) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
