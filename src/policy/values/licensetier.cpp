// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/licensetier.h>

#include <rekindle/json/enumnames.h>

namespace Rekindle {

namespace {

constexpr std::array<EnumName<LicenseTier>, 4> names = {{
    {LicenseTier::Core, QLatin1String("Core")},
    {LicenseTier::WriterPro, QLatin1String("WriterPro")},
    {LicenseTier::Teams, QLatin1String("Teams")},
    {LicenseTier::Enterprise, QLatin1String("Enterprise")},
}};

// The lowest tier that permits the type.
LicenseTier leastTierOf(RestartPolicyType type)
{
    switch (type) {
    case RestartPolicyType::None:
        return LicenseTier::Core;
    case RestartPolicyType::Immediate:
    case RestartPolicyType::Linear:
        return LicenseTier::WriterPro;
    case RestartPolicyType::Exponential:
    case RestartPolicyType::Stepped:
        return LicenseTier::Teams;
    case RestartPolicyType::Custom:
        break;
    }
    return LicenseTier::Enterprise;
}

} // namespace

QString toText(LicenseTier tier) { return nameOf(names, tier); }

std::optional<LicenseTier> licenseTierFromString(QStringView name) { return valueOf(names, name); }

bool allows(LicenseTier tier, RestartPolicyType type) { return tier >= leastTierOf(type); }

} // namespace Rekindle
