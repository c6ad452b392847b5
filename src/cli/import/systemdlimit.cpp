// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "systemdlimit_p.h"

#include <QStringList>

#include <limits>

namespace Rekindle {

namespace {

bool isSize(const QString &name)
{
    static const QStringList sizes{QStringLiteral("as"),       QStringLiteral("core"),
                                   QStringLiteral("data"),     QStringLiteral("fsize"),
                                   QStringLiteral("memlock"),  QStringLiteral("rss"),
                                   QStringLiteral("msgqueue"), QStringLiteral("stack")};
    return sizes.contains(name);
}

std::optional<Json> oneLimit(QString text, bool size)
{
    if (text == QLatin1String("infinity"))
        return Json("unlimited");
    qint64 unit = 1;
    if (size && !text.isEmpty()) {
        const qsizetype power = QStringLiteral("BKMGTPE").indexOf(text.back());
        if (power >= 0) {
            unit = qint64{1} << (10 * power);
            text.chop(1);
        }
    }
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    if (!isNumber || number < 0 || number > std::numeric_limits<qint64>::max() / unit)
        return {};
    return Json(number * unit);
}

} // namespace

std::optional<Json> systemdLimit(const QString &name, const QString &value)
{
    if (name == QLatin1String("nice"))
        return {};
    const bool size = isSize(name);
    const QStringList parts = value.split(u':');
    const std::optional<Json> soft = oneLimit(parts.front().trimmed(), size);
    const std::optional<Json> hard = oneLimit(parts.back().trimmed(), size);
    if (!soft || !hard || parts.size() > 2)
        return {};
    return parts.size() == 1 ? *soft : Json::array({*soft, *hard});
}

} // namespace Rekindle
