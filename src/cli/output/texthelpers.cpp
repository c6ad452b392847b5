// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "texthelpers_p.h"

namespace Rekindle {

QString listed(const QStringList &texts)
{
    constexpr qsizetype enough = 20;
    QString text = texts.mid(0, enough).join(QLatin1String(", "));
    if (texts.size() <= enough)
        return text;
    return text + QStringLiteral(" and %1 more").arg(texts.size() - enough);
}

} // namespace Rekindle
