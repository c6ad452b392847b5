// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/metrics/export.h>

#include <QByteArray>
#include <QObject>
#include <QUuid>

#include <functional>
#include <memory>

namespace prometheus {
class Registry;
}

namespace Rekindle {

class AgentSupervisor;
class CustomEvaluators;
class RestartPolicyEvaluator;
struct ToolCallFinished;

/// Limits of a MetricsCollector. A value out of range is replaced by the nearest valid value.
struct MetricsOptions
{
    /// Number of agents with series of their own, 1 to 100000. Further agents share the series of
    /// the agent "_other".
    int maxAgents = 1000;
};

/// Collects metrics for Prometheus: restarts, failures, the states of agents and breakers, tool
/// calls, and the license tier. docs/metrics.md lists all metrics with their labels.
///
/// An agent has series from when it is added until it is removed. Agents with the same name share
/// their series. Counters start at zero with the collector.
///
/// Create, use and destroy it in the evaluator's thread. An event takes some hundred nanoseconds.
/// text(), textSource() and registry() are thread-safe and do not wait for the engine.
class REKINDLE_METRICS_EXPORT MetricsCollector : public QObject
{
    Q_OBJECT

public:
    /// Tracks all present and future agents of a supervisor.
    explicit MetricsCollector(AgentSupervisor &supervisor, const MetricsOptions &options = {},
                              QObject *parent = nullptr);

    /// Tracks the instances of an evaluator without a supervisor, each from its first event. Call
    /// forget() when an instance is removed.
    explicit MetricsCollector(RestartPolicyEvaluator &evaluator, const MetricsOptions &options = {},
                              QObject *parent = nullptr);
    ~MetricsCollector() override;

    /// Tracks an instance before its first event. Ids that are unknown or already tracked are
    /// ignored.
    void track(const QUuid &instanceId);

    /// Removes the series of an instance, unless another instance has the same name. Unknown ids
    /// are ignored.
    void forget(const QUuid &instanceId);

    /// Counts further faults of custom evaluators.
    void attach(CustomEvaluators &evaluators);

    /// Counts a tool call. Connect it to the signal callFinished() of a WatchdogProxy, an
    /// McpGateway or a ToolCaller. A call of a server that is not an agent counts for the
    /// agent "_other". For each agent, 100 tools have series of their own. Further tools, and tools
    /// with a name of more than 128 characters, share the series of the tool "_other".
    void count(const Rekindle::ToolCallFinished &call);

    /// Sets the number of events that a subscriber of the host has lost since its construction, for
    /// example TelemetryStore::droppedCount() or EventQueue::dropped(). `subscriber` is a label
    /// value. Names beyond the first 100 are ignored, and so is a total below the previous one.
    void setDropped(const QString &subscriber, quint64 total);

    /// Sets the length of the queue of a governor. Connect it to StartGate::queuedCountChanged().
    void setQueuedStarts(qsizetype count);

    /// Returns all series in the text format of Prometheus (version 0.0.4), sorted by name and
    /// labels.
    [[nodiscard]] QByteArray text() const;

    /// Returns text() as a function that remains valid after the collector is deleted.
    [[nodiscard]] std::function<QByteArray()> textSource() const;

    /// Returns the registry, for a host that adds series or exports them itself. Such a host links
    /// prometheus-cpp. It must remove only its own series.
    [[nodiscard]] std::shared_ptr<prometheus::Registry> registry() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
