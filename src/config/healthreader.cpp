// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "healthreader_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;
using Kind = HealthProbeDefinition::Kind;

constexpr std::array serverKinds = {Kind::Exec, Kind::Tcp, Kind::Http, Kind::Heartbeat,
                                    Kind::McpPing};
constexpr std::array processKinds = {Kind::Exec, Kind::Tcp, Kind::Http, Kind::Heartbeat};
constexpr std::array readyKinds = {Kind::Exec, Kind::Tcp, Kind::Http};

// Between two looks at something that is just starting.
constexpr Duration readyInterval = 500ms;

// One that exists, but not here, is told from one that is mistyped.
template<std::size_t size>
std::optional<Kind> readKind(JsonObjectReader &reader, const std::array<Kind, size> &kinds)
{
    const auto place = reader.required(QStringLiteral("kind"));
    if (!place)
        return std::nullopt;
    const bool isKnown = std::find(kinds.begin(), kinds.end(), Kind::McpPing) != kinds.end();
    if (isKnown || !place->isText(u"mcp-ping"))
        return place->choice(kinds);
    QStringList names;
    for (const Kind kind : kinds)
        names.append(toText(kind));
    place->fault(QStringLiteral("found \"mcp-ping\", which is for the health of mcpServers, "
                                "allowed: %1")
                     .arg(names.join(QLatin1String(", "))));
    return std::nullopt;
}

void readCommand(JsonObjectReader &reader, const QDir &folder, QStringList &target)
{
    const auto place = reader.required(QStringLiteral("command"));
    const auto items = place ? place->items() : std::nullopt;
    if (!items)
        return;
    if (items->empty()) {
        place->mismatch(QStringLiteral("[PROGRAM, ARGUMENT...]"));
        return;
    }
    for (const JsonPlace &item : *items) {
        const std::optional<QString> text = target.isEmpty() ? item.textNotEmpty() : item.text();
        target.append(text.value_or(QString()));
    }
    if (target.front().contains(u'/'))
        target.front() = QDir::cleanPath(folder.absoluteFilePath(target.front()));
}

void readUrl(JsonObjectReader &reader, QUrl &target)
{
    const auto place = reader.required(QStringLiteral("url"));
    const std::optional<QString> text = place ? place->textNotEmpty() : std::nullopt;
    if (!text)
        return;
    HealthProbeDefinition probe;
    probe.kind = Kind::Http;
    probe.url = QUrl(*text, QUrl::StrictMode);
    if (hasErrors(validate(probe)))
        place->mismatch(QStringLiteral("http://HOST... or https://HOST..."));
    else
        target = probe.url;
}

// Only the keys that the kind has are known.
void readTarget(JsonObjectReader &reader, const QDir &folder, HealthProbeDefinition &probe)
{
    switch (probe.kind) {
    case Kind::Exec:
        readCommand(reader, folder, probe.command);
        break;
    case Kind::Tcp:
        if (const auto host = reader.member(QStringLiteral("host")))
            probe.host = host->textNotEmpty().value_or(probe.host);
        if (const auto port = reader.required(QStringLiteral("port")))
            probe.port = port->integer(1, 65535).value_or(0);
        break;
    case Kind::Http:
        readUrl(reader, probe.url);
        break;
    case Kind::Heartbeat:
    case Kind::McpPing:
        break;
    }
}

void readRhythm(JsonObjectReader &reader, HealthSchedule &schedule)
{
    reader.read(QStringLiteral("interval"), schedule.interval, 10ms, 24h);
    reader.read(QStringLiteral("timeout"), schedule.timeout, 1ms, 1h);
}

// Of a timeout that somebody wrote: one run ends before the next begins.
void warnOfOverlap(const JsonPlace &probe, const HealthSchedule &schedule)
{
    const JsonNode *const timeout = probe.node().member(u"timeout");
    if (!timeout || schedule.timeout <= schedule.interval)
        return;
    JsonPlace(*timeout, probe.pointer() + QLatin1String("/timeout"), probe.faults())
        .warn(QStringLiteral("%1 outlasts the interval of %2: a probe that hangs delays the next "
                             "ones")
                  .arg(durationToString(schedule.timeout), durationToString(schedule.interval)));
}

HealthProbeDefinition readHealthProbe(const JsonPlace &place, const QDir &folder, HealthOf whose)
{
    HealthProbeDefinition probe;
    JsonObjectReader reader(place);
    const auto kind = whose == HealthOf::McpServer ? readKind(reader, serverKinds)
                                                   : readKind(reader, processKinds);
    if (!kind)
        return probe;
    probe.kind = *kind;
    readTarget(reader, folder, probe);
    HealthSchedule &schedule = probe.schedule;
    readRhythm(reader, schedule);
    reader.read(QStringLiteral("misses"), schedule.misses, 1, 1000);
    reader.read(QStringLiteral("grace"), schedule.grace, 0s, 24h);
    warnOfOverlap(place, schedule);
    if (const auto lastChance = reader.member(QStringLiteral("lastChance")))
        schedule.lastChance = lastChance->duration(schedule.timeout, 1h);
    reader.finish();
    return probe;
}

} // namespace

void readHealth(JsonObjectReader &object, const QDir &folder, HealthOf whose,
                QList<HealthProbeDefinition> &target)
{
    const auto place = object.member(QStringLiteral("health"));
    const auto items = place ? place->items() : std::nullopt;
    if (!items)
        return;
    target.clear();
    for (const JsonPlace &item : *items)
        target.append(readHealthProbe(item, folder, whose));
}

void readReadyProbe(const JsonPlace &place, const QDir &folder, HealthProbeDefinition &target)
{
    HealthProbeDefinition probe;
    JsonObjectReader reader(place);
    const auto kind = readKind(reader, readyKinds);
    if (!kind)
        return;
    probe.kind = *kind;
    probe.schedule.interval = readyInterval;
    readTarget(reader, folder, probe);
    readRhythm(reader, probe.schedule);
    reader.finish();
    target = probe;
}

} // namespace Rekindle
