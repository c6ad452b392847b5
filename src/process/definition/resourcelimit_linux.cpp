// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "resourcelimit_p.h"

#include <rekindle/process/resourcelimit.h>

#include <sys/resource.h>

#include <array>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::array<std::pair<const char *, int>, 16> resources{{
    {"as", RLIMIT_AS},
    {"core", RLIMIT_CORE},
    {"cpu", RLIMIT_CPU},
    {"data", RLIMIT_DATA},
    {"fsize", RLIMIT_FSIZE},
    {"locks", RLIMIT_LOCKS},
    {"memlock", RLIMIT_MEMLOCK},
    {"msgqueue", RLIMIT_MSGQUEUE},
    {"nice", RLIMIT_NICE},
    {"nofile", RLIMIT_NOFILE},
    {"nproc", RLIMIT_NPROC},
    {"rss", RLIMIT_RSS},
    {"rtprio", RLIMIT_RTPRIO},
    {"rttime", RLIMIT_RTTIME},
    {"sigpending", RLIMIT_SIGPENDING},
    {"stack", RLIMIT_STACK},
}};

QString valueText(quint64 value)
{
    return value == ResourceLimit::unlimited ? QStringLiteral("unlimited") : QString::number(value);
}

} // namespace

QStringList ResourceLimit::names()
{
    QStringList names;
    for (const auto &[name, resource] : resources)
        names.append(QLatin1String(name));
    return names;
}

QString ResourceLimit::toString() const
{
    if (soft == hard)
        return valueText(soft);
    return QStringLiteral("[%1, %2]").arg(valueText(soft), valueText(hard));
}

std::optional<int> resourceNamed(const QString &name)
{
    for (const auto &[key, resource] : resources) {
        if (name == QLatin1String(key))
            return resource;
    }
    return {};
}

} // namespace Rekindle
