// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agenttablemodel.h>

#include <QSortFilterProxyModel>
#include <QStringList>

namespace Rekindle {

/// The agents of a source as in an AgentTableModel, filtered, and sorted by SortRole.
class REKINDLE_MODELS_EXPORT AgentFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY filterChanged)
    Q_PROPERTY(QStringList tags READ tags WRITE setTags NOTIFY filterChanged)

public:
    explicit AgentFilterModel(QObject *parent = nullptr);

    /// Returns all agents in the order of the source. Set the source there.
    [[nodiscard]] AgentTableModel &table() const { return *m_table; }

    /// Selects the agents whose name, state, group or tags contain each of these words; case is
    /// ignored. Empty: all.
    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }
    /// Selects the agents that have one of these tags; empty: all.
    void setTags(const QStringList &tags);
    [[nodiscard]] QStringList tags() const { return m_tags; }

Q_SIGNALS:
    void filterChanged();

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    AgentTableModel *const m_table;
    QString m_text;
    QStringList m_tags;
};

} // namespace Rekindle
