// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentfiltermodel.h>
#include <rekindle/models/agenttablemodel.h>

#include <algorithm>

namespace Rekindle {

AgentFilterModel::AgentFilterModel(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(AgentTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void AgentFilterModel::setText(const QString &text)
{
    m_text = text;
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

void AgentFilterModel::setTags(const QStringList &tags)
{
    m_tags = tags;
    invalidateFilter();
}

bool AgentFilterModel::filterAcceptsRow(int row, const QModelIndex & /*parent*/) const
{
    if (m_words.isEmpty() && m_tags.isEmpty())
        return true;
    const QModelIndex agent = sourceModel()->index(row, 0);
    QStringList texts = agent.data(AgentTableModel::TagsRole).toStringList();
    const auto isTag = [&](const QString &tag) { return texts.contains(tag); };
    if (!m_tags.isEmpty() && std::none_of(m_tags.begin(), m_tags.end(), isTag))
        return false;
    for (const int column : {AgentTableModel::Name, AgentTableModel::State, AgentTableModel::Group})
        texts.append(agent.data(int{AgentTableModel::ColumnRole} + column).toString());
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString &word) {
        return std::any_of(texts.begin(), texts.end(), [&](const QString &text) {
            return text.contains(word, Qt::CaseInsensitive);
        });
    });
}

} // namespace Rekindle
