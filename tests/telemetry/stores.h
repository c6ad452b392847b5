// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QList>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

#include <memory>

namespace Rekindle {

/// The test's own connection to the file of a store.
class OwnConnection
{
public:
    explicit OwnConnection(const QString &path);
    ~OwnConnection();
    Q_DISABLE_COPY_MOVE(OwnConnection)

    /// Executes the statement. The test fails if the statement fails.
    void execute(const QString &statement);
    [[nodiscard]] bool tryExecute(const QString &statement);

    /// Returns all rows, with columns joined by "|".
    [[nodiscard]] QStringList rows(const QString &statement);
    [[nodiscard]] qint64 number(const QString &statement);

    /// Removes the triggers that protect the trail against changes.
    void dropTriggers();

private:
    QString m_name;
    QSqlDatabase m_database;
};

/// Waits until all rows are written. Returns false if writing failed.
[[nodiscard]] bool written(TelemetryStore &store);

/// Returns an event of agent "a" with this sequence number, emitted at `at` of both clocks.
[[nodiscard]] LifecycleEvent numbered(quint64 sequence, Duration at = {});

/// Writes and closes a store with the events 1 to `count`.
void writeEvents(const TelemetryOptions &options, int count, Duration interval = {});

/// An evaluator in virtual time with one agent, "web", that fails on demand.
class Engine
{
public:
    Engine();

    /// Starts the agent and lets it become ready and crash. Emits a command, a decision and some
    /// events.
    void crash(const QStringList &stderrTail = {});

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    RestartPolicyEvaluator evaluator{scheduler, [](const QUuid &) { return 0.5; }};
    QUuid id = QUuid::createUuid();
};

/// Writes and closes a store at `path` with a trail of two rows for each crash: the command that
/// started the agent, and the decision.
void writeTrail(const QString &path, int crashes);

} // namespace Rekindle
