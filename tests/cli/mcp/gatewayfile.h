// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "editor.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace Rekindle {

/// Writes a file with these servers into `folder`. Each server is a name and options of the sample
/// server; `own` are further members of each entry.
inline QString gatewayFile(const QString &folder, const QList<QStringList> &servers,
                           const QByteArray &own = {})
{
    QByteArray text = "{ // servers\n\"mcpServers\": {\n";
    for (const QStringList &server : servers) {
        const QJsonArray arguments = QJsonArray::fromStringList(server.mid(1));
        text += QByteArray(R"( "NAME": {"command": "SERVER", "args": ARGS OWN}, )")
                    .replace("NAME", server.front().toUtf8())
                    .replace("SERVER", REKINDLE_MCPSERVER)
                    .replace("ARGS", QJsonDocument(arguments).toJson(QJsonDocument::Compact))
                    .replace("OWN", own);
    }
    return writeFile(folder, QStringLiteral("mcp.json"), text + "},\n}\n");
}

inline QStringList toolNames(const QJsonObject &answer)
{
    QStringList names;
    const QJsonArray tools = answer[QLatin1String("result")][QLatin1String("tools")].toArray();
    for (const QJsonValue &tool : tools)
        names.append(tool[QLatin1String("name")].toString());
    return names;
}

// The process of a server, according to its tool.
inline qint64 pidOf(Editor &editor, const QByteArray &id, const char *tool = "state")
{
    const QString state = textOf(editor.use(id, tool));
    return QJsonDocument::fromJson(state.toUtf8())[QLatin1String("pid")].toInteger();
}

inline const QStringList one{QStringLiteral("one")};
inline const QStringList two{QStringLiteral("two")};

} // namespace Rekindle
