// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The tools of an MCP server that its clients get, by their names on the server.
struct ToolSelection
{
    std::optional<QStringList> only{}; ///< nothing else; nullopt: all
    QStringList except{};

    [[nodiscard]] bool contains(const QString &tool) const
    {
        return (!only || only->contains(tool)) && !except.contains(tool);
    }

    bool operator==(const ToolSelection &) const = default;
};

} // namespace Rekindle
