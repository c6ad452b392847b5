// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "uniquenames_p.h"

namespace Rekindle {

std::optional<QByteArray> UniqueNames::add(const Owner &owner, const QByteArray &prefix)
{
    QByteArray &name = m_names[{owner.server, owner.key}];
    if (!name.isEmpty())
        return std::nullopt;
    name = owner.key;
    for (int number = 1; m_owners.contains(name); ++number) {
        name = prefix + "__" + owner.key;
        if (number > 1)
            name += '_' + QByteArray::number(number);
    }
    m_owners.insert(name, owner);
    return name;
}

void UniqueNames::remove(const Owner &owner)
{
    m_owners.remove(m_names.take({owner.server, owner.key}));
}

std::optional<UniqueNames::Owner> UniqueNames::ownerOf(const QByteArray &name) const
{
    const auto owner = m_owners.constFind(name);
    return owner == m_owners.cend() ? std::nullopt : std::optional(*owner);
}

} // namespace Rekindle
