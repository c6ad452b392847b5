// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QString>

#include <optional>

namespace Rekindle {

/// Moves a host into the background: a copy of this process continues in its own session, without
/// the terminal, while the original waits until the copy runs.
class Detachment
{
public:
    /// Makes the copy. Call it before the application object exists, while there is one thread.
    ///
    /// In the copy, returns nothing: its working directory is /, its stdin is /dev/null, and its
    /// output is appended to `log`.
    ///
    /// In the original, waits for reportRunning() or the exit of the copy and returns the exit
    /// code. Prints where the log is, or what the copy has written before its exit. `name` is the
    /// subject of the messages.
    [[nodiscard]] std::optional<int> begin(const QString &name, const QString &log);

    /// In the copy, until reportRunning(): stderr of the original; otherwise -1.
    [[nodiscard]] int originalStderr() const { return m_originalStderr.get(); }

    /// In the copy: marks the end of the messages that the original prints.
    void markMessages();

    /// In the copy: ends the wait of the original. Elsewhere it does nothing.
    void reportRunning();

    /// In the copy: opens the log again, because another program has renamed it. Returns why the
    /// open log is still used, or an empty text. Elsewhere it does nothing.
    [[nodiscard]] QString reopenLog() const;

    [[nodiscard]] bool isInBackground() const { return m_report.isOpen(); }

private:
    QString m_log; ///< of the copy
    UniqueFd m_originalStderr;
    UniqueFd m_report;        ///< the end for writing of a pipe to the original
    qint64 m_messagesEnd = 0; ///< in the log
};

} // namespace Rekindle
