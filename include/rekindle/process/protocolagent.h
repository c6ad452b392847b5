// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/process/processdefinition.h>

#include <memory>

namespace Rekindle {

class ProcessPipes;
class Scheduler;

/// An agent that is a program which speaks a protocol on stdin and stdout. It is ready after the
/// handshake of the protocol. If the handshake fails, the process is killed and the failure reason
/// is InitializationFailed. Everything else is as in ProcessAgent. It is the base of McpAgent and
/// LspAgent. Use it from the thread it lives in.
class REKINDLE_PROCESS_EXPORT ProtocolAgent : public Agent
{
    Q_OBJECT

public:
    ~ProtocolAgent() override;

    /// The definition of the next start, with its streams and its readiness as they are used.
    [[nodiscard]] const ProcessDefinition &definition() const;

    /// Replaces the definition from the next start on: ProcessAgent::setDefinition().
    void setDefinition(ProcessDefinition definition);

    void start() override;
    [[nodiscard]] QList<Fault> faults() const override;
    void stop() override;
    void kill() override;
    /// The stop sequence limits the stop and ends with stuck().
    [[nodiscard]] std::optional<Duration> defaultStopTimeout() const override { return {}; }
    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] qint64 processId() const override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QStringList stderrTail() const override;
    [[nodiscard]] QList<OutputFile> outputFiles() const override;
    [[nodiscard]] std::optional<Instant> recyclingAt() const override;
    [[nodiscard]] QStringList storedDescriptors() const override;
    void discardStored() override;
    /// Sends a signal to the whole process group. Returns false if there is none.
    bool signalGroup(int signalNumber);
    /// Returns true: ProcessAgent::setKillDeadlineBound().
    [[nodiscard]] bool setKillDeadlineBound(bool bound) override;
    void setFencingToken(qint64 token) override;
    /// The probes of ProcessDefinition::health.
    [[nodiscard]] std::vector<HealthCheck> ownHealthChecks() override;

Q_SIGNALS:
    /// A line that the server wrote to stderr, if stderr of the definition is Lines.
    void errorLine(const QByteArray &line);

protected:
    /// Creates the agent. stdin and stdout of `definition` are always pipes, and its readiness is
    /// always the handshake. `protocol` is the name in messages. `scheduler` must outlive the
    /// agent.
    ProtocolAgent(QString protocol, ProcessDefinition definition, Scheduler &scheduler,
                  QObject *parent);

    /// Begins the handshake with a process that was started. reportReady() or fail() must follow.
    virtual void handshake() = 0;
    void reportReady();

    /// Kills the process, which is a failure with this reason and message. Ignored if no process
    /// runs, or if the reason is known already.
    void fail(FailureReason reason, const QString &message);

    /// To be called when the pipes were closed and pending requests are answered. A process that
    /// has not exited is killed.
    void failDisconnected();

    /// From now on, no exit of the process is a failure. Part of stop() and kill().
    void expectStop();

    [[nodiscard]] ProcessPipes &pipes() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
