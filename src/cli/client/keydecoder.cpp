// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "keydecoder_p.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace Rekindle {

namespace {

constexpr char escape = '\x1b';

struct Sequence
{
    QByteArrayView bytes;
    Key::Kind kind = Key::Kind::Character;
};

// Of the terminals that people use: xterm and its relatives, tmux, screen, the Linux console.
constexpr std::array sequences{
    Sequence{"\x1b[A", Key::Kind::Up},      Sequence{"\x1bOA", Key::Kind::Up},
    Sequence{"\x1b[B", Key::Kind::Down},    Sequence{"\x1bOB", Key::Kind::Down},
    Sequence{"\x1b[5~", Key::Kind::PageUp}, Sequence{"\x1b[6~", Key::Kind::PageDown},
    Sequence{"\x1b[H", Key::Kind::Home},    Sequence{"\x1bOH", Key::Kind::Home},
    Sequence{"\x1b[1~", Key::Kind::Home},   Sequence{"\x1b[F", Key::Kind::End},
    Sequence{"\x1bOF", Key::Kind::End},     Sequence{"\x1b[4~", Key::Kind::End},
};

// The size of the sequence at the front, or 0 if its end is missing.
qsizetype sequenceSize(const QByteArray &bytes)
{
    if (bytes.size() < 2)
        return 0;
    if (bytes[1] == 'O')
        return bytes.size() < 3 ? 0 : 3;
    if (bytes[1] == escape)
        return 1; // the Escape key before another sequence
    if (bytes[1] != '[')
        return 2; // Alt and a key
    for (qsizetype i = 2; i < bytes.size(); ++i) {
        if (bytes[i] >= 0x40 && bytes[i] <= 0x7e)
            return i + 1;
    }
    return 0;
}

std::optional<Key> keyOf(char byte)
{
    switch (byte) {
    case '\r':
    case '\n':
        return Key{Key::Kind::Enter};
    case '\b':
    case '\x7f':
        return Key{Key::Kind::Backspace};
    default:
        break;
    }
    if (byte < ' ')
        return std::nullopt; // also each byte of a character that is not ASCII
    return Key{Key::Kind::Character, QLatin1Char(byte)};
}

} // namespace

QList<Key> KeyDecoder::decode(QByteArrayView bytes)
{
    // Longer than any sequence of a terminal: something else was pasted.
    constexpr qsizetype longest = 32;
    QList<Key> keys;
    m_pending.append(bytes);
    while (!m_pending.isEmpty()) {
        qsizetype size = 1;
        if (m_pending.front() == escape) {
            size = sequenceSize(m_pending);
            if (size == 0 && m_pending.size() < longest)
                break;
            size = std::max<qsizetype>(size, 1);
            if (size == 1)
                keys.append({Key::Kind::Escape});
            for (const Sequence &each : sequences) {
                if (each.bytes == QByteArrayView(m_pending).first(size))
                    keys.append({each.kind});
            }
        } else if (const auto key = keyOf(m_pending.front())) {
            keys.append(*key);
        }
        m_pending.remove(0, size);
    }
    return keys;
}

QList<Key> KeyDecoder::flush()
{
    if (m_pending.isEmpty())
        return {};
    const QByteArray rest = std::exchange(m_pending, {});
    return QList<Key>{{Key::Kind::Escape}} + decode(QByteArrayView(rest).sliced(1));
}

} // namespace Rekindle
