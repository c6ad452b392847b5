// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// Lays the cells of the live table out for a terminal of a certain width. Pure.
class TableLayout
{
public:
    /// `header` in the columns of AgentTableModel; the last column takes what is left.
    TableLayout(const QStringList &header, const QList<QStringList> &rows, int width);

    /// The cells that are shown, filled up or cut to their columns.
    [[nodiscard]] QStringList line(const QStringList &cells) const;

    /// The columns that are shown, of those of the model.
    [[nodiscard]] const QList<int> &columns() const { return m_columns; }

    static constexpr int gap = 2; ///< between two columns

private:
    QList<int> m_columns;
    QList<int> m_widths; ///< of each column of the model
};

/// Cut to `width` characters, with an ellipsis where something is missing.
[[nodiscard]] QString cut(const QString &text, int width);

} // namespace Rekindle
