// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaycatalog_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "wire/messagewriter_p.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Clients permit only letters, digits, underscore and hyphen in the name of a tool, and limit its
// length; a key in the file may contain anything.
constexpr qsizetype longestPrefix = 32;

constexpr std::size_t maximumTemplates = 200; // of one server, that a URI is compared with

// Longer templates and URIs never match.
constexpr qsizetype longestUriTemplate = 512;
constexpr qsizetype longestTemplateUri = 4096;

// Whether a URI may be an expansion of a template (RFC 6570) such as "file:///{path}". Only the
// variables of "{+x}", "{#x}", "{/x}" and "{?x}" may contain slashes. The number of steps is at
// most the product of both lengths, because both come from other programs.
bool fitsUriTemplate(QByteArrayView uri, QByteArrayView uriTemplate)
{
    if (uri.size() > longestTemplateUri || uriTemplate.size() > longestUriTemplate)
        return false;
    // The positions in the URI that the template can match up to, all at the same time.
    QByteArray isReached(uri.size() + 1, '\0');
    isReached[0] = 1;
    for (qsizetype at = 0; at < uriTemplate.size() && isReached.contains(1); ++at) {
        if (uriTemplate[at] != '{') {
            for (qsizetype end = uri.size(); end > 0; --end)
                isReached[end] = uri[end - 1] == uriTemplate[at] ? isReached[end - 1] : '\0';
            isReached[0] = 0;
            continue;
        }
        const qsizetype close = uriTemplate.indexOf('}', at);
        if (close < 0)
            return false;
        const bool mayContainSlashes = QByteArrayView("+#/?").contains(uriTemplate[at + 1]);
        for (qsizetype end = 1; end <= uri.size(); ++end) {
            if (isReached[end - 1] != 0 && (mayContainSlashes || uri[end - 1] != '/'))
                isReached[end] = 1;
        }
        at = close;
    }
    return isReached.back() != 0;
}

QByteArray prefixOf(const QString &server)
{
    QByteArray prefix;
    for (const QChar c : server.left(longestPrefix)) {
        const bool isPlain = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z')
            || (c >= u'0' && c <= u'9') || c == u'-' || c == u'_';
        prefix += isPlain ? c.toLatin1() : '_';
    }
    return prefix.isEmpty() ? QByteArrayLiteral("server") : prefix;
}

} // namespace

GatewayCatalog::GatewayCatalog(const QStringList &servers)
{
    for (const QString &server : servers) {
        const QByteArray plain = prefixOf(server);
        QByteArray prefix = plain;
        for (int number = 2; m_prefixes.contains(prefix); ++number)
            prefix = plain + '_' + QByteArray::number(number);
        m_prefixes.append(prefix);
    }
    for (List &list : m_lists.values) {
        list.entries.resize(static_cast<std::size_t>(servers.size()));
        list.firstEntries = list.entries;
    }
}

bool GatewayCatalog::set(int server, ListKind kind, std::vector<ListItem> entries)
{
    QSet<QByteArray> seen;
    std::erase_if(entries, [&](const ListItem &entry) {
        const bool isRepeated = seen.contains(entry.key);
        seen.insert(entry.key);
        return isRepeated;
    });
    List &list = m_lists[kind];
    Entries &old = list.entries[static_cast<std::size_t>(server)];
    if (old == entries)
        return false;
    old = std::move(entries);
    list.areNamesCurrent = false;
    if (!hasNames(kind))
        return true;
    if (Entries &first = list.firstEntries[static_cast<std::size_t>(server)]; first.empty()) {
        first = old;
        list.areNamesInOrder = false;
    }
    return true;
}

// The names in the client's last list do not change until its next one.
void GatewayCatalog::giveNames(ListKind kind)
{
    if (!isListed(kind))
        nameInOrder(kind);
    if (!std::exchange(m_lists[kind].areNamesCurrent, true))
        addNames(kind, m_lists[kind].entries);
}

void GatewayCatalog::nameInOrder(ListKind kind)
{
    List &list = m_lists[kind];
    if (std::exchange(list.areNamesInOrder, true))
        return;
    list.names = {};
    addNames(kind, list.firstEntries);
    addNames(kind, list.entries);
    list.areNamesCurrent = true;
}

void GatewayCatalog::addNames(ListKind kind, const std::vector<Entries> &entries)
{
    for (int i = 0; i < m_prefixes.size(); ++i) {
        for (const ListItem &entry : entries[static_cast<std::size_t>(i)]) {
            const auto name = m_lists[kind].names.add({i, entry.key}, m_prefixes[i]);
            if (kind == ListKind::Tools && name && *name != entry.key
                && !std::exchange(m_isReported[*name], true))
                m_newNames.append(QString::fromUtf8(*name));
        }
    }
}

bool GatewayCatalog::hasNames(ListKind kind)
{
    return kind == ListKind::Tools || kind == ListKind::Prompts;
}

QByteArray GatewayCatalog::items(ListKind kind)
{
    List &list = m_lists[kind];
    list.isListed = true;
    if (hasNames(kind)) {
        nameInOrder(kind);
        giveNames(kind);
    }
    QByteArray items;
    QSet<QByteArray> seen; // a URI identifies the same resource on every server
    for (int i = 0; i < m_prefixes.size(); ++i) {
        for (const ListItem &entry : list.entries[static_cast<std::size_t>(i)]) {
            const QByteArray name = hasNames(kind) ? list.names.nameOf(i, entry.key) : entry.key;
            if (seen.contains(name))
                continue;
            seen.insert(name);
            if (!items.isEmpty())
                items += ',';
            items += name == entry.key ? entry.json
                                       : withMember(entry.json, {0, entry.json.size()}, "name",
                                                    jsonText(QString::fromUtf8(name)));
        }
    }
    return items;
}

std::optional<GatewayCatalog::Owner> GatewayCatalog::ownerOf(ListKind kind, const QByteArray &name)
{
    if (hasNames(kind)) {
        giveNames(kind);
        const std::optional<Owner> owner = m_lists[kind].names.ownerOf(name);
        return owner && contains(owner->server, kind, owner->key) ? owner : std::nullopt;
    }
    for (int i = 0; i < m_prefixes.size(); ++i) {
        if (contains(i, kind, name))
            return Owner{i, name};
    }
    for (int i = 0; kind == ListKind::Resources && i < m_prefixes.size(); ++i) {
        if (hasTemplateFor(i, name))
            return Owner{i, name};
    }
    return std::nullopt;
}

bool GatewayCatalog::contains(int server, ListKind kind, const QByteArray &key) const
{
    const Entries &entries = m_lists[kind].entries[static_cast<std::size_t>(server)];
    return std::any_of(entries.begin(), entries.end(),
                       [&key](const ListItem &entry) { return entry.key == key; });
}

bool GatewayCatalog::hasTemplateFor(int server, const QByteArray &uri) const
{
    const Entries &entries =
        m_lists[ListKind::ResourceTemplates].entries[static_cast<std::size_t>(server)];
    const auto compared = static_cast<std::ptrdiff_t>(std::min(entries.size(), maximumTemplates));
    return std::any_of(entries.begin(), entries.begin() + compared,
                       [&uri](const ListItem &entry) { return fitsUriTemplate(uri, entry.key); });
}

} // namespace Rekindle
