// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Rekindle {

/// A FIFO for the stdout of a command, which is read when a test calls take().
class Fifo
{
public:
    explicit Fifo(const QString &path)
        : m_path(path)
    {
        const QByteArray name = QFile::encodeName(path);
        ::mkfifo(name.constData(), 0600);
        m_fd = ::open(name.constData(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    }
    ~Fifo() { ::close(m_fd); }
    Q_DISABLE_COPY_MOVE(Fifo)

    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] const QByteArray &text() const { return m_text; }

    /// Reads the available bytes, at most `most`.
    void take(qsizetype most)
    {
        QByteArray block(most, Qt::Uninitialized);
        if (const ssize_t got = ::read(m_fd, block.data(), std::size_t(most)); got > 0)
            m_text.append(block.constData(), got);
    }

    /// Reads in small steps until the writer has exited; returns false after a minute.
    [[nodiscard]] bool takeSlowly(QProcess &writer)
    {
        const bool hasEnded = QTest::qWaitFor(
            [&] {
                take(8192);
                return writer.state() == QProcess::NotRunning;
            },
            60000);
        for (qsizetype before = -1; before != m_text.size();) {
            before = m_text.size();
            take(65536);
        }
        return hasEnded;
    }

    [[nodiscard]] bool waitFor(const QByteArray &text)
    {
        return QTest::qWaitFor(
            [&] {
                take(65536);
                return m_text.contains(text);
            },
            30000);
    }

private:
    const QString m_path;
    int m_fd = -1;
    QByteArray m_text;
};

} // namespace Rekindle
