// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/export.h>

#include <QSortFilterProxyModel>
#include <QStringList>

namespace Rekindle {

/// Sorts and filters an AgentTableModel by SortRole.
class REKINDLE_MODELS_EXPORT AgentFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit AgentFilterModel(QObject *parent = nullptr);

    /// Selects the agents that have each of these words in their name, state, group or tags; case
    /// is ignored. Empty: all.
    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }
    /// Selects the agents that have one of these tags; empty: all.
    void setTags(const QStringList &tags);
    [[nodiscard]] QStringList tags() const { return m_tags; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QString m_text;
    QStringList m_words; ///< of the text
    QStringList m_tags;
};

} // namespace Rekindle
