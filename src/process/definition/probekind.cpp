// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/probekind.h>

#include <QUrl>

namespace Rekindle {

namespace {

bool isHttpUrl(const QUrl &url)
{
    return url.isValid() && !url.host().isEmpty()
        && (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https"));
}

} // namespace

std::optional<QString> ProbeField::expectedInsteadOf(const QVariant &value) const
{
    switch (type) {
    case Type::Text:
        if (value.toString().isEmpty())
            return QStringLiteral("a non-empty string");
        break;
    case Type::Integer:
        if (const int number = value.toInt(); number < least || number > greatest)
            return QStringLiteral("%1 to %2").arg(least).arg(greatest);
        break;
    case Type::Command:
        if (value.toStringList().value(0).isEmpty())
            return QStringLiteral("[PROGRAM, ARGUMENT...]");
        break;
    case Type::HttpUrl:
        if (!isHttpUrl(value.toUrl()))
            return QStringLiteral("http://HOST... or https://HOST...");
        break;
    }
    return std::nullopt;
}

} // namespace Rekindle
