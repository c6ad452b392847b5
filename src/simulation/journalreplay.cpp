// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/decisionrecord.h"
#include "policy/internal/instanceevents.h"
#include "json/jsonscanner.h"
#include "json/jsonwriter.h"

#include <rekindle/simulation/journalreplay.h>

#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMetaEnum>
#include <QSet>

#include <algorithm>
#include <deque>

namespace Rekindle {

namespace {

/// An event or a decision of the replay whose recorded counterpart has not been compared yet.
struct Expected
{
    quint64 number = 0;
    QUuid instanceId{};
    QString agent{};
    QString input{};
    QString type{}; ///< of an event
    QByteArray data{};
    bool isOptional = false; ///< its instance was removed, so that it may not have been emitted
};

using Queue = std::deque<Expected>;

// Their values depend on the process, the wall clock, other agents or the position among all
// events.
const QStringList &variableKeys()
{
    static const QStringList keys =
        QStringLiteral("agent seq pid detail exitCode signal stderrTail scheduledAt startedAt "
                       "completedAt abandonedAt changedAt failure health downgraded evaluator "
                       "causes")
            .split(u' ');
    return keys;
}

QJsonObject comparable(const QByteArray &data, const QString &type)
{
    QJsonObject object = QJsonDocument::fromJson(data).object();
    for (const QString &key : variableKeys())
        object.remove(key);
    // The reasons of these are texts, which no input contains.
    if (type == QLatin1String("restart.requested") || type == QLatin1String("agent.stopped"))
        object.remove(QStringLiteral("reason"));
    return object;
}

QString textOf(const QJsonValue &value)
{
    return value.isUndefined() ? QStringLiteral("nothing") : QString::fromUtf8(compactJson(value));
}

void addDifferences(const QJsonObject &recorded, const QJsonObject &replayed, const QString &prefix,
                    QList<ReplayDifference::Field> &fields)
{
    const QStringList keys = recorded.keys() + replayed.keys();
    for (const QString &key : QSet<QString>(keys.begin(), keys.end()).values()) {
        const QJsonValue before = recorded.value(key);
        const QJsonValue now = replayed.value(key);
        if (before == now)
            continue;
        if (before.isObject() && now.isObject())
            addDifferences(before.toObject(), now.toObject(), prefix + key + u'.', fields);
        else
            fields.append({prefix + key, textOf(before), textOf(now)});
    }
}

QList<ReplayDifference::Field> differences(const Expected &replayed, const QByteArray &recorded)
{
    QList<ReplayDifference::Field> fields;
    if (replayed.data == recorded)
        return fields;
    addDifferences(comparable(recorded, replayed.type), comparable(replayed.data, replayed.type),
                   {}, fields);
    std::sort(fields.begin(), fields.end(),
              [](const auto &left, const auto &right) { return left.name < right.name; });
    return fields;
}

QString textIn(const QByteArray &data, QByteArrayView name)
{
    const auto text = jsonStringText(jsonMember(data, {0, data.size()}, name).of(data));
    return QString::fromUtf8(text.value_or(QByteArray()));
}

// The types of the events of the state table, which are the first ones of LifecycleEvent.
const QSet<QString> &tableTypes()
{
    static const QSet<QString> types = [] {
        const QStringList first =
            eventTypes().first(QMetaEnum::fromType<InstanceEvent::Kind>().keyCount());
        return QSet<QString>(first.begin(), first.end());
    }();
    return types;
}

} // namespace

class JournalReplay::Private
{
public:
    void apply(const JournalEntry &entry);
    void applyInput(Instance &instance, const JournalEntry &entry);
    /// Sets `difference` if the recorded item does not match.
    void compare(Queue &queue, const QByteArray &data, const QUuid &instanceId, const QString &type,
                 qint64 &count);
    void reportMissing(const Queue &queue);
    ReplayDifference &differ(const Expected &in, const QString &what)
    {
        return difference.emplace(ReplayDifference{
            .number = in.number, .agent = in.agent, .input = in.input, .what = what});
    }

    [[nodiscard]] static QString nameOf(const QString &type)
    {
        return type.isEmpty() ? QStringLiteral("the decision")
                              : QStringLiteral("the event %1").arg(type);
    }

    QHash<QUuid, std::shared_ptr<Instance>> instances;
    QHash<QUuid, Expected> latest; ///< input of each instance, also of removed ones
    Queue expectedEvents;
    Queue expectedDecisions;
    qint64 inputs = 0;
    qint64 events = 0;
    qint64 decisions = 0;
    std::optional<ReplayDifference> difference;
};

void JournalReplay::Private::apply(const JournalEntry &entry)
{
    ++inputs;
    const auto found = instances.find(entry.instanceId);
    const bool isKnown = found != instances.end();
    const Expected own{.number = entry.number,
                       .instanceId = entry.instanceId,
                       .agent = entry.agent,
                       .input = entry.kindText()};
    if (isKnown == (entry.kind == JournalEntry::Kind::Added)) {
        differ(own,
               isKnown ? QStringLiteral("the instance already exists")
                       : QStringLiteral("the instance was not added"));
        return;
    }
    latest.insert(entry.instanceId, own);
    switch (entry.kind) {
    case JournalEntry::Kind::Added:
        instances.insert(entry.instanceId, std::make_shared<Instance>(entry.policy));
        break;
    case JournalEntry::Kind::Removed:
        instances.erase(found);
        for (Queue *const queue : {&expectedEvents, &expectedDecisions}) {
            for (Expected &each : *queue)
                each.isOptional = each.isOptional || each.instanceId == entry.instanceId;
        }
        break;
    case JournalEntry::Kind::Input:
        applyInput(**found, entry);
        break;
    }
}

void JournalReplay::Private::applyInput(Instance &instance, const JournalEntry &entry)
{
    instance.evaluatorAvailable = entry.hasEvaluator;
    Failure failure;
    const Outcome outcome =
        InstanceTable::apply(instance, entry.toInput(failure), entry.time, entry.draw);
    const Expected expected = latest.value(entry.instanceId);
    if (outcome.decided) {
        DecisionRecord record;
        record.decision = outcome.decision;
        Expected &decision = expectedDecisions.emplace_back(expected);
        decision.data = toJson(record);
    }
    const EventHeader header{entry.instanceId, entry.agent, 0, entry.time, {}};
    for (int i = 0; i < outcome.eventCount; ++i) {
        const LifecycleEvent event =
            toEvent(outcome.events[static_cast<std::size_t>(i)], instance, header);
        Expected &added = expectedEvents.emplace_back(expected);
        added.type = eventType(event);
        added.data = eventToJson(event);
    }
}

void JournalReplay::Private::compare(Queue &queue, const QByteArray &data, const QUuid &instanceId,
                                     const QString &type, qint64 &count)
{
    ++count;
    while (!queue.empty()) {
        const Expected replayed = std::move(queue.front());
        queue.pop_front();
        const bool isSame = replayed.instanceId == instanceId && replayed.type == type;
        const QList<ReplayDifference::Field> fields =
            isSame ? differences(replayed, data) : QList<ReplayDifference::Field>();
        if (isSame && fields.isEmpty())
            return;
        if (replayed.isOptional)
            continue;
        ReplayDifference &found =
            differ(replayed, nameOf(replayed.type) + QLatin1String(" differs"));
        found.fields = fields;
        if (!isSame) {
            const auto id = [](const QUuid &uuid) { return uuid.toString(QUuid::WithoutBraces); };
            found.what =
                QStringLiteral("expected %1, found %2").arg(nameOf(type), nameOf(replayed.type));
            if (replayed.instanceId != instanceId)
                found.fields.append(
                    {QStringLiteral("instanceId"), id(instanceId), id(replayed.instanceId)});
        }
        if (type.isEmpty()) {
            found.recordedRule = textIn(data, "rule");
            found.replayedRule = textIn(replayed.data, "rule");
        }
        return;
    }
    ReplayDifference &found =
        differ(latest.value(instanceId),
               nameOf(type) + QStringLiteral(" was recorded, but is not produced now"));
    if (type.isEmpty())
        found.recordedRule = textIn(data, "rule");
}

void JournalReplay::Private::reportMissing(const Queue &queue)
{
    const auto found = std::find_if(queue.begin(), queue.end(),
                                    [](const Expected &each) { return !each.isOptional; });
    if (difference || found == queue.end())
        return;
    ReplayDifference &missing = differ(
        *found, nameOf(found->type) + QStringLiteral(" is produced now, but was not recorded"));
    if (found->type.isEmpty())
        missing.replayedRule = textIn(found->data, "rule");
}

JournalReplay::JournalReplay()
    : d(std::make_unique<Private>())
{
}

JournalReplay::~JournalReplay() = default;

void JournalReplay::apply(const JournalEntry &entry)
{
    if (!d->difference)
        d->apply(entry);
}

void JournalReplay::compareEvent(const QString &type, const QByteArray &data)
{
    if (d->difference || !tableTypes().contains(type))
        return;
    const QUuid id(textIn(data, "instanceId"));
    if (d->latest.contains(id)) // otherwise it belongs to a breaker of evaluate()
        d->compare(d->expectedEvents, data, id, type, d->events);
}

void JournalReplay::compareDecision(const QUuid &instanceId, const QByteArray &data)
{
    if (!d->difference && d->latest.contains(instanceId))
        d->compare(d->expectedDecisions, data, instanceId, {}, d->decisions);
}

void JournalReplay::finish(bool isWhole)
{
    if (!isWhole)
        return;
    d->reportMissing(d->expectedEvents);
    d->reportMissing(d->expectedDecisions);
}

const std::optional<ReplayDifference> &JournalReplay::difference() const { return d->difference; }
qint64 JournalReplay::inputs() const { return d->inputs; }
qint64 JournalReplay::events() const { return d->events; }
qint64 JournalReplay::decisions() const { return d->decisions; }

} // namespace Rekindle
