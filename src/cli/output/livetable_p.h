// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/runs/terminal_p.h"
#include "outputchannel_p.h"

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

/// The agents as a table at the lower end of what a terminal shows; lines scroll by above it.
///
/// A frame is one write, and is left out while the terminal does not take the last one. Frames
/// follow the events, and the clock only while it changes something that is shown: ten in a second
/// while a restart counts down, one in a second while something runs, else none.
class LiveTable : public QObject
{
    Q_OBJECT

public:
    LiveTable(Supervision &supervision, QString title);
    ~LiveTable() override;

    /// Shows a line, without its end, above the table; it must be fit for a terminal.
    void addLine(const QByteArray &line);

    void resized();

    /// Leaves the terminal to others, and comes back: Ctrl-Z and fg.
    void suspend();
    void resume();

    /// The last frame stays as it is; what follows is written below it.
    void finish();

private:
    void wantFrame();
    void draw();
    void scheduleNext();
    void appendTable(QByteArray &frame, const Terminal::Size &size);
    void appendLine(QByteArray &frame, const QByteArray &text, qsizetype width);
    [[nodiscard]] QByteArray coloured(const QString &text, const char *colour) const;
    [[nodiscard]] QByteArray eraseTable(int columns) const;
    [[nodiscard]] QStringList cells(int row) const;
    [[nodiscard]] QString summary() const;

    Supervision &m_supervision;
    const QString m_title;
    AgentTableModel m_model;
    Terminal m_terminal;
    std::unique_ptr<OutputChannel> m_channel;
    Deadline m_frame;
    Instant m_lastFrame{};
    QList<QByteArray> m_lines;      ///< to be shown with the next frame
    quint64 m_skippedLines = 0;     ///< that the terminal was too slow for
    QList<qsizetype> m_shownWidths; ///< of the lines of the table that is on the screen
    int m_rowsShown = 0;            ///< agents in the last frame
    const bool m_colours = Terminal::wantsColour();
    bool m_isSuspended = false;
};

} // namespace Rekindle
