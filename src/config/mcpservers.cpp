// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/mcpservers.h>

#include "jsonfile_p.h"
#include "jsonwithcomments_p.h"
#include "mcpentry_p.h"
#include "mcpserverreader_p.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <QDir>
#include <QFileInfo>

namespace Rekindle {

namespace {

McpServers readServerFile(const JsonPlace &root, const QDir &folder)
{
    McpServers result;
    if (!root.wantObject())
        return result;
    JsonObjectReader object(root);
    const QString claudeKey = QStringLiteral("mcpServers");
    const QString codeKey = QStringLiteral("servers");
    PolicyResolver policies(folder);
    if (const auto place = object.member(QStringLiteral("policies")))
        policies.define(*place);
    auto place = object.member(claudeKey);
    const auto other = object.member(codeKey);
    if (place && other)
        other->fault(QStringLiteral("expected either \"mcpServers\" or \"servers\", found both"));
    if (!place)
        place = other;
    if (!place) {
        root.fault(QStringLiteral("expected \"mcpServers\" or \"servers\", found neither"));
        return result;
    }
    warnOfUnknownKeys(root,
                      {claudeKey, codeKey, QStringLiteral("policies"), QStringLiteral("inputs"),
                       QStringLiteral("$schema")});
    readServers(*place, result.servers,
                [&](const JsonPlace &entry) { return readGatewayServer(entry, policies); });
    return result;
}

Parsed<McpServers> serversFrom(const Parsed<JsonNode> &parsed, const QString &folder)
{
    return readParsed(parsed,
                      [&](const JsonPlace &root) { return readServerFile(root, QDir(folder)); });
}

} // namespace

Parsed<McpServers> loadMcpServers(const QString &path)
{
    return serversFrom(readJsonFile(path, withoutComments), QFileInfo(path).absolutePath());
}

Parsed<McpServers> parseMcpServers(const QByteArray &text, const QString &baseDirectory,
                                   const QString &file)
{
    Parsed<JsonNode> parsed = parseJson(withoutComments(text));
    parsed.file = file;
    return serversFrom(parsed, baseDirectory);
}

} // namespace Rekindle
