// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "outgoingbytes_p.h"

namespace Rekindle {

void OutgoingBytes::add(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return;
    m_size += bytes.size();
    const bool startsNew =
        m_pieces.empty() || bytes.size() >= largeFrom || m_pieces.back().size() >= largeFrom;
    if (startsNew)
        m_pieces.push_back(bytes);
    else
        m_pieces.back().append(bytes);
}

void OutgoingBytes::addLine(const QByteArray &line)
{
    add(line);
    add(QByteArrayLiteral("\n"));
}

QByteArrayView OutgoingBytes::next() const
{
    return m_pieces.empty() ? QByteArrayView() : QByteArrayView(m_pieces.front()).sliced(m_done);
}

void OutgoingBytes::drop(qsizetype count)
{
    m_size -= count;
    m_done += count;
    if (!m_pieces.empty() && m_done == m_pieces.front().size()) {
        m_pieces.pop_front();
        m_done = 0;
    }
}

} // namespace Rekindle
