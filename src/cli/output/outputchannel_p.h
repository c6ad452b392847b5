// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>

class QSocketNotifier;

namespace Rekindle {

/// Writes lines without blocking the event loop. Lines for a slow reader wait in a bounded backlog;
/// if it is full, whole messages are dropped and counted. Messages are never split: the rest of a
/// partially written message is written first.
class OutputChannel : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype defaultBacklog = qsizetype{1024} * 1024;

    /// A channel to the target of a descriptor of this process, whose flags stay unchanged. Null if
    /// it is closed. If the target is a file, the channel uses the descriptor itself: it follows
    /// dup2(), and the descriptor must stay open.
    static std::unique_ptr<OutputChannel> to(int descriptor, qsizetype backlog = defaultBacklog);

    /// Appends to a file. Returns null and sets `error` if it cannot be opened.
    static std::unique_ptr<OutputChannel> appendingTo(const QString &path, QString &error);

    ~OutputChannel() override;

    /// Returns false if the message was dropped.
    bool write(const QByteArray &message);

    /// Writes lines, each with its end, in one call. Returns the size of the whole lines that were
    /// written or queued; pass each of the others to write().
    qsizetype writeLines(const QByteArray &lines);

    /// Writes the backlog, for at most 2 s. For the end, outside of the event loop.
    void finish();

    [[nodiscard]] bool hasBacklog() const { return !m_backlog.isEmpty(); }
    [[nodiscard]] quint64 dropped() const { return m_dropped; }

    /// Whether the reader has closed its end.
    [[nodiscard]] bool isReaderClosed() const { return m_isReaderClosed; }

Q_SIGNALS:
    /// The first message was dropped, for this `reason`.
    void failed(const QString &reason);

    /// The backlog for a slow reader was written.
    void drained();

private:
    enum class Kind { File, Stream, Socket };

    OutputChannel(int descriptor, UniqueFd own, Kind kind, qsizetype backlog);
    [[nodiscard]] qsizetype writeSome(const char *bytes, qsizetype size);
    bool writeFrom(const QByteArray &message, qsizetype done);
    void flush();
    void queueRest(const QByteArray &rest);
    bool fail(int error);
    bool drop(const QString &reason);
    void removePartial();

    const int m_descriptor;
    const UniqueFd m_own; ///< the descriptor, unless it belongs to the process
    Kind m_kind;
    qsizetype m_maximumBacklog;
    QByteArray m_backlog;
    qsizetype m_partialBytes = 0; ///< already written of the message at the front of the backlog
    quint64 m_dropped = 0;
    bool m_isReported = false;
    bool m_closed = false;
    bool m_isReaderClosed = false;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace Rekindle
