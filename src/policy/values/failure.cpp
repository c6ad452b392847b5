// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/failure.h>

#include "json/enumnames.h"

namespace Rekindle {

namespace {
using enum FailureReason;
constexpr std::array<EnumName<FailureReason>, 8> names = {{
    {UnhandledException, QLatin1String("UnhandledException")},
    {HealthCheckFailed, QLatin1String("HealthCheckFailed")},
    {InitializationFailed, QLatin1String("InitializationFailed")},
    {Timeout, QLatin1String("Timeout")},
    {ResourceExhaustion, QLatin1String("ResourceExhaustion")},
    {DependencyFailure, QLatin1String("DependencyFailure")},
    {ProcessCrash, QLatin1String("ProcessCrash")},
    {Unknown, QLatin1String("Unknown")},
}};
} // namespace

QString toText(FailureReason reason) { return nameOf(names, reason); }

std::optional<FailureReason> failureReasonFromString(QStringView name)
{
    return valueOf(names, name);
}

} // namespace Rekindle
