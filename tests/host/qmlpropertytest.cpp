// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/lifecycle/commandresult.h>
#include <rekindle/models/agentaction.h>
#include <rekindle/models/agentevent.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QDirIterator>
#include <QMetaProperty>
#include <QSet>

using namespace Rekindle;
using namespace std::chrono_literals;

// QML can read the properties of all gadgets, and the enums in them.
class QmlPropertyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void qmlCanReadAllProperties();
    void everyOptionalIsReadWithAndWithoutValue();
    void everyGadgetIsTested();
    void enumsAreScoped();
    void convertsValues();
};

namespace {

template<typename... Events>
QVariantList emptyEvents(const std::variant<Events...> & /*any*/)
{
    return {QVariant::fromValue(Events{})...};
}

template<typename... Gadgets>
QVariantList asVariants(const Gadgets &...gadgets)
{
    return {QVariant::fromValue(gadgets)...};
}

CircuitBreakerInfo openBreaker()
{
    const UtcTime time(1s);
    return {.state = CircuitBreakerState::Open,
            .openedAt = time,
            .resetAt = time,
            .lastSuccessAt = time,
            .lastFailureAt = time};
}

RestartDecision decisionOfEvaluator()
{
    RestartDecision decision;
    decision.inputs.exitCode = 1;
    decision.inputs.maxRetries = 5;
    decision.evaluator = EvaluatorOpinion{.answer = EvaluatorVerdict::Kind::Delay};
    return decision;
}

AgentSnapshot filledSnapshot()
{
    AgentSnapshot snapshot;
    snapshot.maxRetries = 5;
    snapshot.nextStartAt = Instant(1500ms);
    snapshot.startedAt = Instant(1s);
    snapshot.holds = Hold::Group | Hold::Governor;
    snapshot.holdCauses = {{.hold = Hold::Group, .text = QStringLiteral("group g")}};
    snapshot.circuitBreaker = openBreaker();
    snapshot.lastFailure = Failure{.detail = {.exitCode = 3, .signal = 11}};
    snapshot.health.history = {ProbeResult{.took = 3ms}};
    return snapshot;
}

template<typename Event, typename Value>
Event with(Value Event::*member, const Value &value)
{
    Event event;
    event.*member = value;
    return event;
}

QVariantList filledEvents()
{
    const std::optional<Duration> delay = 1s;
    return asVariants(with(&RestartScheduled::maxAttempts, std::optional(5)),
                      with(&RestartFailed::nextRetryDelay, delay),
                      with(&CircuitBreakerStateChanged::resetDelay, delay),
                      with(&SharedBreakerStateChanged::resetDelay, delay),
                      with(&AgentFailed::detail, FailureDetail{.exitCode = 3, .signal = 11}),
                      with(&StartHeld::causes, {HoldCause{}}),
                      with(&HealthChanged::health, filledSnapshot().health),
                      with(&ToolCallFinished::attempts, {ToolCallAttempt{}}));
}

/// Every gadget, with and without optional values.
QVariantList examples()
{
    const RestartDecision decision = decisionOfEvaluator();
    const AgentSnapshot snapshot = filledSnapshot();
    return emptyEvents(LifecycleEvent()) + filledEvents()
        + asVariants(EventHeader{}, ToolCallFinished{}, ToolCallAttempt{}, FailureDetail{},
                     Failure{}, HoldCause{}, ProbeResult{}, AgentHealthStatus{}, EvaluatorVerdict{},
                     EvaluatorOpinion{}, CircuitBreakerInfo{}, DecisionInputs{}, RestartDecision{},
                     AgentSnapshot{}, CommandResult{}, AgentEvent{}, AgentAction{})
        + asVariants(decision, decision.inputs, *decision.evaluator, snapshot, openBreaker(),
                     *snapshot.lastFailure, snapshot.lastFailure->detail, snapshot.health,
                     CommandResult{.alsoStarted = {QUuid::createUuid()}});
}

const QMetaObject &metaOf(const QVariant &gadget) { return *gadget.metaType().metaObject(); }

template<typename Function>
void forEachProperty(const QVariant &gadget, Function function)
{
    const QMetaObject &meta = metaOf(gadget);
    for (int i = 0; i < meta.propertyCount(); ++i) {
        const QMetaProperty property = meta.property(i);
        function(property, property.readOnGadget(gadget.constData()));
    }
}

/// The first value that QML cannot read, with its place; empty if there is none.
QString unreadable(const QVariant &value, const QString &place)
{
    static const QSet<int> readable = {
        QMetaType::Bool,      QMetaType::Int,       QMetaType::LongLong,
        QMetaType::ULongLong, QMetaType::Double,    QMetaType::QString,
        QMetaType::QUuid,     QMetaType::QDateTime, QMetaType::QStringList,
    };
    const QMetaType type = value.metaType();
    const bool isNumber = type.flags().testFlag(QMetaType::IsEnumeration);
    if (!value.isValid() || isNumber || readable.contains(type.id()))
        return {};
    QString result;
    if (type.id() == QMetaType::QVariantList) {
        for (const QVariant &each : value.toList())
            result = result.isEmpty() ? unreadable(each, place + QStringLiteral("[]")) : result;
        return result;
    }
    if (type.metaObject() == nullptr)
        return place + QStringLiteral(": ") + QLatin1String(type.name());
    forEachProperty(value, [&](const QMetaProperty &property, const QVariant &member) {
        const QString inner = place + QLatin1Char('.') + QLatin1String(property.name());
        result = result.isEmpty() ? unreadable(member, inner) : result;
    });
    return result;
}

/// The names of the gadgets with properties in the public headers.
QSet<QString> declaredGadgets()
{
    const QRegularExpression marks(QStringLiteral(
        "struct (?:REKINDLE_\\w+ )?(\\w+)[^;{]*\\{|(?:Q_|REKINDLE_QML_)PROPERTY\\("));
    QSet<QString> names;
    QDirIterator files(QStringLiteral(PUBLIC_HEADERS), {QStringLiteral("*.h")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QString text = QString::fromUtf8(file.readAll());
        if (!text.contains(QLatin1String("Q_GADGET")))
            continue;
        QString name;
        for (const QRegularExpressionMatch &match : marks.globalMatch(text)) {
            if (match.hasCaptured(1))
                name = match.captured(1);
            else
                names += name;
        }
    }
    return names;
}

} // namespace

void QmlPropertyTest::qmlCanReadAllProperties()
{
    for (const QVariant &each : examples()) {
        QVERIFY(metaOf(each).propertyCount() > 0);
        const QString fault = unreadable(each, QLatin1String(metaOf(each).className()));
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }
}

void QmlPropertyTest::everyOptionalIsReadWithAndWithoutValue()
{
    QSet<QByteArray> missing;
    QSet<QByteArray> present;
    for (const QVariant &each : examples()) {
        forEachProperty(each, [&](const QMetaProperty &property, const QVariant &value) {
            if (property.metaType() == QMetaType::fromType<QVariant>())
                (value.isValid() ? present : missing) +=
                    QByteArray(metaOf(each).className()) + '.' + property.name();
        });
    }
    QVERIFY(present.size() > 10);
    QCOMPARE(present, missing);
}

void QmlPropertyTest::everyGadgetIsTested()
{
    QSet<QString> tested;
    for (const QVariant &each : examples())
        tested += QString::fromLatin1(metaOf(each).className()).remove(QLatin1String("Rekindle::"));
    QCOMPARE(declaredGadgets(), tested);
}

// Otherwise, values of different enums with equal names replace each other in QML.
void QmlPropertyTest::enumsAreScoped()
{
    QSet<const QMetaObject *> all = {&Rekindle::staticMetaObject};
    for (const QVariant &each : examples())
        all += &metaOf(each);
    for (const QMetaObject *meta : std::as_const(all)) {
        if (meta->enumeratorOffset() == meta->enumeratorCount())
            continue;
        const int index = meta->indexOfClassInfo("RegisterEnumClassesUnscoped");
        QVERIFY2(index >= 0, meta->className());
        QCOMPARE(meta->classInfo(index).value(), "false");
    }
}

void QmlPropertyTest::convertsValues()
{
    QCOMPARE(toQml(Duration(2500us)), 2.5);
    QCOMPARE(toQml(Instant(1500ms)), 1500.0);
    QCOMPARE(toQml(UtcTime(86'400s)).toMSecsSinceEpoch(), qint64(86'400'000));
    QCOMPARE(toQml(std::optional(7)), QVariant(7));
    QVERIFY(!toQml(std::optional<Duration>()).isValid());
    QCOMPARE(toQml(std::optional<Duration>(2s)), QVariant(2000.0));
    QCOMPARE(toQml(QList<Duration>{1s, 2s}), QVariantList({1000.0, 2000.0}));
    const LifecycleEvent event = AgentStarted{{}, 3, 4};
    QCOMPARE(toQml(event).value<AgentStarted>(), std::get<AgentStarted>(event));
}

REKINDLE_TEST(QmlPropertyTest)
#include "qmlpropertytest.moc"
