// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/jitter.h>

#include "json/enumnames.h"

namespace Rekindle {

namespace {
constexpr std::array<EnumName<JitterKind>, 5> names = {{
    {JitterKind::None, QLatin1String("none")},
    {JitterKind::Symmetric, QLatin1String("symmetric")},
    {JitterKind::Additive, QLatin1String("additive")},
    {JitterKind::Full, QLatin1String("full")},
    {JitterKind::Decorrelated, QLatin1String("decorrelated")},
}};
} // namespace

QString toText(JitterKind kind) { return nameOf(names, kind); }

std::optional<JitterKind> jitterKindFromString(QStringView name) { return valueOf(names, name); }

} // namespace Rekindle
