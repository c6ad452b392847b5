// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

#include <functional>
#include <optional>
#include <utility>

namespace Rekindle {

/// Succeeds or fails at once, as `answer` says. A run without an answer ends only at its timeout.
class SimulatedProbe final : public HealthProbe
{
public:
    using Answer = std::function<std::optional<bool>()>;

    explicit SimulatedProbe(Answer answer)
        : m_answer(std::move(answer))
    {
    }

    void start(Duration) override
    {
        if (const std::optional<bool> isOk = m_answer())
            Q_EMIT finished(*isOk, QStringLiteral("simulated"));
    }
    void cancel() override {}

private:
    const Answer m_answer;
};

} // namespace Rekindle
