// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/toolresult.h>

#include <QJsonArray>
#include <QStringList>

namespace Rekindle {

bool ToolResult::isError() const { return result.value(QLatin1String("isError")).toBool(); }

QString ToolResult::text() const
{
    QStringList texts;
    const QJsonArray content = result.value(QLatin1String("content")).toArray();
    for (const auto &block : content) {
        if (block.toObject().value(QLatin1String("type")) == QLatin1String("text"))
            texts.push_back(block.toObject().value(QLatin1String("text")).toString());
    }
    return texts.join(u'\n');
}

} // namespace Rekindle
