// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentnames_p.h"

#include "json/nearestname.h"

#include <rekindle/policy/validation.h>

namespace Rekindle {

std::optional<QString> AgentNames::add(const QString &name, const ConfigurationDocument &document,
                                       JsonPosition position)
{
    if (const auto fault = nameFault(name))
        return fault;
    const auto first = m_places.constFind(name);
    if (first == m_places.constEnd()) {
        m_places.insert(name, {&document, position});
        return std::nullopt;
    }
    const QString place = first->document == &document
        ? QStringLiteral("on line %1").arg(first->position.line)
        : QStringLiteral("in ") + first->document->placeText(first->position);
    return QStringLiteral("duplicate name \"%1\", first %2").arg(name, place);
}

QString unknownAgentText(const QString &name, QStringList known)
{
    known.sort(); // the suggestion must not depend on the order of a hash
    const QString suggestion = didYouMean(name, known);
    return QStringLiteral("no agent has the name \"%1\"").arg(printable(name))
        + (suggestion.isEmpty() ? QStringLiteral("; skipped MCP servers do not count")
                                : suggestion);
}

} // namespace Rekindle
