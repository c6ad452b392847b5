// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandrun.h"

#include <QByteArray>
#include <QString>

#include <termios.h>

namespace Rekindle {

/// A pseudo terminal for the command: types keys and collects what is shown.
class TestTerminal
{
public:
    /// 100 columns and 24 rows. `stateFolder` is the command's XDG_STATE_HOME.
    explicit TestTerminal(QString stateFolder);
    ~TestTerminal();
    Q_DISABLE_COPY_MOVE(TestTerminal)

    /// The terminal becomes the controlling terminal of the command, which runs in its own session.
    void attach(CommandRun &run, const char *kind = "xterm-256color") const;
    bool begin(CommandRun &run, const char *kind = "xterm-256color") const;

    void drain();
    bool waitFor(const QByteArray &text);
    /// Waits until the terminal accepts no output.
    [[nodiscard]] bool waitUntilFull() const;
    void resize(unsigned short columns, unsigned short rows) const;
    void type(const QByteArray &keys) const;

    /// Everything that was shown, as drain() and waitFor() have read it.
    [[nodiscard]] const QByteArray &shown() const { return m_shown; }
    void forgetShown() { m_shown.clear(); }
    [[nodiscard]] termios settings() const;
    [[nodiscard]] int foregroundGroup() const;

private:
    const QString m_stateFolder;
    int m_host = -1;
    int m_terminal = -1;
    QByteArray m_shown;
};

} // namespace Rekindle
