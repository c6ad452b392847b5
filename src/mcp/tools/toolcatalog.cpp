// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/toolcatalog.h>

#include "uniquenames_p.h"

#include <rekindle/mcp/toolbackend.h>

#include <algorithm>
#include <vector>

namespace Rekindle {

class ToolCatalog::Private
{
public:
    struct Backend
    {
        QString name;
        QList<McpTool> tools;
    };

    UniqueNames names;
    std::vector<Backend> backends;
    QObject receiver; // of the signals of added servers
};

ToolCatalog::ToolCatalog()
    : d(std::make_unique<Private>())
{
}

ToolCatalog::~ToolCatalog() = default;

void ToolCatalog::add(ToolBackend &backend)
{
    McpClient &client = backend.client();
    const QString name = backend.name();
    const auto update = [this, name, &client] { setTools(name, client.tools()); };
    QObject::connect(&client, &McpClient::ready, &d->receiver, update);
    QObject::connect(&client, &McpClient::toolsChanged, &d->receiver, update);
    QObject::connect(&backend, &QObject::destroyed, &d->receiver,
                     [this, name] { setTools(name, {}); });
    update();
}

void ToolCatalog::setTools(const QString &backend, const QList<McpTool> &tools)
{
    auto place = std::ranges::find(d->backends, backend, &Private::Backend::name);
    if (place == d->backends.end())
        place = d->backends.insert(place, {backend, {}});
    place->tools = tools;
    const int server = static_cast<int>(place - d->backends.begin());
    for (const McpTool &tool : tools)
        d->names.add({server, tool.name.toUtf8()}, backend.toUtf8());
}

QList<ToolCatalog::Entry> ToolCatalog::entries() const
{
    QList<Entry> all;
    int server = 0;
    for (const Private::Backend &backend : d->backends) {
        for (const McpTool &tool : backend.tools) {
            const QByteArray name = d->names.nameOf(server, tool.name.toUtf8());
            all.append({QString::fromUtf8(name), backend.name, tool});
        }
        ++server;
    }
    return all;
}

std::optional<ToolCatalog::Entry> ToolCatalog::find(const QString &name) const
{
    const QList<Entry> all = entries();
    const auto found = std::ranges::find(all, name, &Entry::name);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

QList<ToolCatalog::Collision> ToolCatalog::collisions() const
{
    QList<Collision> all;
    const QList<Entry> tools = entries();
    for (const Entry &entry : tools) {
        auto known = std::ranges::find(all, entry.tool.name, &Collision::tool);
        if (known == all.end())
            known = all.insert(known, {entry.tool.name, {}, {}});
        known->names.append(entry.name);
        known->backends.append(entry.backend);
    }
    all.removeIf([](const Collision &collision) { return collision.names.size() < 2; });
    return all;
}

} // namespace Rekindle
