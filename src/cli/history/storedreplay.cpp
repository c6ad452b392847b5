// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storedreplay_p.h"

#include "cli/output/texthelpers_p.h"
#include "cli/simulate/simulationtext_p.h"
#include "policy/internal/texthelpers.h"
#include "simulation/internal/figuresjson.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// "1,284 inputs"
QString grouped(qint64 count, const char *one, const char *many)
{
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(count) + u' '
        + QLatin1String(count == 1 ? one : many);
}

QString countsText(const JournalReplay &replay)
{
    return QStringLiteral("%1, %2, %3")
        .arg(grouped(replay.inputs(), "input", "inputs"),
             grouped(replay.events(), "event", "events"),
             grouped(replay.decisions(), "decision", "decisions"));
}

QString differenceText(const ReplayDifference &difference)
{
    QString text = difference.number == 0
        ? difference.what
        : QStringLiteral("input %1 (%2 of %3): %4")
              .arg(difference.number)
              .arg(difference.input, difference.agent, difference.what);
    text += u'\n';
    if (!difference.recordedRule.isEmpty() || !difference.replayedRule.isEmpty())
        text += QStringLiteral("  rule: recorded %1, now %2\n")
                    .arg(difference.recordedRule.isEmpty() ? QStringLiteral("none")
                                                           : difference.recordedRule,
                         difference.replayedRule.isEmpty() ? QStringLiteral("none")
                                                           : difference.replayedRule);
    for (const ReplayDifference::Field &field : difference.fields) {
        if (field.name != QLatin1String("rule"))
            text += QStringLiteral("  %1: recorded %2, now %3\n")
                        .arg(field.name, field.recorded, field.replayed);
    }
    return text;
}

void writeDifference(JsonWriter &json, const ReplayDifference &difference)
{
    json.member("n", difference.number);
    json.member("agent", difference.agent);
    json.member("input", difference.input);
    json.member("what", difference.what);
    json.member("recordedRule", difference.recordedRule);
    json.member("replayedRule", difference.replayedRule);
    json.array("fields", difference.fields, [&json](const ReplayDifference::Field &field) {
        json.object([&] {
            json.member("name", field.name);
            json.member("recorded", field.recorded);
            json.member("replayed", field.replayed);
        });
    });
}

QString namesText(const char *title, const QStringList &names)
{
    return names.isEmpty() ? QString() : QLatin1String(title) + listed(names) + u'\n';
}

QString firstDifferenceText(const CounterfactualReplay::Difference &difference,
                            const QString &cursor)
{
    return QStringLiteral("Exact before input %1 (%2 of %3, after %4), cursor %5\n"
                          "Assumed from there on: each process exits in the same way at the same "
                          "age\n")
        .arg(difference.number)
        .arg(difference.input, difference.agent, readable(difference.at), cursor);
}

} // namespace

StoredReplay::StoredReplay(const QString &store, const StoredRun &run, QString agent,
                           std::optional<Instant> until)
    : m_run(run)
    , m_agent(std::move(agent))
    , m_until(until)
    , m_reader(store, run.run)
{
}

std::optional<Instant> StoredReplay::timeOfEvent(const QString &store, const QString &run,
                                                 quint64 sequence)
{
    JournalReader reader(store, run);
    while (const std::optional<StoredEvent> event = reader.nextEvent()) {
        if (static_cast<quint64>(event->sequence) == sequence)
            return event->monotonicTime;
    }
    return {};
}

void StoredReplay::run(const InputReceiver &onInput)
{
    const bool hasEvents = m_reader.hasAllEvents();
    const bool hasDecisions = m_reader.hasAllDecisions();
    if (hasEvents)
        m_event = m_reader.nextEvent();
    if (hasDecisions)
        m_decision = m_reader.nextDecision();
    bool isCut = false;
    while (const std::optional<JournalEntry> entry = m_reader.nextInput()) {
        compareBefore(entry->time);
        if (!isIdentical())
            return;
        isCut = m_until && entry->time > *m_until;
        if (isCut)
            break;
        ++m_inputs;
        m_end = entry->time;
        m_agents.insert(entry->agent);
        if (!isChosen(entry->agent))
            continue;
        m_replay.apply(*entry);
        if (onInput)
            onInput(*entry);
    }
    if (!isCut && m_reader.error().isEmpty())
        compareBefore(Instant::max());
    if (m_until)
        m_end = *m_until;
    if (m_fault.isEmpty())
        m_fault = m_reader.error();
    if (m_fault.isEmpty() && m_inputs > 0 && !(hasEvents && hasDecisions))
        m_fault = QStringLiteral("the first %1 of the run were removed by retention")
                      .arg(hasEvents ? QLatin1String("decisions") : QLatin1String("events"));
    if (m_fault.isEmpty())
        m_replay.finish(m_run.state == StoredRun::State::Exited && !isCut);
}

// Decisions first, because their rules explain a difference best.
void StoredReplay::compareBefore(Instant end)
{
    for (; m_decision && m_decision->monotonicTime < end; m_decision = m_reader.nextDecision()) {
        if (isChosen(m_decision->agent))
            m_replay.compareDecision(QUuid(m_decision->instanceId), m_decision->data);
        if (!isIdentical())
            return;
    }
    for (; m_event && m_event->monotonicTime < end; m_event = m_reader.nextEvent()) {
        m_lastEvent = m_event->sequence;
        m_end = std::max(m_end, m_event->monotonicTime);
        compare(*m_event);
        if (!isIdentical())
            return;
    }
}

void StoredReplay::compare(const StoredEvent &event)
{
    if (event.type == QLatin1String("events.gap"))
        m_fault = QStringLiteral("row %1: events or decisions were not recorded here, because the "
                                 "queue of the host was full")
                      .arg(event.row);
    else if (isChosen(event.agent))
        m_replay.compareEvent(event.type, event.data);
}

QByteArray StoredReplay::toText() const
{
    QString result = countsText(m_replay) + QLatin1String(": ");
    if (const auto &difference = m_replay.difference())
        result += QLatin1String("different\n") + differenceText(*difference);
    else if (m_fault.isEmpty())
        result += QLatin1String("identical\n");
    else
        result += QLatin1String("identical up to this point\n") + m_fault + u'\n';
    return result.toLocal8Bit();
}

QByteArray StoredReplay::toJson() const
{
    return jsonObject([this](JsonWriter &json) {
               json.member("run", m_run.run);
               json.member("version", m_reader.version());
               json.member("inputs", m_replay.inputs());
               json.member("events", m_replay.events());
               json.member("decisions", m_replay.decisions());
               json.member("identical", isIdentical());
               if (!m_fault.isEmpty())
                   json.member("fault", m_fault);
               if (const auto &difference = m_replay.difference())
                   json.object("difference", [&] { writeDifference(json, *difference); });
           })
        + '\n';
}

QByteArray counterfactualText(const CounterfactualReplay &replay, const QString &cursor)
{
    const auto &difference = replay.difference();
    const QString text = (difference ? firstDifferenceText(*difference, cursor)
                                     : QStringLiteral("The settings make no difference\n"))
        + namesText("Started more often than recorded, repeating the recorded processes in order: ",
                    replay.repeated())
        + namesText("Not in the configuration: ", replay.notConfigured())
        + namesText("Not in the run, and not simulated: ", replay.notRecorded()) + u'\n';
    return text.toLocal8Bit() + comparisonText(replay.recorded(), replay.changed());
}

QByteArray counterfactualJson(const CounterfactualReplay &replay, const QString &run,
                              const QString &cursor)
{
    // Seeds and traces exist only in simulations.
    const auto writeRun = [](JsonWriter &json, JsonName name, const SimulationResult &result) {
        json.object(name, [&] { writeFigures(json, result); });
    };
    return jsonObject([&](JsonWriter &json) {
               json.member("run", run);
               json.key("difference");
               if (const auto &difference = replay.difference()) {
                   json.object([&] {
                       json.member("n", difference->number);
                       json.member("agent", difference->agent);
                       json.member("input", difference->input);
                       json.member("atMs", difference->at);
                       json.member("cursor", cursor);
                   });
               } else {
                   json.null();
               }
               json.member("repeated", replay.repeated());
               json.member("notConfigured", replay.notConfigured());
               json.member("notRecorded", replay.notRecorded());
               writeRun(json, "recorded", replay.recorded());
               writeRun(json, "changed", replay.changed());
           })
        + '\n';
}

} // namespace Rekindle
