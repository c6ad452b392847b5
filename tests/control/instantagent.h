// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>

namespace Rekindle {

/// An agent that is ready at once and stops when it must.
class InstantAgent : public Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
    }
    void stop() override { Q_EMIT stopped(); }
    void kill() override { Q_EMIT stopped(); }
    [[nodiscard]] qint64 processId() const override { return pid; }
    [[nodiscard]] QList<OutputFile> outputFiles() const override { return files; }
    [[nodiscard]] QStringList storedDescriptors() const override { return descriptors; }

    [[nodiscard]] std::optional<Instant> recyclingAt() const override { return recycling; }

    qint64 pid = 0;
    QList<OutputFile> files{};
    QStringList descriptors{};
    std::optional<Instant> recycling{};
};

} // namespace Rekindle
