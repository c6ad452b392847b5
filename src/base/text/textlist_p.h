// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace Rekindle {

/// "a, b, c"; after 20 texts only "and 3 more".
[[nodiscard]] inline QString listed(const QStringList &texts)
{
    constexpr qsizetype enough = 20;
    const QString text = texts.mid(0, enough).join(QLatin1String(", "));
    return texts.size() <= enough
        ? text
        : text + QStringLiteral(" and %1 more").arg(texts.size() - enough);
}

} // namespace Rekindle
