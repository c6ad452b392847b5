// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcptool.h>

#include <QJsonDocument>

namespace Rekindle {

namespace {

bool hint(const QJsonObject &tool, QLatin1String name, bool fallback)
{
    return tool.value(QLatin1String("annotations")).toObject().value(name).toBool(fallback);
}

} // namespace

bool McpTool::isReadOnly() const { return hint(json, QLatin1String("readOnlyHint"), false); }

bool McpTool::isDestructive() const
{
    return !isReadOnly() && hint(json, QLatin1String("destructiveHint"), true);
}

bool McpTool::isIdempotent() const
{
    return isReadOnly() || hint(json, QLatin1String("idempotentHint"), false);
}

std::optional<McpTool> McpTool::fromJson(const QByteArray &text)
{
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    const QString name = json.value(QLatin1String("name")).toString();
    if (name.isEmpty())
        return std::nullopt;
    return McpTool{name, json, text};
}

} // namespace Rekindle
