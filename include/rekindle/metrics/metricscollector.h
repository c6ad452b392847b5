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

/// How many series a MetricsCollector may make.
struct MetricsOptions
{
    /// Agents with series of their own; 1 to 100000. All further ones share those of the agent
    /// "_other". What is out of range is taken for the nearest value in it.
    int maxAgents = 1000;
};

/// Counts what an engine does, for Prometheus: the metrics of S1 6.2, the states of agents and
/// breakers, and the licence tier. docs/metrics.md lists all of them with their labels.
///
/// An agent's series exist from the moment it is known until it is removed. Agents of one name
/// share their series. Counters start at zero with the collector.
///
/// Create, use and destroy it in the evaluator's thread, where it costs some hundred nanoseconds an
/// event; text(), textSource() and registry() may be used from any thread, and do not wait for the
/// engine.
class REKINDLE_METRICS_EXPORT MetricsCollector : public QObject
{
    Q_OBJECT

public:
    /// All agents of a supervisor, now and later.
    explicit MetricsCollector(AgentSupervisor &supervisor, const MetricsOptions &options = {},
                              QObject *parent = nullptr);

    /// For hosts without a supervisor: an instance is known from its first event on, and must be
    /// forgotten by hand.
    explicit MetricsCollector(RestartPolicyEvaluator &evaluator, const MetricsOptions &options = {},
                              QObject *parent = nullptr);
    ~MetricsCollector() override;

    /// Makes an instance of the evaluator known. Known and unknown ids are ignored.
    void track(const QUuid &instanceId);

    /// Its series end, unless another instance has the same name. Unknown ids are ignored.
    void forget(const QUuid &instanceId);

    /// Counts what these do wrong from here on, for as long as both live.
    void attach(CustomEvaluators &evaluators);

    /// A subscriber of the host's has lost this many events since its beginning, for example
    /// TelemetryStore::droppedCount() or EventQueue::dropped(). The name is a label's value, and
    /// one of few; after 100 names further ones are ignored, and so is a total below the last one.
    void setDropped(const QString &subscriber, quint64 total);

    /// All series in the text format of Prometheus (version 0.0.4), ordered by name and labels.
    [[nodiscard]] QByteArray text() const;

    /// text() as a function that outlives the collector.
    [[nodiscard]] std::function<QByteArray()> textSource() const;

    /// Where the series are, for a host that adds its own or exports them itself; it then links
    /// prometheus-cpp. What it removes must be its own.
    [[nodiscard]] std::shared_ptr<prometheus::Registry> registry() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
