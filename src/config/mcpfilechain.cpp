// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpfilechain_p.h"

#include "json/jsonparser.h"
#include "json/jsonwriter.h"

#include <QDir>
#include <QFileInfo>

namespace Rekindle {

namespace {

constexpr char chainVariable[] = "REKINDLE_MCP_FILES";

// The value of `--config FILE` or `--config=FILE`; empty without one.
QString configurationOf(const QStringList &arguments)
{
    const QString option = QStringLiteral("--config");
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == option)
            return arguments.value(i + 1);
        if (arguments[i].startsWith(option + u'='))
            return arguments[i].mid(option.size() + 1);
    }
    return {};
}

} // namespace

McpFileChain::McpFileChain(const QString &file)
    : m_file(QFileInfo(file).canonicalFilePath())
{
    const Parsed<JsonNode> files = parseJson(qgetenv(chainVariable));
    for (const JsonNode &ancestor : files ? files.value->children : std::vector<JsonNode>())
        m_ancestors.append(ancestor.text);
}

bool McpFileChain::isServedBy(const ProcessDefinition &server) const
{
    if (QFileInfo(server.program).fileName() != QLatin1String("rekindle")
        || !server.arguments.contains(QStringLiteral("mcp")))
        return false;
    const QString file = configurationOf(server.arguments);
    if (file.isEmpty())
        return false;
    const QDir folder =
        server.workingDirectory.isEmpty() ? QDir::current() : QDir(server.workingDirectory);
    const QString path = QFileInfo(folder, file).canonicalFilePath();
    return !path.isEmpty() && (path == m_file || m_ancestors.contains(path));
}

void McpFileChain::addTo(ProcessDefinition &server) const
{
    QByteArray files;
    JsonWriter(files).value(m_ancestors + QStringList(m_file));
    server.environment.insert(QLatin1String(chainVariable), QString::fromUtf8(files));
}

} // namespace Rekindle
