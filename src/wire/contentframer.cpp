// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contentframer_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype shownBytes = 60;

QString shown(QByteArrayView bytes)
{
    return QLatin1Char('"') + QString::fromUtf8(bytes.first(std::min(bytes.size(), shownBytes)))
        + QLatin1Char('"');
}

} // namespace

ContentFramer::ContentFramer(qsizetype longest)
    : m_longest(longest)
{
}

QByteArray ContentFramer::header(qsizetype size)
{
    return "Content-Length: " + QByteArray::number(size) + "\r\n\r\n";
}

std::optional<QByteArray> ContentFramer::addBytes(QByteArrayView &bytes)
{
    while (m_isInHeader && m_fault.isEmpty()) {
        const std::optional<FramedLine> line = m_lines.addLine(bytes);
        if (line)
            readField(*line);
        else if (m_lines.pendingSize() > longestField + 1) // and more than a line end
            readField(*m_lines.takeRest());
        else
            return std::nullopt;
    }
    if (!m_fault.isEmpty()) {
        bytes = {};
        return std::nullopt;
    }
    const QByteArrayView part = bytes.first(std::min(bytes.size(), m_size - m_message.size()));
    m_message.append(part);
    bytes = bytes.sliced(part.size());
    if (m_message.size() < m_size)
        return std::nullopt;
    m_isInHeader = true;
    m_size = -1;
    m_fieldCount = 0;
    return std::exchange(m_message, {});
}

void ContentFramer::readField(const FramedLine &line)
{
    const QByteArrayView text = line.bytes;
    if (line.size == 0) {
        endHeader();
        return;
    }
    const qsizetype colon = text.indexOf(':');
    if (line.isTooLong || ++m_fieldCount > mostFields)
        m_fault = QStringLiteral("the header is too long, near ") + shown(text);
    else if (colon <= 0)
        m_fault = QStringLiteral("expected a header such as \"Content-Length: 17\", found ")
            + shown(text);
    else if (text.first(colon).trimmed().compare("content-length", Qt::CaseInsensitive) == 0)
        readSize(text.sliced(colon + 1).trimmed());
}

void ContentFramer::readSize(QByteArrayView value)
{
    const bool hasDigitsOnly =
        std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    bool ok = false;
    const qlonglong size = value.toLongLong(&ok);
    if (!ok || !hasDigitsOnly)
        m_fault = QStringLiteral("expected a number of bytes after Content-Length, found ")
            + shown(value);
    else if (m_size >= 0)
        m_fault = QStringLiteral("the header has several fields Content-Length");
    else if (size > m_longest)
        m_fault =
            QStringLiteral("a message has %1 bytes; the limit is %2").arg(size).arg(m_longest);
    else
        m_size = static_cast<qsizetype>(size);
}

void ContentFramer::endHeader()
{
    if (m_size < 0) {
        m_fault = QStringLiteral("the header has no field Content-Length");
        return;
    }
    m_isInHeader = false;
    m_message.reserve(m_size);
}

} // namespace Rekindle
