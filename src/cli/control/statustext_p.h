// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QList>
#include <QStringList>

namespace Rekindle {

/// Lines with columns that are as wide as their longest cell, separated by two blanks.
[[nodiscard]] QStringList columnsOf(const QList<QStringList> &rows);

/// The same as text. Control characters are removed.
[[nodiscard]] QByteArray columnsText(const QList<QStringList> &rows);

/// The rows of `rekindle status`, from the snapshots of agents.list. The first is the header. The
/// CPU share is that since the `previous` snapshots; without one, that since the start.
[[nodiscard]] QList<QStringList> statusRows(const QJsonArray &agents,
                                            const QJsonArray &previous = {});

/// The rows for the groups of agents.list. The first is the header.
[[nodiscard]] QList<QStringList> groupRows(const QJsonArray &groups);

/// The rows for the shared breakers of agents.list. The first is the header.
[[nodiscard]] QList<QStringList> sharedBreakerRows(const QJsonArray &breakers);

/// Why a request to operate an agent was refused, from its row of the result; empty if it was not.
[[nodiscard]] QString refusalText(const QJsonObject &operated);

/// The result of agents.explain as lines: state, what happens next, last failure and stderr.
[[nodiscard]] QStringList explanationLines(const QJsonObject &explanation);

/// Whether the last probes of an agent have failed.
[[nodiscard]] bool isUnhealthy(const QJsonObject &agent);

} // namespace Rekindle
