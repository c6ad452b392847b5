// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/text/terminaltext_p.h"

#include <QByteArray>
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

/// A line that a terminal can show. Colors are kept.
[[nodiscard]] inline QByteArray forTerminal(const QByteArray &line)
{
    return textOnTerminal(line, Colors::Kept);
}

} // namespace Rekindle
