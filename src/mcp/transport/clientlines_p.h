// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/enlargedpipe_p.h"
#include "base/uniquefd_p.h"
#include "wire/lineframer_p.h"
#include "wire/outgoingbytes_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QObject>
#include <QSocketNotifier>
#include <QString>

#include <memory>
#include <vector>

namespace Rekindle {

/// The connection to the client of a proxy: lines in both directions. Never blocks. Buffers what
/// the client does not read.
class ClientLines : public QObject
{
    Q_OBJECT

public:
    ClientLines(int input, int output, Scheduler &scheduler);

    /// Pauses or resumes reading from the client. Initially, reading is paused. While it is paused,
    /// the end of the input is not detected; hungUp() is emitted instead.
    void setPaused(bool isPaused);

    /// Queues a line for flush().
    void add(const QByteArray &line) { m_pending.addLine(line); }

    /// Writes as much as the client accepts.
    void flush();

    [[nodiscard]] qsizetype pendingSize() const { return m_pending.size(); }

    /// Returns whether the client has left more than 1 MiB unread. The owner then pauses reading
    /// from all sides.
    [[nodiscard]] bool isFull() const;

    /// Ends the session: finished() is emitted when the client has read everything or stalls.
    void finish();

Q_SIGNALS:
    void lines(const std::vector<FramedLine> &lines); ///< never empty
    void ended();                                     ///< the client has closed the input
    void drained();                                   ///< everything that was buffered is written

    /// Reading is paused, and the client has closed its end or exited. Emitted every 500 ms.
    void hungUp();

    /// Nothing can be written anymore. `fault` is empty if the client has closed the output, and in
    /// repetitions. Emitted from the event loop.
    void broken(const QString &fault);

    /// The client has read everything, or nothing for 2 s. Emitted from the event loop; a slot may
    /// delete the object.
    void finished();

private:
    enum class Kind {
        Pipe, ///< opened again, so that it can be non-blocking
        Socket,
        File,
        Blocking, ///< cannot be opened again
    };

    void openOutput(int output);
    void readSome();
    void checkHangUp();
    void breakOutput(int error);
    void reportBroken();
    [[nodiscard]] qsizetype writeSome(QByteArrayView bytes);
    void drainTimePassed();
    void scheduleFinished(bool cutsOff);

    EnlargedPipe m_enlargedInput;
    EnlargedPipe m_enlargedOutput;
    const int m_input;
    UniqueFd m_output; ///< own description, or a duplicate
    Kind m_kind = Kind::Pipe;
    bool m_isBroken = false;
    QString m_fault; ///< why it is broken, until it is reported
    QByteArray m_buffer;
    LineFramer m_framer;
    OutgoingBytes m_pending;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    Deadline m_hangUpCheck; ///< while reading is paused
    Deadline m_drainTime;
    qint64 m_written = 0;
    qint64 m_writtenBefore = 0; ///< m_written when m_drainTime was armed
    bool m_isFinished = false;
};

} // namespace Rekindle
