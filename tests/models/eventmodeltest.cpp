// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/control/controlmessages.h>
#include <rekindle/models/eventmodel.h>
#include <rekindle/models/localagents.h>

using namespace Rekindle;
using Severity = AgentEvent::Severity;

namespace {

/// Events that a test emits.
class EventStage
{
public:
    void emitEvent(const QString &text, Severity severity = Severity::Info,
                   const QString &agent = QStringLiteral("web"),
                   const QString &type = QStringLiteral("agent.ready"))
    {
        Q_EMIT source.eventReceived({.agent = agent,
                                     .type = type,
                                     .time = UtcTime(std::chrono::milliseconds(1)),
                                     .severity = severity,
                                     .text = text});
    }

    Stage stage;
    LocalAgents source{stage.supervisor};
};

QString shownTexts(const EventModel &model)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts.append(model.eventAt(row).text);
    return texts.join(u' ');
}

} // namespace

class EventModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEventsOfASupervisor();
    void insertsEventsOfOnePassTogether();
    void removesOldestInBatches();
    void filters();
    void pauses();
    void limitsEventsOfAPause();
    void outlivesSource();
    void clears();
    void readsEventsOfAnotherHost();
    void severityOfEvents_data();
    void severityOfEvents();
};

void EventModelTest::showsEventsOfASupervisor()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    EventModel model(source);
    const QAbstractItemModelTester tester(&model);
    stage.begin(QString());
    QVERIFY(model.rowCount() >= 3);
    QCOMPARE(model.data(model.index(0, EventModel::Agent)).toString(), QStringLiteral("a"));
    QCOMPARE(model.data(model.index(0, EventModel::Type)).toString(),
             QStringLiteral("agent.started"));
    QVERIFY(model.data(model.index(0, 0), EventModel::TimeRole).toDateTime().isValid());
    QCOMPARE(model.data(model.index(0, 0), EventModel::InstanceIdRole).toUuid(), stage.first());
    QVERIFY(!model.data(model.index(0, EventModel::Time)).toString().isEmpty());
    QCOMPARE(model.headerData(EventModel::Text, Qt::Horizontal).toString(),
             QStringLiteral("Event"));
}

void EventModelTest::insertsEventsOfOnePassTogether()
{
    EventStage events;
    const EventModel model(events.source);
    const QSignalSpy inserted(&model, &EventModel::rowsInserted);
    for (int i = 0; i < 100; ++i)
        events.emitEvent(QString::number(i));
    QCOMPARE(model.rowCount(), 0);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(model.rowCount(), 100);
    QCOMPARE(inserted.count(), 1);
}

void EventModelTest::removesOldestInBatches()
{
    EventStage events;
    EventModel model(events.source, 100);
    const QAbstractItemModelTester tester(&model);
    const QSignalSpy removed(&model, &EventModel::rowsRemoved);
    for (int i = 0; i < 105; ++i) {
        events.emitEvent(QString::number(i));
        QCoreApplication::sendPostedEvents();
    }
    QCOMPARE(removed.count(), 1);
    QCOMPARE(model.rowCount(), 94); // 11 were removed
    QCOMPARE(model.eventAt(0).text, QStringLiteral("11"));
    QCOMPARE(model.eventAt(93).text, QStringLiteral("104"));
    for (int i = 0; i < 1000; ++i) // in one pass
        events.emitEvent(QString::number(i));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(model.rowCount(), 100);
    QCOMPARE(model.eventAt(99).text, QStringLiteral("999"));
}

void EventModelTest::filters()
{
    EventStage events;
    EventModel model(events.source);
    const QAbstractItemModelTester tester(&model);
    const QSignalSpy filter(&model, &EventModel::filterChanged);
    events.emitEvent(QStringLiteral("1"));
    events.emitEvent(QStringLiteral("2"), Severity::Error, QStringLiteral("worker"));
    events.emitEvent(QStringLiteral("3"), Severity::Warning, QStringLiteral("web"),
                     QStringLiteral("start.held"));
    QCoreApplication::sendPostedEvents();
    model.setLeastSeverity(Severity::Warning);
    QCOMPARE(shownTexts(model), QStringLiteral("2 3"));
    model.setAgents({QStringLiteral("web")});
    QCOMPARE(shownTexts(model), QStringLiteral("3"));
    model.setLeastSeverity(Severity::Info);
    QCOMPARE(shownTexts(model), QStringLiteral("1 3"));
    model.setTypes({QStringLiteral("start.held")});
    model.setAgents({});
    QCOMPARE(shownTexts(model), QStringLiteral("3"));
    events.emitEvent(QStringLiteral("4"));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(shownTexts(model), QStringLiteral("3"));
    model.setTypes({});
    QCOMPARE(shownTexts(model), QStringLiteral("1 2 3 4"));
    QCOMPARE(filter.count(), 6);
    model.setTypes({});
    QCOMPARE(filter.count(), 6);
}

void EventModelTest::pauses()
{
    EventStage events;
    EventModel model(events.source);
    const QSignalSpy pending(&model, &EventModel::pendingChanged);
    model.setPaused(true);
    events.emitEvent(QStringLiteral("1"));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.pendingCount(), 1);
    QVERIFY(pending.count() > 0);
    model.setPaused(false);
    QCOMPARE(shownTexts(model), QStringLiteral("1"));
    QCOMPARE(model.pendingCount(), 0);
}

void EventModelTest::limitsEventsOfAPause()
{
    EventStage events;
    EventModel model(events.source, 10);
    model.setPaused(true);
    for (int i = 0; i < 50; ++i)
        events.emitEvent(QString::number(i));
    QCOMPARE(model.pendingCount(), 10);
    model.setPaused(false);
    QCOMPARE(model.rowCount(), 10);
    QCOMPARE(model.eventAt(0).text, QStringLiteral("40"));
}

void EventModelTest::outlivesSource()
{
    auto events = std::make_unique<EventStage>();
    EventModel model(events->source);
    events->emitEvent(QStringLiteral("1"));
    events.reset();
    QCoreApplication::sendPostedEvents();
    QCOMPARE(shownTexts(model), QStringLiteral("1"));
}

void EventModelTest::clears()
{
    EventStage events;
    EventModel model(events.source);
    const QAbstractItemModelTester tester(&model);
    events.emitEvent(QStringLiteral("1"));
    QCoreApplication::sendPostedEvents();
    model.clear();
    QCOMPARE(model.rowCount(), 0);
    events.emitEvent(QStringLiteral("2"));
    QCoreApplication::sendPostedEvents();
    QCOMPARE(shownTexts(model), QStringLiteral("2"));
}

void EventModelTest::readsEventsOfAnotherHost()
{
    ControlEvent sent{.type = QStringLiteral("agent.failed"),
                      .agent = QStringLiteral("web"),
                      .time = UtcTime(std::chrono::milliseconds(5)),
                      .data = R"({"agent":"web","reason":"ProcessCrash","detail":"oops"})"};
    const AgentEvent known = AgentEvent::of(sent);
    QCOMPARE(known.severity, Severity::Error);
    QCOMPARE(known.time, sent.time);
    QVERIFY(known.text.contains(QLatin1String("ProcessCrash")));
    sent.type = QStringLiteral("agent.hibernated");
    const AgentEvent unknown = AgentEvent::of(sent);
    QCOMPARE(unknown.severity, Severity::Info);
    QVERIFY(unknown.text.contains(QLatin1String("agent.hibernated")));
    QVERIFY(unknown.instanceId.isNull());
}

void EventModelTest::severityOfEvents_data()
{
    const Rows<LifecycleEvent, Severity> row("event", "severity");
    row("started", AgentStarted(), Severity::Info);
    row("failed", AgentFailed(), Severity::Error);
    AgentFailed collateral;
    collateral.collateral = true;
    row("collateral", collateral, Severity::Warning);
    row("exhausted", RestartExhausted(), Severity::Error);
    row("declined", RestartDeclined(), Severity::Error);
    row("held", StartHeld(), Severity::Warning);
    row("breaker closed", CircuitBreakerStateChanged(), Severity::Info);
    CircuitBreakerStateChanged opened;
    opened.newState = CircuitBreakerState::Open;
    row("breaker opened", opened, Severity::Error);
    HealthChanged unhealthy;
    unhealthy.health.state = AgentHealthStatus::State::Unhealthy;
    row("unhealthy", unhealthy, Severity::Warning);
}

void EventModelTest::severityOfEvents()
{
    QFETCH(LifecycleEvent, event);
    QFETCH(Severity, severity);
    QCOMPARE(severityOf(event), severity);
}

REKINDLE_TEST(EventModelTest)
#include "eventmodeltest.moc"
