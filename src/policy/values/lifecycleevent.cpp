// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/lifecycleevent.h>

#include "eventfields_p.h"
#include "rfc3339_p.h"
#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

void writeTime(JsonWriter &json, QLatin1String key, UtcTime time)
{
    const Rfc3339 text(time);
    json.key(key);
    json.beginText();
    json.addPlain(text.data(), text.size());
    json.endText();
}

// Writes fields as members of a JSON object.
struct JsonFields
{
    JsonWriter &json;

    void member(QLatin1String key, const auto &value) const { json.member(key, value); }
    void member(QLatin1String key, UtcTime time) const { writeTime(json, key, time); }
};

void writeData(JsonWriter &json, const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    json.beginObject();
    json.member(QLatin1String("instanceId"), common.instanceId);
    json.member(QLatin1String("agent"), common.agent);
    json.member(QLatin1String("seq"), common.sequence);
    json.member(QLatin1String("monoNs"), common.monotonicTime.time_since_epoch().count());
    JsonFields fields{json};
    EventFields<JsonFields>::visit(event, fields);
    json.endObject();
}

} // namespace

const EventHeader &header(const LifecycleEvent &event)
{
    return std::visit([](const auto &each) -> const EventHeader & { return each; }, event);
}

QString eventType(const LifecycleEvent &event) { return eventTypeNames[event.index()]; }

QByteArray eventToJson(const LifecycleEvent &event)
{
    QByteArray text;
    JsonWriter json(text);
    writeData(json, event);
    return text;
}

void appendCloudEvent(QByteArray &out, const LifecycleEvent &event, const QString &source)
{
    const EventHeader &common = header(event);
    JsonWriter json(out);
    json.beginObject();
    json.member(QLatin1String("specversion"), QLatin1String("1.0"));
    json.key(QLatin1String("id"));
    json.beginText();
    json.addNumber(common.sequence);
    json.endText();
    json.member(QLatin1String("source"), source);
    json.key(QLatin1String("type"));
    json.beginText();
    json.addPlain(QLatin1String("rekindle."));
    json.addPlain(eventTypeNames[event.index()]);
    json.addPlain(QLatin1String(".v1"));
    json.endText();
    json.key(QLatin1String("subject"));
    json.beginText();
    json.addPlain(QLatin1String("agent/"));
    json.addText(common.agent);
    json.endText();
    writeTime(json, QLatin1String("time"), common.time);
    json.member(QLatin1String("datacontenttype"), QLatin1String("application/json"));
    json.key(QLatin1String("data"));
    writeData(json, event);
    json.endObject();
}

QByteArray toCloudEvent(const LifecycleEvent &event, const QString &source)
{
    QByteArray line;
    appendCloudEvent(line, event, source);
    return line;
}

} // namespace Rekindle
