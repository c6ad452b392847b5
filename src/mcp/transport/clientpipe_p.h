// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "outgoingbytes_p.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <QString>

#include <memory>

namespace Rekindle {

/// The client's two ends of a proxy: never blocks, and keeps what the client does not read.
class ClientPipe : public QObject
{
    Q_OBJECT

public:
    ClientPipe(int input, int output);
    ~ClientPipe() override;

    /// Reading begins; it starts paused.
    void setPaused(bool paused);

    /// Writes as much as goes and keeps the rest.
    void write(const QByteArray &bytes);

    /// To be written by flush(), with a line's end.
    void addLine(const QByteArray &line);
    void flush();

    /// How much the client has not taken yet.
    [[nodiscard]] qsizetype pendingSize() const { return m_pending.size(); }

    /// The client has closed its end of the input, or is gone: this shows while reading is paused,
    /// too, when unread bytes stand before the end.
    [[nodiscard]] bool hasHungUp() const;

    /// Nothing is read any more.
    void stopReading();

Q_SIGNALS:
    void bytesRead(const QByteArray &bytes); ///< they are not there any more afterwards
    void ended();                            ///< the client has closed its end of the input
    void drained();                          ///< all that was kept is written
    /// Nothing can be written to the output any more: nobody reads it, and `fault` is empty, or it
    /// says what else.
    void broken(const QString &fault);

private:
    enum class Kind {
        Pipe, ///< an own description of it, which does not block
        Socket,
        File,
        Blocking, ///< what could not be opened once more
    };

    void openOutput(int output);
    void readSome();
    void breakOutput(int error);
    [[nodiscard]] qsizetype writeSome(const char *bytes, qsizetype size);

    const int m_input;
    int m_output = -1; ///< an own description, or a duplicate
    Kind m_kind = Kind::Pipe;
    bool m_isBroken = false;
    QString m_fault; ///< of that
    QByteArray m_buffer;
    OutgoingBytes m_pending;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
};

} // namespace Rekindle
