// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/agenttable_p.h"
#include "cli/output/terminal_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>

namespace Rekindle {

class Supervision;

/// Shows the agents as a table at the bottom of the terminal; lines scroll above it.
///
/// A frame is one write and is skipped while the previous one is not written. A frame is drawn
/// after events, ten times a second while a restart counts down, and once a second while an agent
/// runs.
class LiveTable : public QObject
{
    Q_OBJECT

public:
    LiveTable(Supervision &supervision, QString title);

    /// Shows a line, without its end, above the table. It must be safe for a terminal.
    void addLine(const QByteArray &line);

    /// Draws soon, for example because the terminal was resized.
    void requestFrame();

    /// Releases the terminal and takes it again: Ctrl-Z and fg.
    void suspend();
    void resume();

    /// Draws the last frame; later output is written below it.
    void finish();

private:
    void releaseTerminal();
    void draw();
    void scheduleNext();
    [[nodiscard]] QByteArray table(const Terminal::Size &size);
    [[nodiscard]] QByteArray eraseTable(int columns) const;
    [[nodiscard]] QString summary() const;

    Supervision &m_supervision;
    const QString m_title;
    Terminal m_terminal; ///< with any backlog: frames are skipped meanwhile
    Deadline m_frame;
    Instant m_lastFrame{};
    QList<QByteArray> m_lines;      ///< for the next frame
    quint64 m_skippedLines = 0;     ///< because the terminal was too slow
    QList<qsizetype> m_shownWidths; ///< of the table's lines on the screen
    QList<AgentRow> m_rows;         ///< in the last frame
    const bool m_hasColors = Terminal::hasColors();
    bool m_isSuspended = false;
};

} // namespace Rekindle
