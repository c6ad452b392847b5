// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QList>
#include <QStringList>

namespace Rekindle {

/// Columns that are as wide as their longest cell, separated by two blanks. Control characters are
/// removed.
[[nodiscard]] QByteArray columnsText(const QList<QStringList> &rows);

/// The table of `rekindle status`, from the snapshots of agents.list.
[[nodiscard]] QByteArray statusText(const QJsonArray &agents);

} // namespace Rekindle
