// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fdwatcher_p.h"

#include <QByteArray>

#include <functional>

namespace Rekindle {

/// The host's end of a child's stdin: never blocks, keeps a bounded amount of what the child has
/// not taken yet, and raises no SIGPIPE.
class InputWriter final : public FdListener
{
public:
    static constexpr qsizetype mostPending = 1024 * 1024;

    /// `onDrained`: all that was taken is written, after a time in which it was not. It may
    /// destroy the writer.
    explicit InputWriter(std::function<void()> onDrained);
    ~InputWriter() override;

    void open(UniqueFd fd);
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen() && !m_closing; }

    /// How many bytes were taken; -1 if it is not open, or the child has closed its end.
    qint64 write(const QByteArray &bytes);

    /// Once what is pending was written.
    void close();

    /// At once.
    void abort();

private:
    void fdReady(int fd) override;
    void flush();
    void watch(bool wanted);

    std::function<void()> m_onDrained;
    UniqueFd m_fd;
    std::shared_ptr<FdWatcher> m_watcher; // set while it is watched
    QByteArray m_pending;
    bool m_closing = false;
};

} // namespace Rekindle
