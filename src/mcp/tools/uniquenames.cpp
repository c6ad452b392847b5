// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "uniquenames_p.h"

#include <QCryptographicHash>

namespace Rekindle {

namespace {

// Not more than `size` bytes, without a part of a character.
QByteArray cut(const QByteArray &name, qsizetype size)
{
    if (name.size() <= size)
        return name;
    constexpr int kindOfByte = 0xc0;
    constexpr int continuation = 0x80;
    while (size > 0 && (static_cast<unsigned char>(name[size]) & kindOfByte) == continuation)
        --size;
    return name.left(size);
}

QByteArray limited(const QByteArray &name)
{
    if (name.size() <= UniqueNames::longestName)
        return name;
    constexpr qsizetype hashSize = 8;
    const QByteArray hash =
        QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().left(hashSize);
    return cut(name, UniqueNames::longestName - hashSize - 1) + '_' + hash;
}

} // namespace

std::optional<QByteArray> UniqueNames::add(const Owner &owner, const QByteArray &prefix)
{
    QByteArray &name = m_names[{owner.server, owner.key}];
    if (!name.isEmpty())
        return std::nullopt;
    name = owner.key;
    for (int number = 1; m_owners.contains(name); ++number) {
        const QByteArray end = number > 1 ? '_' + QByteArray::number(number) : QByteArray();
        name = limited(prefix + "__" + owner.key + end);
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
