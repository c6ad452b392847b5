// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/lifecycleevent.h>

#include "eventtable_p.h"
#include "rfc3339_p.h"
#include "json/jsonparser.h"
#include "json/jsonwriter.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

namespace Rekindle {

namespace {

void writeTime(JsonWriter &json, JsonName key, UtcTime time)
{
    const Rfc3339 text(time);
    json.key(key);
    json.beginText();
    json.addPlain(text.data(), text.size());
    json.endText();
}

// Writes fields as members of a JSON object.
struct FieldWriter
{
    JsonWriter &json;

    void member(JsonName key, const auto &value) const { json.member(key, value); }
    void member(JsonName key, UtcTime time) const { writeTime(json, key, time); }
    void member(JsonName key, Holds holds) const { json.member(key, toTexts(holds)); }
    void member(JsonName key, const QList<HoldCause> &causes) const
    {
        json.member(key, toTexts(causes));
    }
    void member(JsonName key, const auto &value, const auto &rows) const
    {
        for (const auto &row : rows) {
            if (row.value == value)
                json.member(key, row.name);
        }
    }
    template<typename Value>
    void unlessEmpty(JsonName key, const Value &value) const
    {
        if (value != Value())
            member(key, value);
    }
};

// Reads fields from a JSON object. A field that is missing or has another type keeps its value.
struct FieldReader
{
    const JsonNode &object;
    bool hasUnknownName = false; ///< an enum of a newer version

    void member(JsonName key, auto &value) const
    {
        if (const JsonNode *const found = object.member(key.text))
            (void)read(*found, value);
    }
    void member(JsonName key, auto &value, const auto &rows)
    {
        const JsonNode *const found = object.member(key.text);
        if (!found)
            return;
        const auto known = valueOf(rows, found->text);
        value = known.value_or(value);
        hasUnknownName = hasUnknownName || !known;
    }
    void unlessEmpty(JsonName key, auto &value) const { member(key, value); }

private:
    using Kind = JsonNode::Kind;

    // Each returns whether the node has a value of the type.
    static bool read(const JsonNode &node, QString &value)
    {
        if (node.kind != Kind::String)
            return false;
        value = node.text;
        return true;
    }
    static bool read(const JsonNode &node, QUuid &value)
    {
        value = QUuid::fromString(node.text);
        return !value.isNull();
    }
    static bool read(const JsonNode &node, bool &value)
    {
        if (node.kind != Kind::Boolean)
            return false;
        value = node.boolean;
        return true;
    }
    template<std::integral Integer>
    static bool read(const JsonNode &node, Integer &value)
    {
        if (!node.integer || !std::in_range<Integer>(*node.integer))
            return false;
        value = static_cast<Integer>(*node.integer);
        return true;
    }
    static bool read(const JsonNode &node, Duration &value)
    {
        constexpr double most = 9e12; // the range of a duration of nanoseconds
        if (node.kind != Kind::Number || std::abs(node.number) > most)
            return false;
        value =
            std::chrono::round<Duration>(std::chrono::duration<double, std::milli>(node.number));
        return true;
    }
    static bool read(const JsonNode &node, UtcTime &value)
    {
        const std::optional<UtcTime> time = utcTimeFromRfc3339(node.text);
        value = time.value_or(value);
        return time.has_value();
    }
    static bool read(const JsonNode &node, QStringList &value)
    {
        for (const JsonNode &each : node.children)
            value.append(each.text);
        return node.kind == Kind::Array;
    }
    static bool read(const JsonNode &node, Holds &value)
    {
        for (const JsonNode &each : node.children)
            value |= valueOf(holdNames, each.text).value_or(Hold{});
        return node.kind == Kind::Array;
    }
    static bool read(const JsonNode &node, QList<HoldCause> &value)
    {
        for (const JsonNode &each : node.children)
            value.append(HoldCause{.text = each.text});
        return node.kind == Kind::Array;
    }
    template<typename Value>
    static bool read(const JsonNode &node, std::optional<Value> &value)
    {
        Value present{};
        if (!read(node, present))
            return false;
        value = present;
        return true;
    }
};

void writeData(JsonWriter &json, const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    json.member("instanceId", common.instanceId);
    json.member("agent", common.agent);
    json.member("seq", common.sequence);
    json.member("monoNs", common.monotonicTime.time_since_epoch().count());
    if (common.fencingToken != 0)
        json.member("fence", common.fencingToken);
    FieldWriter fields{json};
    std::visit([&fields](const auto &each) { visitFields(fields, each); }, event);
}

template<typename Event>
DecodedEvent readEvent(const JsonNode &object)
{
    Event event;
    FieldReader fields{object};
    qint64 monotonic = 0;
    fields.member("instanceId", event.instanceId);
    fields.member("agent", event.agent);
    fields.member("seq", event.sequence);
    fields.member("monoNs", monotonic);
    event.monotonicTime = Instant(Duration(monotonic));
    fields.member("fence", event.fencingToken);
    visitFields(fields, event);
    return {event, fields.hasUnknownName};
}

struct EventType
{
    QLatin1String name{};
    DecodedEvent (*read)(const JsonNode &object) = nullptr;
};

// In the order of LifecycleEvent.
template<std::size_t... Index>
constexpr auto typesOf(std::index_sequence<Index...> /*all*/)
{
    return std::array{EventType{EventRow<std::variant_alternative_t<Index, LifecycleEvent>>::type,
                                readEvent<std::variant_alternative_t<Index, LifecycleEvent>>}...};
}

constexpr std::array types =
    typesOf(std::make_index_sequence<std::variant_size_v<LifecycleEvent>>());

} // namespace

void EventRow<StartHeld>::assignHolds(StartHeld &e)
{
    auto cause = e.causes.begin();
    for (const EnumName<Hold> &each : holdNames) {
        if (e.holds.testFlag(each.value) && cause != e.causes.end())
            (cause++)->hold = each.value;
    }
}

const EventHeader &header(const LifecycleEvent &event)
{
    return std::visit([](const auto &each) -> const EventHeader & { return each; }, event);
}

QString eventType(const LifecycleEvent &event) { return types[event.index()].name; }

QStringList eventTypes()
{
    QStringList names;
    for (const EventType &each : types)
        names.append(each.name);
    return names;
}

std::optional<DecodedEvent> decodeEvent(const QString &type, const QByteArray &json)
{
    const auto *const known = std::find_if(
        types.begin(), types.end(), [&type](const EventType &each) { return each.name == type; });
    if (known == types.end())
        return std::nullopt;
    const Parsed<JsonNode> parsed = parseJson(json);
    return parsed && parsed.value->kind == JsonNode::Kind::Object
        ? std::optional(known->read(*parsed.value))
        : std::nullopt;
}

std::optional<LifecycleEvent> eventFromJson(const QString &type, const QByteArray &json)
{
    std::optional<DecodedEvent> decoded = decodeEvent(type, json);
    return decoded ? std::optional(std::move(decoded->event)) : std::nullopt;
}

QByteArray eventToJson(const LifecycleEvent &event)
{
    return jsonObject([&event](JsonWriter &json) { writeData(json, event); });
}

void appendCloudEvent(QByteArray &out, const LifecycleEvent &event, const QString &source)
{
    const EventHeader &common = header(event);
    JsonWriter json(out);
    json.beginObject();
    json.member("specversion", "1.0");
    json.key("id");
    json.beginText();
    json.addNumber(common.sequence);
    json.endText();
    json.member("source", source);
    json.key("type");
    json.beginText();
    json.addPlain(QLatin1String("rekindle."));
    json.addPlain(types[event.index()].name);
    json.addPlain(QLatin1String(".v1"));
    json.endText();
    json.key("subject");
    json.beginText();
    json.addPlain(QLatin1String("agent/"));
    json.addText(common.agent);
    json.endText();
    writeTime(json, "time", common.time);
    json.member("datacontenttype", "application/json");
    json.object("data", [&] { writeData(json, event); });
    json.endObject();
}

QByteArray toCloudEvent(const LifecycleEvent &event, const QString &source)
{
    QByteArray line;
    appendCloudEvent(line, event, source);
    return line;
}

} // namespace Rekindle
