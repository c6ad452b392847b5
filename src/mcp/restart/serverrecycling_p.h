// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// Decides when a server of a proxy session is replaced by plan: when no request is in flight, or
/// after `longestWait`. Counts its calls.
class ServerRecycling
{
public:
    static constexpr Duration longestWait = std::chrono::seconds(20);

    /// `maximumCalls`: a server is recycled after this number of answered calls; 0: no limit.
    explicit ServerRecycling(int maximumCalls)
        : m_maximumCalls(maximumCalls)
    {
    }

    void serverStarted();
    void callAnswered(Instant now);
    /// A request during another one is ignored.
    void request(const QString &reason, Instant now);

    /// When take() is due although requests are in flight; no value if no recycling was requested.
    [[nodiscard]] std::optional<Instant> deadline() const { return m_deadline; }
    /// Returns the reason if the recycling begins now.
    [[nodiscard]] std::optional<QString> take(bool isIdle, Instant now);

private:
    const int m_maximumCalls;
    int m_calls = 0;
    QString m_reason;
    std::optional<Instant> m_deadline;
    Instant m_nextRequest = Instant::min(); ///< because of the number of calls
};

} // namespace Rekindle
