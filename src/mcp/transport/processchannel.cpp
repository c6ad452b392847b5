// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processchannel_p.h"

#include <QPointer>

#include <vector>

namespace Rekindle {

ProcessChannel::ProcessChannel(ProcessPipes &pipes)
    : m_pipes(pipes)
{
    connect(&pipes, &ProcessPipes::opened, this, [this] { m_framer = LineFramer(); });
    connect(&pipes, &ProcessPipes::received, this, &ProcessChannel::receive);
    connect(&pipes, &ProcessPipes::closed, this,
            [this](const QString &message, const FailureDetail &detail) {
                Q_EMIT lost({.kind = McpError::Kind::Lost, .message = message, .process = detail});
            });
}

qint64 ProcessChannel::send(const QByteArray &line)
{
    return m_pipes.send(line, QByteArrayLiteral("\n"));
}

void ProcessChannel::receive(const QByteArray &bytes)
{
    std::vector<FramedLine> lines;
    m_framer.add(bytes, lines);
    const QPointer<ProcessChannel> alive(this);
    for (const FramedLine &line : lines) {
        if (line.isTooLong)
            Q_EMIT receivedTooLong(line.bytes, line.lastBytes, line.size);
        else
            Q_EMIT received(line.bytes);
        if (!alive || !isOpen())
            return;
    }
}

} // namespace Rekindle
