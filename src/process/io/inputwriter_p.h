// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fdwatcher_p.h"

#include "base/enlargedpipe_p.h"

#include <QByteArray>
#include <QByteArrayView>

#include <functional>
#include <optional>

namespace Rekindle {

/// Writes to the stdin of a child. Never blocks, buffers a bounded number of bytes, and raises no
/// SIGPIPE.
class InputWriter final : public FdListener
{
public:
    static constexpr qsizetype maxPending = qsizetype{1024} * 1024;

    /// `onDrained` is called when all buffered bytes are written or the child has closed its end.
    /// It may destroy the writer.
    explicit InputWriter(std::function<void()> onDrained);
    ~InputWriter() override;

    void open(UniqueFd fd);
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen() && !m_closing; }

    [[nodiscard]] qsizetype pendingSize() const { return m_pending.size(); }

    /// Returns how many bytes were accepted, or -1 if it is not open or the child has closed its
    /// end.
    qint64 write(const QByteArray &bytes);

    /// How many of the accepted bytes the child may have read: those that were written, without
    /// those that are left in the pipe.
    [[nodiscard]] quint64 bytesTaken() const;

    /// Closes the pipe when the pending bytes are written.
    void close();

    /// Closes the pipe immediately.
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
    EnlargedPipe m_enlarged;
    UniqueFd m_fd;
    std::shared_ptr<FdWatcher> m_watcher; // while the pipe is watched
    FdWatcher::Direction m_watched = FdWatcher::Direction::Neither;
    QByteArray m_pending;
    bool m_closing = false;
    quint64 m_written = 0;
    quint64 m_unread = 0; // of m_written, after the pipe is closed
};

} // namespace Rekindle
