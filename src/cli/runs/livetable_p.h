// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/outputchannel_p.h"
#include "cli/output/terminal_p.h"

#include <rekindle/lifecycle/agenttablemodel.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/policy/instance.h>

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>

#include <memory>

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
    ~LiveTable() override;

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
    void appendTable(QByteArray &frame, const Terminal::Size &size);
    void appendLine(QByteArray &frame, const QByteArray &text, qsizetype width);
    [[nodiscard]] QByteArray colored(const QString &text, const char *color) const;
    [[nodiscard]] QByteArray eraseTable(int columns) const;
    [[nodiscard]] QStringList cells(int row) const;
    [[nodiscard]] QString summary() const;

    Supervision &m_supervision;
    const QString m_title;
    AgentTableModel m_model;
    std::unique_ptr<OutputChannel> m_channel; ///< with any backlog: frames are skipped meanwhile
    Terminal m_terminal;
    Deadline m_frame;
    Instant m_lastFrame{};
    QList<QByteArray> m_lines;      ///< for the next frame
    quint64 m_skippedLines = 0;     ///< because the terminal was too slow
    QList<qsizetype> m_shownWidths; ///< of the table's lines on the screen
    int m_rowsShown = 0;            ///< agents in the last frame
    const bool m_hasColors = Terminal::hasColors();
    bool m_isSuspended = false;
};

} // namespace Rekindle
