// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>

#include <optional>

namespace Rekindle {

/// The names of all agents of a configuration, of which none is there twice.
class AgentNames
{
public:
    /// Takes a name in, or tells why not.
    [[nodiscard]] std::optional<QString> take(const QString &name, int line)
    {
        if (const auto first = m_lines.constFind(name); first != m_lines.constEnd())
            return QStringLiteral("duplicate name \"%1\", first on line %2").arg(name).arg(*first);
        m_lines.insert(name, line);
        return std::nullopt;
    }

    [[nodiscard]] static QString allowed()
    {
        return QStringLiteral("1 to 64 of A-Z a-z 0-9 . _ -");
    }

private:
    QHash<QString, int> m_lines;
};

} // namespace Rekindle
