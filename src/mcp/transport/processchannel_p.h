// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/internal/processpipes.h"
#include "wire/lineframer_p.h"

#include <rekindle/mcp/messagechannel.h>

namespace Rekindle {

/// The channel to the server of a process.
class ProcessChannel final : public MessageChannel
{
    Q_OBJECT

public:
    /// `pipes` must outlive it.
    explicit ProcessChannel(ProcessPipes &pipes);

    qint64 send(const QByteArray &line) override;
    [[nodiscard]] qint64 lastWritten() const override { return m_pipes.lastWritten(); }
    [[nodiscard]] bool isOpen() const override { return m_pipes.isOpen(); }

private:
    void receive(const QByteArray &bytes);

    ProcessPipes &m_pipes;
    LineFramer m_framer;
};

} // namespace Rekindle
