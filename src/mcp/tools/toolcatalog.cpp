// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/toolcatalog.h>

#include <algorithm>

namespace Rekindle {

void ToolCatalog::setTools(const QString &backend, const QList<McpTool> &tools)
{
    if (!m_backends.contains(backend))
        m_backends.push_back(backend);
    m_tools.insert(backend, tools);
    for (const McpTool &tool : tools)
        giveName({backend, tool.name});
}

void ToolCatalog::giveName(const Owner &owner)
{
    QString &name = m_names[owner.backend][owner.tool];
    if (!name.isEmpty())
        return;
    name = owner.tool;
    for (int number = 1; m_owners.contains(name); ++number) {
        name = owner.backend + QStringLiteral("__") + owner.tool;
        if (number > 1)
            name += u'_' + QString::number(number);
    }
    m_owners.insert(name, owner);
}

QList<ToolCatalog::Entry> ToolCatalog::entries() const
{
    QList<Entry> all;
    for (const QString &backend : m_backends) {
        const QHash<QString, QString> names = m_names.value(backend);
        const QList<McpTool> tools = m_tools.value(backend);
        for (const McpTool &tool : tools)
            all.push_back({names.value(tool.name), backend, tool});
    }
    return all;
}

std::optional<ToolCatalog::Entry> ToolCatalog::find(const QString &name) const
{
    const Owner owner = m_owners.value(name);
    const QList<McpTool> tools = m_tools.value(owner.backend);
    const auto found = std::find_if(tools.begin(), tools.end(),
                                    [&](const McpTool &tool) { return tool.name == owner.tool; });
    if (owner.tool.isEmpty() || found == tools.end())
        return std::nullopt;
    return Entry{name, owner.backend, *found};
}

QString ToolCatalog::backendOf(const QString &name) const { return m_owners.value(name).backend; }

QList<ToolCatalog::Collision> ToolCatalog::collisions() const
{
    QList<Collision> all;
    QHash<QString, qsizetype> places;
    const QList<Entry> tools = entries();
    for (const Entry &entry : tools) {
        const auto place = places.constFind(entry.tool.name);
        if (place == places.constEnd()) {
            places.insert(entry.tool.name, all.size());
            all.push_back({entry.tool.name, {entry.name}, {entry.backend}});
        } else {
            all[*place].names.push_back(entry.name);
            all[*place].backends.push_back(entry.backend);
        }
    }
    all.removeIf([](const Collision &collision) { return collision.names.size() < 2; });
    return all;
}

} // namespace Rekindle
