// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/transport/clientpipe_p.h"
#include "mcp/transport/lineframer_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

#include <vector>

namespace Rekindle {

/// The client of a proxy: the lines that it sends, and those that it is sent, until it has read the
/// last of them.
class ClientLines : public QObject
{
    Q_OBJECT

public:
    ClientLines(int input, int output, Scheduler &scheduler);

    /// Reading begins; it starts paused.
    void setPaused(bool isPaused) { m_pipe.setPaused(isPaused); }

    /// Nothing is read any more.
    void stopReading() { m_pipe.stopReading(); }

    /// To be written by flush().
    void add(const QByteArray &line) { m_pipe.addLine(line); }
    void flush() { m_pipe.flush(); }

    /// It does not read what it is sent: nothing more should come in, from whichever side.
    [[nodiscard]] bool isFull() const;

    /// It has closed its end, or is gone, which shows while it is not read, too.
    [[nodiscard]] bool hasHungUp() const { return m_pipe.hasHungUp(); }

    /// There is no more to say: finished() follows.
    void finish();

Q_SIGNALS:
    void lines(const std::vector<FramedLine> &lines); ///< at least one
    void ended();                                     ///< no line comes any more
    void drained();
    /// It cannot be sent anything any more. For another reason than that nobody reads it, `fault`
    /// says so, once.
    void broken(const QString &fault);
    /// It has read all, or nothing for 2 s; from the event loop, so that whoever hears of it may
    /// destroy this.
    void finished();

private:
    void take(const QByteArray &bytes);
    void takeRest();
    void drainTimePassed();
    void tellFinished(bool cutsOff);

    ClientPipe m_pipe;
    LineFramer m_framer;
    std::vector<FramedLine> m_lines; // kept for its memory
    Deadline m_drainTime;
    qsizetype m_drainLeft = 0; ///< what it had to read when that began
    bool m_isFinished = false;
    bool m_isFaultTold = false;
};

} // namespace Rekindle
