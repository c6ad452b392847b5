// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QChar>
#include <QList>

namespace Rekindle {

/// A key that was pressed.
struct Key
{
    enum class Kind { Character, Up, Down, PageUp, PageDown, Home, End, Enter, Escape, Backspace };

    Kind kind = Kind::Character;
    QChar character{}; ///< printable ASCII
    bool operator==(const Key &) const = default;
};

/// Converts the bytes that a terminal sends to keys. Unknown sequences are ignored. Pure.
class KeyDecoder
{
public:
    /// A sequence without its end waits for the next bytes.
    [[nodiscard]] QList<Key> decode(QByteArrayView bytes);

    /// Whether the bytes so far may be the Escape key or the beginning of a sequence.
    [[nodiscard]] bool isPending() const { return !m_pending.isEmpty(); }

    /// Decodes pending bytes as the Escape key and what follows it: no further bytes have arrived.
    [[nodiscard]] QList<Key> flush();

private:
    QByteArray m_pending;
};

} // namespace Rekindle
