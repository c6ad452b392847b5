// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/healthprobedefinition.h>

#include "enumnames_p.h"

namespace Rekindle {

namespace {

using namespace std::chrono_literals;
using Kind = HealthProbeDefinition::Kind;

constexpr std::array<EnumName<Kind>, 5> names = {{
    {Kind::Exec, QLatin1String("exec")},
    {Kind::Tcp, QLatin1String("tcp")},
    {Kind::Http, QLatin1String("http")},
    {Kind::Heartbeat, QLatin1String("heartbeat")},
    {Kind::McpPing, QLatin1String("mcp-ping")},
}};

void checkDuration(QList<Fault> &faults, const QString &path, Duration found, Duration least,
                   Duration greatest)
{
    if (found >= least && found <= greatest)
        return;
    faults.append(
        {path,
         QStringLiteral("found %1, allowed %2 to %3")
             .arg(durationToString(found), durationToString(least), durationToString(greatest))});
}

void checkInteger(QList<Fault> &faults, const QString &path, int found, int least, int greatest)
{
    if (found < least || found > greatest) {
        faults.append(
            {path,
             QStringLiteral("found %1, allowed %2 to %3").arg(found).arg(least).arg(greatest)});
    }
}

void checkUrl(QList<Fault> &faults, const QUrl &url)
{
    const bool isHttp =
        url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    if (!url.isValid() || !isHttp || url.host().isEmpty()) {
        faults.append({QStringLiteral("/url"),
                       QStringLiteral("found \"%1\", allowed http://HOST... or https://HOST...")
                           .arg(url.toString(QUrl::RemovePassword))});
    }
}

} // namespace

QString toText(HealthProbeDefinition::Kind kind) { return nameOf(names, kind); }

std::optional<HealthProbeDefinition::Kind> healthProbeKindFromString(QStringView name)
{
    return valueOf(names, name);
}

QList<Fault> validate(const HealthSchedule &schedule)
{
    QList<Fault> faults;
    checkDuration(faults, QStringLiteral("/interval"), schedule.interval, 10ms, 24h);
    checkDuration(faults, QStringLiteral("/timeout"), schedule.timeout, 1ms, 1h);
    checkInteger(faults, QStringLiteral("/misses"), schedule.misses, 1, 1000);
    checkDuration(faults, QStringLiteral("/grace"), schedule.grace, 0s, 24h);
    if (schedule.lastChance && schedule.timeout <= 1h)
        checkDuration(faults, QStringLiteral("/lastChance"), *schedule.lastChance, schedule.timeout,
                      1h);
    return faults;
}

QList<Fault> validate(const HealthProbeDefinition &probe)
{
    QList<Fault> faults = validate(probe.schedule);
    switch (probe.kind) {
    case Kind::Exec:
        if (probe.command.isEmpty() || probe.command.front().isEmpty()) {
            faults.append({QStringLiteral("/command"),
                           QStringLiteral("found no program, allowed [PROGRAM, ARGUMENT...]")});
        }
        break;
    case Kind::Tcp:
        if (probe.host.isEmpty()) {
            faults.append({QStringLiteral("/host"),
                           QStringLiteral("found \"\", allowed an address or a name")});
        }
        checkInteger(faults, QStringLiteral("/port"), probe.port, 1, 65535);
        break;
    case Kind::Http:
        checkUrl(faults, probe.url);
        break;
    case Kind::Heartbeat:
    case Kind::McpPing:
        break;
    }
    return faults;
}

} // namespace Rekindle
