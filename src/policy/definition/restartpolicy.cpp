// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/restartpolicy.h>

#include "json/enumnames.h"

namespace Rekindle {

namespace {
constexpr std::array<EnumName<RestartPolicyType>, 6> names = {{
    {RestartPolicyType::None, QLatin1String("none")},
    {RestartPolicyType::Immediate, QLatin1String("immediate")},
    {RestartPolicyType::Linear, QLatin1String("linear")},
    {RestartPolicyType::Exponential, QLatin1String("exponential")},
    {RestartPolicyType::Stepped, QLatin1String("stepped")},
    {RestartPolicyType::Custom, QLatin1String("custom")},
}};
} // namespace

QString toText(RestartPolicyType type) { return nameOf(names, type); }

std::optional<RestartPolicyType> restartPolicyTypeFromString(QStringView name)
{
    return valueOf(names, name);
}

} // namespace Rekindle
