// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/agenttablemodel.h>
#include <rekindle/widgets/agentstatedelegate.h>

namespace Rekindle {

AgentStateDelegate::AgentStateDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
{
}

AgentStateDelegate::~AgentStateDelegate() = default;

void AgentStateDelegate::initStyleOption(QStyleOptionViewItem *option,
                                         const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant number = index.data(AgentTableModel::AgentStateRole);
    const auto state =
        number.isValid() ? std::optional(static_cast<InstanceState>(number.toInt())) : std::nullopt;
    const int size = option->fontMetrics.ascent();
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = {size, size};
    option->icon = StateColors(m_scheme, option->palette).icon(state);
}

} // namespace Rekindle
