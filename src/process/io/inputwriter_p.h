// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fdwatcher_p.h"

#include <QByteArray>
#include <QByteArrayView>

#include <functional>
#include <optional>

namespace Rekindle {

/// The host's end of a child's stdin: never blocks, keeps a bounded amount of what the child has
/// not taken yet, and raises no SIGPIPE.
class InputWriter final : public FdListener
{
public:
    static constexpr qsizetype mostPending = 1024 * 1024;

    /// `onDrained`: all that was taken is written, after a time in which it was not; or nothing
    /// more ever will be, as the child has closed its end. It may destroy the writer.
    explicit InputWriter(std::function<void()> onDrained);
    ~InputWriter() override;

    void open(UniqueFd fd);
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen() && !m_closing; }

    [[nodiscard]] qsizetype pendingSize() const { return m_pending.size(); }

    /// How many bytes were taken; -1 if it is not open, or the child has closed its end.
    qint64 write(const QByteArray &bytes);

    /// How many of the bytes that it was given the child may have read: those that were written,
    /// less what is left in the pipe where it is known that nobody reads that any more.
    [[nodiscard]] quint64 bytesTaken() const;

    /// Once what is pending was written.
    void close();

    /// At once.
    void abort();

private:
    void fdReady(int fd) override;
    qsizetype writeSome(QByteArrayView bytes);
    void flush();
    void watchForNext();
    void watch(std::optional<FdWatcher::Direction> direction);
    void closedByReader();
    [[nodiscard]] quint64 unread() const;

    std::function<void()> m_onDrained;
    UniqueFd m_fd;
    std::shared_ptr<FdWatcher> m_watcher; // set while it is watched
    FdWatcher::Direction m_watched = FdWatcher::Direction::Neither;
    QByteArray m_pending;
    bool m_closing = false;
    quint64 m_written = 0;
    quint64 m_neverRead = 0; // of that, once it is closed
};

} // namespace Rekindle
