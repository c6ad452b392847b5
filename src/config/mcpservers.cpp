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

McpServers readServers(const JsonPlace &root, const QDir &folder)
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
    if (!place->wantObject())
        return result;
    const qsizetype before = root.faults().errorCount();
    McpServerReader reader(policies);
    for (const JsonPlace &entry : place->members()) {
        if (auto server = reader.read(entry))
            result.servers.append(*std::move(server));
    }
    if (result.servers.isEmpty() && root.faults().errorCount() == before)
        place->fault(
            QStringLiteral("expected at least one server that can be started, found none"));
    return result;
}

Parsed<McpServers> serversFrom(const Parsed<JsonNode> &parsed, const QString &folder,
                               const QString &file)
{
    Parsed<McpServers> result;
    if (parsed) {
        JsonFaults faults;
        McpServers servers = readServers(JsonPlace(*parsed.value, {}, faults), QDir(folder));
        result = faults.result(std::move(servers));
    } else {
        result.faults = parsed.faults;
    }
    result.file = file;
    return result;
}

} // namespace

Parsed<McpServers> loadMcpServers(const QString &path)
{
    return serversFrom(readJsonFile(path, withoutComments), QFileInfo(path).absolutePath(), path);
}

Parsed<McpServers> parseMcpServers(const QByteArray &text, const QString &baseDirectory,
                                   const QString &file)
{
    return serversFrom(parseJson(withoutComments(text)), baseDirectory, file);
}

} // namespace Rekindle
