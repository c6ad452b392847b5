// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "limitsreader_p.h"

#include "bytesize_p.h"

#include <QRegularExpression>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr int mostProcesses = 1'000'000;

std::optional<quint64> limitValue(const JsonPlace &place)
{
    if (place.isText(u"unlimited"))
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
        soft = limitValue(place.at(QStringLiteral("/0")));
        hard = limitValue(place.at(QStringLiteral("/1")));
    }
    if (!soft || !hard) {
        place.mismatch(QStringLiteral(
            R"(a whole number of at least 0, "unlimited", or [SOFT, HARD] with two of these)"));
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

void readSystemLimits(JsonObjectReader &limits, QMap<QString, ResourceLimit> &target)
{
    const auto place = limits.member(QStringLiteral("rlimits"));
    if (!place)
        return;
    JsonObjectReader reader(*place);
    for (const QString &name : ResourceLimit::names()) {
        const auto item = reader.member(name);
        if (const auto limit = item ? readLimit(*item) : std::nullopt)
            target.insert(name, *limit);
    }
    reader.finish();
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
    place.mismatch(QStringLiteral(R"(a share of one core from "1%" to "100000%", such as "150%")"));
    return {};
}

void readCpu(const JsonPlace &place, UsageLimits &usage)
{
    if (place.isText(u"unlimited")) {
        usage.cpu = 0;
        return;
    }
    if (!place.isObject()) {
        place.mismatch(QStringLiteral(R"({"share": "150%", "for": "30s"} or "unlimited")"));
        return;
    }
    JsonObjectReader reader(place);
    const auto share = reader.required(QStringLiteral("share"));
    if (const auto value = share ? readShare(*share) : std::nullopt)
        usage.cpu = *value;
    usage.cpuFor = UsageLimits{}.cpuFor;
    reader.read(QStringLiteral("for"), usage.cpuFor, 1s, 1h);
    reader.finish();
}

void readUsage(JsonObjectReader &limits, UsageLimits &usage)
{
    if (const auto memory = limits.member(QStringLiteral("memory"))) {
        if (memory->isText(u"unlimited"))
            usage.memory = 0;
        else
            usage.memory = readByteSize(*memory).value_or(usage.memory);
    }
    if (const auto cpu = limits.member(QStringLiteral("cpu")))
        readCpu(*cpu, usage);
    if (const auto processes = limits.member(QStringLiteral("processes"))) {
        if (processes->isText(u"unlimited"))
            usage.processes = 0;
        else
            usage.processes = processes->integer(1, mostProcesses).value_or(usage.processes);
    }
    limits.read(QStringLiteral("interval"), usage.interval, 100ms, 1h);
}

void readCgroup(JsonObjectReader &limits, ProcessDefinition &process)
{
    const auto place = limits.member(QStringLiteral("cgroup"));
    if (!place)
        return;
    JsonObjectReader reader(*place);
    CgroupLimits cgroup;
    if (const auto memory = reader.member(QStringLiteral("memoryMax")))
        cgroup.memoryMax = readByteSize(*memory).value_or(0);
    reader.read(QStringLiteral("tasksMax"), cgroup.tasksMax, 1, mostProcesses);
    reader.finish();
    process.cgroup = cgroup;
}

void readRecycling(JsonObjectReader &object, ProcessDefinition &process, RecycledBy kind)
{
    const auto place = object.member(QStringLiteral("recycle"));
    if (!place)
        return;
    constexpr double greatestSpread = 0.5;
    constexpr int mostCalls = 1'000'000'000;
    JsonObjectReader reader(*place);
    Recycling recycling;
    reader.read(QStringLiteral("maxAge"), recycling.maxAge, 1s, 24h * 366);
    if (const auto spread = reader.member(QStringLiteral("spread"))) {
        const std::optional<double> value = spread->number();
        if (value && (*value < 0 || *value > greatestSpread))
            spread->mismatch(QStringLiteral("a number from 0 to 0.5"));
        else
            recycling.spread = value.value_or(recycling.spread);
    }
    if (const auto memory = reader.member(QStringLiteral("memory"))) {
        recycling.memory = readByteSize(*memory).value_or(0);
        if (process.usage.memory > 0 && recycling.memory >= process.usage.memory)
            memory->warn(QStringLiteral("has no effect: not below limits.memory, which makes the "
                                        "agent fail"));
    }
    if (kind == RecycledBy::ProcessOrCalls)
        reader.read(QStringLiteral("calls"), recycling.calls, 1, mostCalls);
    reader.finish();
    process.recycling = recycling;
}

} // namespace

void readLimits(JsonObjectReader &object, ProcessDefinition &process, RecycledBy kind)
{
    if (const auto place = object.member(QStringLiteral("limits"))) {
        JsonObjectReader limits(*place);
        readUsage(limits, process.usage);
        readSystemLimits(limits, process.limits);
        readCgroup(limits, process);
        limits.finish();
    }
    readRecycling(object, process, kind);
}

} // namespace Rekindle
