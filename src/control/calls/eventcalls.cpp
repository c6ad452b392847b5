// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/eventcalls_p.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <utility>

namespace Rekindle {

namespace {

template<std::size_t... Index>
QStringList typeNamesOf(std::index_sequence<Index...> /*all*/)
{
    return {eventType(std::variant_alternative_t<Index, LifecycleEvent>())...};
}

// In the order of LifecycleEvent.
const QStringList &typeNames()
{
    static const QStringList names =
        typeNamesOf(std::make_index_sequence<EventSubscription::typeCount>());
    return names;
}

struct SubscribeParams
{
    QString from;
    EventSubscription subscription;
    bool hasSnapshot = false;
    bool endsNow = false;
};

Parsed<SubscribeParams> readSubscribeParams(const QByteArray &json)
{
    return readParsed(parseJson(json), [](const JsonPlace &object) {
        SubscribeParams params;
        EventSubscription &subscription = params.subscription;
        JsonObjectReader reader(object);
        if (const auto from = reader.required(QStringLiteral("from")))
            params.from = from->textNotEmpty().value_or(QString());
        if (const auto types = reader.member(QStringLiteral("types"))) {
            subscription.types.reset();
            for (const JsonPlace &each : types->items().value_or(std::vector<JsonPlace>())) {
                if (const auto name = each.oneOf(typeNames()))
                    subscription.types.set(static_cast<std::size_t>(typeNames().indexOf(*name)));
            }
        }
        if (const auto agents = reader.member(QStringLiteral("agents"))) {
            for (const JsonPlace &each : agents->items().value_or(std::vector<JsonPlace>()))
                subscription.agents.append(each.textNotEmpty().value_or(QString()));
        }
        if (const auto until = reader.member(QStringLiteral("until")))
            params.endsNow = until->oneOf({QStringLiteral("now")}).has_value();
        reader.read(QStringLiteral("snapshot"), params.hasSnapshot);
        reader.finish();
        return params;
    });
}

} // namespace

AgentCalls::Response EventCalls::subscribe(ControlSession &session, const QByteArray &params)
{
    const Parsed<SubscribeParams> read = readSubscribeParams(params);
    if (!read)
        return invalidParams(read.faults);
    EventSubscription subscription = read.value->subscription;
    const auto ids = m_agents.idsOf(subscription.agents);
    if (const auto *error = std::get_if<ControlError>(&ids))
        return *error;
    const auto position = positionOf(read.value->from);
    if (const auto *error = std::get_if<ControlError>(&position))
        return *error;
    m_ring.observe();
    subscription.next = std::get<quint64>(position);
    if (read.value->endsNow)
        subscription.end = m_ring.last();
    Json result{{"cursor", m_ring.cursorAt(subscription.next - 1).toStdString()}};
    if (read.value->hasSnapshot)
        result["snapshot"] = m_agents.snapshotsOf(m_supervisor.ids());
    m_feed.subscribe(session, subscription);
    return inlineJson(result);
}

std::variant<quint64, ControlError> EventCalls::positionOf(const QString &from) const
{
    if (from == QLatin1String("now"))
        return m_ring.last() + 1;
    if (from == QLatin1String("oldest"))
        return m_ring.first();
    const std::optional<EventCursor> cursor = EventCursor::of(from);
    const bool isFuture = cursor && cursor->run == m_ring.run() && cursor->sequence > m_ring.last();
    if (!cursor || isFuture) {
        return ControlError{
            ErrorCode::invalidParams,
            QStringLiteral("params: /from: expected \"now\", \"oldest\" or a cursor up to %1, "
                           "found \"%2\"")
                .arg(m_ring.cursor(), from),
            {}};
    }
    if (!m_ring.contains(*cursor)) {
        return ControlError{
            ErrorCode::cursorGone,
            QStringLiteral("the events after the cursor %1 are not stored anymore; the oldest "
                           "cursor is %2")
                .arg(from, m_ring.oldestCursor()),
            inlineJson({{"oldest", m_ring.oldestCursor().toStdString()}})};
    }
    return cursor->sequence + 1;
}

} // namespace Rekindle
