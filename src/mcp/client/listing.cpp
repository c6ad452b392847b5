// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "listing_p.h"

#include <nlohmann/json.hpp>

#include <QCryptographicHash>

#include <array>
#include <utility>

namespace Rekindle {

namespace {

using Json = nlohmann::json;

struct Names
{
    QLatin1String list;
    QLatin1String method;
    QLatin1String changed;
    const char *key; // what an entry is known by
};

constexpr std::array<Names, listKindCount> names{{
    {QLatin1String("tools"), QLatin1String("tools/list"),
     QLatin1String("notifications/tools/list_changed"), "name"},
    {QLatin1String("prompts"), QLatin1String("prompts/list"),
     QLatin1String("notifications/prompts/list_changed"), "name"},
    {QLatin1String("resources"), QLatin1String("resources/list"),
     QLatin1String("notifications/resources/list_changed"), "uri"},
}};

const Names &namesOf(ListKind kind) { return names[static_cast<std::size_t>(kind)]; }

bool isTrue(const Json &object, const char *key)
{
    const auto member = object.find(key);
    return member != object.end() && member->is_boolean() && member->get<bool>();
}

bool isRepeatable(const Json &entry)
{
    const auto annotations = entry.find("annotations");
    return annotations != entry.end() && annotations->is_object()
        && (isTrue(*annotations, "readOnlyHint") || isTrue(*annotations, "idempotentHint"));
}

QByteArray digestOf(const Json &entry)
{
    const std::string text = entry.dump(-1, ' ', false, Json::error_handler_t::replace);
    return QCryptographicHash::hash(
        QByteArrayView(text.data(), static_cast<qsizetype>(text.size())), QCryptographicHash::Sha1);
}

} // namespace

QLatin1String listName(ListKind kind) { return namesOf(kind).list; }
QLatin1String listMethod(ListKind kind) { return namesOf(kind).method; }
QLatin1String listChangedMethod(ListKind kind) { return namesOf(kind).changed; }

std::optional<ListPage> readListPage(ListKind kind, QByteArrayView result)
{
    const Json json = Json::parse(result.begin(), result.end(), nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    const auto list = json.find(namesOf(kind).list.data());
    if (list == json.end() || !list->is_array())
        return std::nullopt;
    ListPage page;
    for (const Json &entry : *list) {
        if (!entry.is_object())
            continue;
        const auto key = entry.find(namesOf(kind).key);
        if (key == entry.end() || !key->is_string())
            continue;
        page.entries.insert(QByteArray::fromStdString(key->get<std::string>()),
                            {digestOf(entry), kind == ListKind::Tools && isRepeatable(entry)});
    }
    if (const auto cursor = json.find("nextCursor"); cursor != json.end() && cursor->is_string())
        page.nextCursor = QByteArray::fromStdString(cursor->dump());
    return page;
}

bool ListReader::take(const ListPage &page, bool isFirst)
{
    if (isFirst)
        m_reading.clear();
    m_reading.insert(page.entries);
    if (!page.nextCursor.isEmpty())
        return false;
    m_entries = std::exchange(m_reading, {});
    m_complete = true;
    return true;
}

QStringList namesMissingIn(const ListedEntries &other, const ListedEntries &one)
{
    QStringList missing;
    for (auto entry = one.begin(); entry != one.end(); ++entry) {
        if (!other.contains(entry.key()))
            missing.append(QString::fromUtf8(entry.key()));
    }
    return missing;
}

} // namespace Rekindle
