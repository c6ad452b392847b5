// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/statecolors.h>
#include <rekindle/widgets/export.h>

#include <QStyledItemDelegate>

namespace Rekindle {

/// Shows the shape of the state before the text of an item. Use it for the column State of an
/// AgentTableModel, or for other items with the role AgentTableModel::AgentStateRole.
class REKINDLE_WIDGETS_EXPORT AgentStateDelegate : public QStyledItemDelegate
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::StateColors::Scheme colorScheme READ colorScheme WRITE setColorScheme)

public:
    explicit AgentStateDelegate(QObject *parent = nullptr);
    ~AgentStateDelegate() override;

    /// Default: Automatic, from the palette of the view. Update the views after a change.
    void setColorScheme(StateColors::Scheme scheme) { m_scheme = scheme; }
    [[nodiscard]] StateColors::Scheme colorScheme() const { return m_scheme; }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    StateColors::Scheme m_scheme = StateColors::Scheme::Automatic;
};

} // namespace Rekindle
