// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "lifecycle/internal/evaluatorport.h"

#include <QSqlError>
#include <QTest>
#include <QUuid>

namespace Rekindle {

namespace {
constexpr int patience = 120'000;
} // namespace

OwnConnection::OwnConnection(const QString &path)
    : m_name(QUuid::createUuid().toString())
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
    m_database.setDatabaseName(path);
    if (!m_database.open())
        QTest::qFail("cannot open the connection of the test", __FILE__, __LINE__);
}

OwnConnection::~OwnConnection()
{
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

void OwnConnection::execute(const QString &statement)
{
    QSqlQuery query(m_database);
    if (!query.exec(statement)) {
        QTest::qFail(qPrintable(statement + QLatin1String(": ") + query.lastError().text()),
                     __FILE__, __LINE__);
    }
}

bool OwnConnection::tryExecute(const QString &statement)
{
    QSqlQuery query(m_database);
    return query.exec(statement);
}

QStringList OwnConnection::rows(const QString &statement)
{
    QStringList found;
    QSqlQuery query(m_database);
    if (!query.exec(statement))
        QTest::qFail(qPrintable(query.lastError().text()), __FILE__, __LINE__);
    while (query.next()) {
        QStringList columns;
        for (int i = 0; query.value(i).isValid(); ++i)
            columns.append(query.value(i).toString());
        found.append(columns.join(u'|'));
    }
    return found;
}

qint64 OwnConnection::number(const QString &statement)
{
    return rows(statement).value(0).toLongLong();
}

void OwnConnection::dropTriggers()
{
    for (const QString &name :
         rows(QStringLiteral("SELECT name FROM sqlite_schema WHERE type = 'trigger'")))
        execute(QStringLiteral("DROP TRIGGER ") + name);
}

bool written(TelemetryStore &store)
{
    bool isDone = false;
    bool result = false;
    store.flush([&](bool ok) {
        isDone = true;
        result = ok;
    });
    return QTest::qWaitFor([&] { return isDone; }, patience) && result;
}

LifecycleEvent numbered(quint64 sequence, Duration at)
{
    AgentStable event;
    event.instanceId = QUuid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    event.agent = QStringLiteral("a");
    event.sequence = sequence;
    event.monotonicTime = Instant(at);
    event.time =
        UtcTime(std::chrono::days(20'000) + std::chrono::floor<std::chrono::milliseconds>(at));
    event.generation = sequence;
    return event;
}

Engine::Engine()
{
    RestartPolicy policy;
    policy.maxRetries = 1000;
    if (hasErrors(evaluator.add(id, QStringLiteral("web"), policy)))
        QTest::qFail("the policy is invalid", __FILE__, __LINE__);
}

void Engine::crash(const QStringList &stderrTail)
{
    evaluator.start(id);
    const quint64 generation = EvaluatorPort(evaluator).beginLaunch(id).value();
    EvaluatorPort(evaluator).reportStarted(id, generation, 4711);
    EvaluatorPort(evaluator).reportReady(id, generation);
    EvaluatorPort(evaluator).reportFailed(id, generation,
                                          {FailureReason::ProcessCrash,
                                           {.message = QStringLiteral("exit code 3"),
                                            .exitCode = 3,
                                            .processId = 4711,
                                            .stderrTail = stderrTail}});
    scheduler.advance(std::chrono::milliseconds(10));
}

void writeEvents(const TelemetryOptions &options, int count, Duration interval)
{
    TelemetryStore store(options);
    for (int i = 1; i <= count; ++i)
        store.append(numbered(static_cast<quint64>(i), i * interval));
}

void writeTrail(const QString &path, int crashes)
{
    Engine engine;
    TelemetryStore store({.path = path});
    store.attach(engine.evaluator);
    for (int i = 0; i < crashes; ++i)
        engine.crash({QStringLiteral("line %1").arg(i)});
}

} // namespace Rekindle
