// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "limitsreader_p.h"

#include <QRegularExpression>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr int mostProcesses = 1'000'000;

std::optional<quint64> limitValue(const JsonPlace &place)
{
    if (place.isText("unlimited"))
        return ResourceLimit::unlimited;
    const std::optional<qint64> &number = place.node().integer;
    if (place.isNumber() && number && *number >= 0)
        return static_cast<quint64>(*number);
    return {};
}

std::optional<ResourceLimit> readLimit(const JsonPlace &place)
{
    std::optional<quint64> soft = limitValue(place);
    std::optional<quint64> hard = soft;
    if (place.node().kind == JsonNode::Kind::Array && place.node().children.size() == 2) {
        soft = limitValue(place.at("/0"));
        hard = limitValue(place.at("/1"));
    }
    if (!soft || !hard) {
        place.mismatch(
            R"(a whole number of at least 0, "unlimited", or [SOFT, HARD] with two of these)");
        return {};
    }
    if (*soft > *hard) {
        place.fault(QStringLiteral("expected a soft limit that is not above the hard limit, found "
                                   "%1")
                        .arg(ResourceLimit{*soft, *hard}.toString()));
        return {};
    }
    return ResourceLimit{*soft, *hard};
}

// "150%" is 1.5.
std::optional<double> readShare(const JsonPlace &place)
{
    constexpr double leastPercent = 1;
    constexpr double greatestPercent = 100'000;
    constexpr double hundred = 100;
    static const QRegularExpression pattern(
        QRegularExpression::anchoredPattern(QStringLiteral("([0-9.]{1,9}) ?%")));
    bool isNumber = false;
    const double percent =
        place.isString() ? pattern.match(place.node().text).captured(1).toDouble(&isNumber) : 0;
    if (isNumber && percent >= leastPercent && percent <= greatestPercent)
        return percent / hundred;
    place.mismatch(R"(a share of one core from "1%" to "100000%", such as "150%")");
    return {};
}

void readCpu(const JsonPlace &place, UsageLimits &usage)
{
    if (place.isText("unlimited")) {
        usage.cpu = 0;
        return;
    }
    if (!place.isObject()) {
        place.mismatch(R"({"share": "150%", "for": "30s"} or "unlimited")");
        return;
    }
    readObject(place, [&usage](JsonObjectReader &reader) {
        if (const auto share = reader.required("share"))
            usage.cpu = readShare(*share).value_or(usage.cpu);
        usage.cpuFor = UsageLimits{}.cpuFor;
        reader.read("for", usage.cpuFor, 1s, 1h);
    });
}

void readRecycling(JsonObjectReader &reader, ProcessDefinition &process, RecycledBy kind)
{
    constexpr int mostCalls = 1'000'000'000;
    Recycling recycling;
    reader.read("maxAge", recycling.maxAge, 1s, 24h * 366);
    reader.read("spread", recycling.spread, 0, 0.5);
    reader.read("memory", recycling.memory);
    const auto memory = reader.member("memory");
    if (memory && process.usage.memory > 0 && recycling.memory >= process.usage.memory)
        memory->warn("has no effect: not below limits.memory, which makes the agent fail");
    if (kind == RecycledBy::ProcessOrCalls)
        reader.read("calls", recycling.calls, 1, mostCalls);
    process.recycling = recycling;
}

} // namespace

void readLimits(JsonObjectReader &object, ProcessDefinition &process, RecycledBy kind)
{
    object.nested("limits", [&process](JsonObjectReader &limits) {
        UsageLimits &usage = process.usage;
        limits.readUnless("unlimited", "memory", usage.memory);
        if (const auto cpu = limits.member("cpu"))
            readCpu(*cpu, usage);
        limits.readUnless("unlimited", "processes", usage.processes, 1, mostProcesses);
        limits.read("interval", usage.interval, 100ms, 1h);
        limits.nested("rlimits", [&process](JsonObjectReader &reader) {
            for (const QString &name : ResourceLimit::names()) {
                const auto place = reader.member(name);
                if (const auto limit = place ? readLimit(*place) : std::nullopt)
                    process.limits.insert(name, *limit);
            }
        });
        limits.nested("cgroup", [&process](JsonObjectReader &reader) {
            CgroupLimits &cgroup = process.cgroup.emplace();
            reader.read("memoryMax", cgroup.memoryMax);
            reader.read("tasksMax", cgroup.tasksMax, 1, mostProcesses);
        });
    });
    object.nested("recycle",
                  [&](JsonObjectReader &reader) { readRecycling(reader, process, kind); });
}

} // namespace Rekindle
