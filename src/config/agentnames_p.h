// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policyresolver_p.h"

#include <QHash>
#include <QString>

#include <optional>

namespace Rekindle {

/// The names of all agents of a configuration, which must be unique.
class AgentNames
{
public:
    /// Adds a name. Returns a fault if the name is invalid or exists already.
    [[nodiscard]] std::optional<QString> add(const QString &name, int line)
    {
        if (!isPlainName(name))
            return QStringLiteral("expected 1 to 64 of A-Z a-z 0-9 . _ -, found \"%1\"")
                .arg(printable(name));
        if (const auto first = m_lines.constFind(name); first != m_lines.constEnd())
            return QStringLiteral("duplicate name \"%1\", first on line %2").arg(name).arg(*first);
        m_lines.insert(name, line);
        return std::nullopt;
    }

private:
    QHash<QString, int> m_lines;
};

} // namespace Rekindle
