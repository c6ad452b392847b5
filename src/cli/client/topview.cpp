// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "topview_p.h"

#include "control/internal/agentwords.h"
#include "policy/internal/texthelpers.h"
#include "statustext_p.h"

#include <algorithm>
#include <array>
#include <utility>

namespace Rekindle {

namespace {

constexpr char clearLine[] = "\x1b[K";

// "; group backend: Exhausted, failures 4/3 in 1m, start in 5s (db, api)": groups that do not run,
// or in which members have failed.
QString groupsText(const QList<GroupStatus> &groups)
{
    const QList<QStringList> rows = groupRows(groups);
    QString text;
    for (qsizetype i = 0; i < groups.size(); ++i) {
        const QStringList &row = rows.at(i + 1);
        if (groups[i].state == QLatin1String("Running") && groups[i].failures == 0)
            continue;
        QStringList parts{row[1], QLatin1String("failures ") + row[2]};
        if (row[3] != QLatin1String("-"))
            parts.append(row[3]);
        text += QStringLiteral("; group %1: %2 (%3)")
                    .arg(row[0], parts.join(QLatin1String(", ")), row[4]);
    }
    return text;
}

} // namespace

// If the selected agent is gone, a key on its way must not operate another one.
void TopView::setHost(const HostStatus &host)
{
    const bool isFirst = m_agents.isEmpty();
    m_agents = agentRows(host.agents, m_host.agents);
    m_host = host;
    if (isFirst)
        move(0); // keeps the selection
    else if (rowOf(m_agents) < 0)
        m_selected.clear();
    if (m_selected != m_stopQuestion)
        m_stopQuestion.clear();
}

void TopView::setPane(const QString &title, const QStringList &lines)
{
    m_paneTitle = title;
    m_paneLines = lines;
    m_paneLines.replaceInStrings(QStringLiteral("\t"), QStringLiteral(" "));
}

QList<AgentRow> TopView::shownAgents() const
{
    QList<AgentRow> shown = m_agents;
    shown.removeIf([this](const AgentRow &each) {
        return !each.agent.agent.contains(m_filter, Qt::CaseInsensitive);
    });
    return shown;
}

qsizetype TopView::rowOf(const QList<AgentRow> &agents) const
{
    const auto found = std::find_if(agents.begin(), agents.end(), [this](const AgentRow &each) {
        return each.agent.agent == m_selected;
    });
    return found == agents.end() ? -1 : found - agents.begin();
}

void TopView::move(qsizetype rows)
{
    const QList<AgentRow> shown = shownAgents();
    if (shown.isEmpty()) {
        m_selected.clear();
        return;
    }
    const qsizetype row = rows > 0 ? rowOf(shown) : std::max<qsizetype>(0, rowOf(shown));
    m_selected = shown[std::clamp<qsizetype>(row + rows, 0, shown.size() - 1)].agent.agent;
}

TopView::Request TopView::press(const Key &key)
{
    m_message.clear();
    if (!m_stopQuestion.isEmpty())
        return answerStop(key);
    if (m_isFiltering) {
        pressInFilter(key);
        return Request::None;
    }
    switch (key.kind) {
    case Key::Kind::Up:
        move(-1);
        break;
    case Key::Kind::Down:
        move(1);
        break;
    case Key::Kind::PageUp:
        move(-m_pageSize);
        break;
    case Key::Kind::PageDown:
        move(m_pageSize);
        break;
    case Key::Kind::Home:
        move(-m_host.agents.size());
        break;
    case Key::Kind::End:
        move(m_host.agents.size());
        break;
    case Key::Kind::Escape:
        if (m_paneTitle.isEmpty()) {
            clearFilter();
            return Request::None;
        }
        m_paneTitle.clear();
        return Request::ClosePane;
    case Key::Kind::Character:
        return command(key.character);
    case Key::Kind::Enter:
        return command(u'e');
    case Key::Kind::Backspace:
        break;
    }
    return Request::None;
}

TopView::Request TopView::command(QChar character)
{
    if (character == u'q')
        return Request::Quit;
    if (character == u'/') {
        m_isFiltering = true;
        if (m_filter.isEmpty() || !m_selected.isEmpty())
            m_selectedBefore = m_selected;
        return Request::None;
    }
    if (character == u'j' || character == u'k') {
        move(character == u'j' ? 1 : -1);
        return Request::None;
    }
    if (m_selected.isEmpty())
        return Request::None;
    switch (character.unicode()) {
    case u'r':
        return Request::Restart;
    case u's':
        m_stopQuestion = m_selected;
        return Request::None;
    case u't':
        return Request::Start;
    case u'b':
        return Request::ResetBreaker;
    case u'l':
        return Request::ShowLogs;
    case u'e':
        return Request::ShowExplanation;
    default:
        m_message = QStringLiteral("%1: unknown key").arg(character);
        return Request::None;
    }
}

void TopView::pressInFilter(const Key &key)
{
    switch (key.kind) {
    case Key::Kind::Character:
        m_filter += key.character;
        break;
    case Key::Kind::Backspace:
        m_filter.chop(1);
        break;
    case Key::Kind::Escape:
        clearFilter();
        return;
    case Key::Kind::Enter:
        m_isFiltering = false;
        return;
    default:
        return;
    }
    m_selected = m_selectedBefore;
    move(0); // if the filter hides it, the first agent that is shown
}

// The agent that was selected before is selected again, unless another one was selected since then.
void TopView::clearFilter()
{
    m_filter.clear();
    const QString before = std::exchange(m_selectedBefore, {});
    if (!std::exchange(m_isFiltering, false) && !m_selected.isEmpty())
        return;
    m_selected = before;
    if (rowOf(m_agents) < 0)
        m_selected.clear();
}

TopView::Request TopView::answerStop(const Key &key)
{
    const QString agent = std::exchange(m_stopQuestion, {});
    if (key.kind == Key::Kind::Character && key.character.toLower() == u'y')
        return Request::Stop;
    m_message = agent + QLatin1String(": not stopped");
    return Request::None;
}

// "12 agents: 10 Running, 2 Waiting; shared breaker api: Open, trial in 5s"
QString TopView::summary() const
{
    std::array<int, instanceStateCount> counts{};
    for (const AgentStatus &each : m_host.agents) {
        if (const auto state = knownState(each))
            ++counts.at(static_cast<std::size_t>(*state));
    }
    QString text = m_title + QLatin1String(": ") + counted(m_agents.size(), "agent", "agents")
        + (m_agents.isEmpty() ? QString() : QLatin1String(": ") + stateCounts(counts))
        + groupsText(m_host.groups);
    const QList<QStringList> breakers = sharedBreakerRows(m_host.sharedBreakers);
    for (const QStringList &each : breakers.mid(1)) {
        if (each[1] != QLatin1String("Closed"))
            text += QStringLiteral("; shared breaker %1: %2, %3").arg(each[0], each[1], each[2]);
    }
    return text;
}

QString TopView::lastLine() const
{
    if (m_isFiltering)
        return u'/' + m_filter + QLatin1String("_  (Enter: keep, Escape: clear)");
    if (!m_stopQuestion.isEmpty())
        return QStringLiteral("stop %1? y/n").arg(m_stopQuestion);
    if (!m_message.isEmpty())
        return m_message;
    const QString filter =
        m_filter.isEmpty() ? QString() : QStringLiteral("[/%1, Escape: clear]  ").arg(m_filter);
    return filter
        + QLatin1String("r restart  s stop  t start  b reset  l logs  e explain  / filter  q quit");
}

QByteArrayList TopView::listLines(int rows, int columns, bool hasColors)
{
    const QString marker = QStringLiteral("> ");
    const QList<AgentRow> shown = shownAgents();
    const AgentTable table(shown, columns - static_cast<int>(marker.size()), hasColors);
    QByteArrayList lines{"  " + table.header().bytes};
    m_pageSize = std::max(1, rows - 1);
    const qsizetype selectedRow = rowOf(shown);
    if (selectedRow >= 0)
        m_firstRow = std::clamp(m_firstRow, selectedRow - m_pageSize + 1, selectedRow);
    m_firstRow =
        std::clamp<qsizetype>(m_firstRow, 0, std::max<qsizetype>(0, shown.size() - m_pageSize));
    const qsizetype end = std::min(shown.size(), m_firstRow + m_pageSize);
    for (qsizetype i = m_firstRow; i < end; ++i) {
        if (i == selectedRow)
            lines.append(screenLine(QString(marker + table.text(i)).leftJustified(columns), columns,
                                    hasColors ? reverseStyle : "")
                             .bytes);
        else
            lines.append("  " + table.line(i).bytes);
    }
    if (shown.isEmpty())
        lines.append(m_host.agents.isEmpty() ? "  no agents" : "  no agent matches the filter");
    return lines;
}

QByteArrayList TopView::paneLines(int rows, int columns, bool hasColors) const
{
    QByteArrayList lines{screenLine(m_paneTitle + QLatin1String("  (Escape: close)"), columns,
                                    hasColors ? boldStyle : "")
                             .bytes};
    const qsizetype first = std::max<qsizetype>(0, m_paneLines.size() - (rows - 1));
    for (qsizetype i = first; i < m_paneLines.size(); ++i)
        lines.append(screenLine(m_paneLines[i], columns).bytes);
    return lines;
}

QByteArray TopView::frame(const Terminal::Size &size, bool hasColors)
{
    // The first and the last line are those of the host and of the keys.
    const int most = std::max(2, size.rows - 2);
    const int paneRows = m_paneTitle.isEmpty() ? 0 : std::min(most / 2, most - 2);
    QByteArrayList lines{screenLine(summary(), size.columns, hasColors ? boldStyle : "").bytes};
    lines += listLines(most - paneRows, size.columns, hasColors);
    while (lines.size() < 1 + most - paneRows)
        lines.append(QByteArray());
    if (paneRows > 0)
        lines += paneLines(paneRows, size.columns, hasColors);
    while (lines.size() < 1 + most)
        lines.append(QByteArray());
    lines.append(screenLine(lastLine(), size.columns).bytes);
    // Each line is cleared before its text: after a full line, the cursor stays on its last
    // character.
    return "\x1b[H" + (clearLine + lines.join("\r\n" + QByteArray(clearLine))) + "\x1b[J";
}

} // namespace Rekindle
