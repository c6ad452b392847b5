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

/// A connection of the test's own to a store's file.
class OwnConnection
{
public:
    explicit OwnConnection(const QString &path);
    ~OwnConnection();
    Q_DISABLE_COPY_MOVE(OwnConnection)

    /// Executes it; the test fails where that fails.
    void execute(const QString &statement);
    [[nodiscard]] bool tryExecute(const QString &statement);

    /// All rows, columns joined with "|".
    [[nodiscard]] QStringList rows(const QString &statement);
    [[nodiscard]] qint64 number(const QString &statement);

    /// Takes the triggers away, as somebody would who wants to change the trail.
    void dropFences();

private:
    QString m_name;
    QSqlDatabase m_database;
};

/// Waits until all that the store was told is written; false if it could not be.
[[nodiscard]] bool written(TelemetryStore &store);

/// An event of agent "a" with this sequence number, told at `at` of both clocks.
[[nodiscard]] LifecycleEvent numbered(quint64 sequence, Duration at = {});

/// An evaluator in virtual time with one agent, "web", that fails on demand.
class Engine
{
public:
    Engine();

    /// One start, ready and crash; told are a decision and some events. Time passes.
    void crash(const QStringList &stderrTail = {});

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    RestartPolicyEvaluator evaluator{scheduler, [] { return 0.5; }};
    QUuid id = QUuid::createUuid();
};

/// A store at `path` with the trail of `decisions` decisions, closed again.
void writeTrail(const QString &path, int decisions);

} // namespace Rekindle
