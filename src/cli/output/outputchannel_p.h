// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>

class QSocketNotifier;

namespace Rekindle {

/// A way out for lines that never holds the event loop up: what a slow reader does not take waits
/// in a bounded backlog, and beyond that whole messages are dropped and counted. A message is never
/// torn: the rest of one that was written in part goes first once that is possible again.
class OutputChannel : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype usualBacklog = 1024 * 1024;

    /// To where a descriptor of this process leads, which itself stays as it is, for others hold
    /// it too. Nothing if it is closed.
    static std::unique_ptr<OutputChannel> to(int descriptor, qsizetype backlog = usualBacklog);

    /// Appends to a file; nothing if it cannot be opened, and then `error` says why.
    static std::unique_ptr<OutputChannel> appendingTo(const QString &path, QString &error);

    ~OutputChannel() override;

    /// False if it was dropped.
    bool write(const QByteArray &message);

    /// Writes lines, each with its end, at once. Returns the size of those that were taken, whole
    /// ones, from the first on; each of the others is a message for write().
    qsizetype writeLines(const QByteArray &lines);

    /// Gives what waits a last chance, 2 s at the most. For the end, outside of the event loop.
    void finish();

    [[nodiscard]] bool hasBacklog() const { return !m_backlog.isEmpty(); }
    [[nodiscard]] quint64 dropped() const { return m_dropped; }

    /// Whoever was to read it has closed their end.
    [[nodiscard]] bool isReaderGone() const { return m_isReaderGone; }

Q_SIGNALS:
    /// The first message was lost; `reason` is a sentence without an end.
    void failed(const QString &reason);

    /// What was waiting for a slow reader is out.
    void drained();

private:
    enum class Kind { File, Stream, Socket };

    OutputChannel(int descriptor, Kind kind, qsizetype backlog);
    [[nodiscard]] qsizetype writeSome(const char *bytes, qsizetype size);
    bool writeFrom(const QByteArray &message, qsizetype done);
    void flush();
    void keep(const QByteArray &rest);
    bool drop(const QString &reason);
    void removeTorn();

    int m_descriptor;
    Kind m_kind;
    qsizetype m_greatestBacklog;
    QByteArray m_backlog;
    qsizetype m_tornBytes = 0; ///< of a message at the front of the backlog: already written
    quint64 m_dropped = 0;
    bool m_told = false;
    bool m_closed = false;
    bool m_isReaderGone = false;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace Rekindle
