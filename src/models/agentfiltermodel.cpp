// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agentfiltermodel.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

AgentFilterModel::AgentFilterModel(QObject *parent)
    : QSortFilterProxyModel(parent)
    , m_table(new AgentTableModel(this))
{
    setSourceModel(m_table);
    setSortRole(AgentTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void AgentFilterModel::setText(const QString &text)
{
    if (std::exchange(m_text, text) == text)
        return;
    invalidateFilter();
    Q_EMIT filterChanged();
}

void AgentFilterModel::setTags(const QStringList &tags)
{
    if (std::exchange(m_tags, tags) == tags)
        return;
    invalidateFilter();
    Q_EMIT filterChanged();
}

bool AgentFilterModel::filterAcceptsRow(int row, const QModelIndex & /*parent*/) const
{
    if (m_text.isEmpty() && m_tags.isEmpty())
        return true;
    const QModelIndex agent = m_table->index(row, 0);
    QStringList texts = agent.data(AgentTableModel::TagsRole).toStringList();
    const auto isTag = [&](const QString &tag) { return texts.contains(tag); };
    if (!m_tags.isEmpty() && std::none_of(m_tags.begin(), m_tags.end(), isTag))
        return false;
    for (const int column : {AgentTableModel::Name, AgentTableModel::State, AgentTableModel::Group})
        texts.append(agent.data(int{AgentTableModel::ColumnRole} + column).toString());
    const QStringList words = m_text.simplified().split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&](const QString &word) {
        return std::any_of(texts.begin(), texts.end(), [&](const QString &text) {
            return text.contains(word, Qt::CaseInsensitive);
        });
    });
}

} // namespace Rekindle
