// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleetrecords.h>

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsonwriter.h"

#include <limits>

namespace Rekindle {

namespace {

template<typename Record>
Parsed<Record> readRecord(const QByteArray &json, const auto &read)
{
    return readParsed(parseJson(json), [&read](const JsonPlace &place) {
        Record record;
        readObject(place, [&](JsonObjectReader &object) { read(object, record); });
        return record;
    });
}

} // namespace

QByteArray toJson(const FleetSession &session)
{
    return jsonObject([&session](JsonWriter &json) {
        json.member("run", session.run);
        json.member("duration", durationToString(session.duration));
        if (session.draining)
            json.member("draining", true);
    });
}

QByteArray toJson(const FleetOwnership &ownership)
{
    return jsonObject([&ownership](JsonWriter &json) {
        json.object("holder", [&] {
            json.member("node", ownership.node);
            json.member("run", ownership.run);
        });
        if (ownership.released)
            json.member("handover", "released");
        if (!ownership.next.isEmpty())
            json.member("next", ownership.next);
    });
}

QByteArray toJson(const FleetBreaker &breaker)
{
    return jsonObject([&breaker](JsonWriter &json) {
        json.member("state", toText(breaker.state));
        json.member("reopened", breaker.reopened);
        json.member("node", breaker.node);
        json.member("run", breaker.run);
    });
}

Parsed<FleetSession> fleetSessionFromJson(const QByteArray &json)
{
    return readRecord<FleetSession>(json, [](JsonObjectReader &object, FleetSession &session) {
        object.readRequired("run", session.run);
        object.readRequired("duration", session.duration);
        object.read("draining", session.draining);
    });
}

Parsed<FleetOwnership> fleetOwnershipFromJson(const QByteArray &json)
{
    return readRecord<FleetOwnership>(json, [](JsonObjectReader &object, FleetOwnership &record) {
        if (const std::optional<JsonPlace> place = object.required("holder")) {
            readObject(*place, [&record](JsonObjectReader &holder) {
                holder.readRequired("node", record.node);
                holder.readRequired("run", record.run);
            });
        }
        if (const std::optional<JsonPlace> place = object.member("handover"))
            record.released = place->oneOf({QStringLiteral("released")}).has_value();
        object.read("next", record.next);
    });
}

Parsed<FleetBreaker> fleetBreakerFromJson(const QByteArray &json)
{
    return readRecord<FleetBreaker>(json, [](JsonObjectReader &object, FleetBreaker &record) {
        object.readRequired("state", record.state, circuitBreakerStates);
        object.read("reopened", record.reopened, 0, std::numeric_limits<int>::max());
        object.readRequired("node", record.node);
        object.readRequired("run", record.run);
    });
}

QByteArray fleetNodeKey(const QString &node) { return "state/nodes/" + node.toUtf8(); }

QByteArray fleetAgentKey(const QString &agent) { return "state/agents/" + agent.toUtf8(); }

QByteArray fleetBreakerKey(const QString &breaker) { return "state/breakers/" + breaker.toUtf8(); }

QByteArray fleetRenewalKey(const QString &node) { return "renewals/" + node.toUtf8(); }

} // namespace Rekindle
