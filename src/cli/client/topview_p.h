// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/agenttable_p.h"
#include "cli/output/terminal_p.h"
#include "keydecoder_p.h"

#include <rekindle/control/controlmessages.h>

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// The content of `rekindle top`: a list of agents with one selected, and below it the logs or the
/// explanation of this agent. Pure: keys and snapshots in, frames and requests out.
class TopView
{
public:
    /// What a key requests for the selected agent, or for the view.
    enum class Request {
        None,
        Start,
        Stop,
        Restart,
        ResetBreaker,
        ShowLogs,
        ShowExplanation,
        ClosePane,
        Quit
    };

    explicit TopView(QString title)
        : m_title(std::move(title))
    {
    }

    /// The selected agent stays selected. The first line of the screen has the groups that do not
    /// run or in which members have failed, and the shared breakers that are not closed.
    void setHost(const HostStatus &host);

    /// The last request or its result, on the last line until the next key.
    void setMessage(const QString &message) { m_message = message; }

    /// Opens or replaces the pane below the list. The last lines are shown.
    void setPane(const QString &title, const QStringList &lines);

    /// Handles a key. Request::Stop is returned only after a question for the agent was confirmed.
    [[nodiscard]] Request press(const Key &key);

    /// The name of the selected agent; empty if there is none.
    [[nodiscard]] QString selected() const { return m_selected; }

    /// The whole screen.
    [[nodiscard]] QByteArray frame(const Terminal::Size &size, bool hasColors);

private:
    [[nodiscard]] QList<AgentRow> shownAgents() const;
    /// The row of the selected agent; -1 if it is not there.
    [[nodiscard]] qsizetype rowOf(const QList<AgentRow> &agents) const;
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString lastLine() const;
    [[nodiscard]] Request command(QChar character);
    void pressInFilter(const Key &key);
    void clearFilter();
    [[nodiscard]] Request answerStop(const Key &key);
    void move(qsizetype rows);
    QByteArrayList listLines(int rows, int columns, bool hasColors);
    [[nodiscard]] QByteArrayList paneLines(int rows, int columns, bool hasColors) const;

    const QString m_title;
    HostStatus m_host;
    QList<AgentRow> m_agents; ///< of m_host
    QString m_selected;
    QString m_filter;
    QString m_selectedBefore; ///< the filter was entered
    QString m_message;
    QString m_stopQuestion; ///< the agent that is stopped if `y` follows; empty: no question
    QString m_paneTitle;    ///< empty: no pane
    QStringList m_paneLines;
    qsizetype m_firstRow = 0;  ///< of the agents on the screen
    qsizetype m_pageSize = 10; ///< agents on the screen
    bool m_isFiltering = false;
};

} // namespace Rekindle
