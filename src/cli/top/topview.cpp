// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "topview_p.h"

#include "cli/control/statustext_p.h"
#include "cli/output/statecolor_p.h"
#include "cli/output/tablelayout_p.h"
#include "cli/output/texthelpers_p.h"
#include "policy/internal/texthelpers.h"

#include <QJsonObject>
#include <QMap>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr char reset[] = "\x1b[0m";
constexpr char bold[] = "\x1b[1m";
constexpr char reverse[] = "\x1b[7m";
constexpr char clearLine[] = "\x1b[K";

QString agentName(const QJsonValue &agent) { return textIn(agent.toObject(), "agent"); }

QByteArray styled(const QString &text, const char *style, bool isStyled)
{
    const QByteArray bytes = forTerminal(text.toLocal8Bit());
    return isStyled && *style != '\0' ? style + bytes + reset : bytes;
}

// "; group backend: Exhausted, failures 4/3 in 1m, start in 5s (db, api)": groups that do not run,
// or in which members have failed.
QString groupsText(const QJsonArray &groups)
{
    const QList<QStringList> rows = groupRows(groups);
    QString text;
    for (qsizetype i = 0; i < groups.size(); ++i) {
        const QStringList &row = rows.at(i + 1);
        const bool hasFailures = groups[i][QLatin1String("failures")].toInteger() > 0;
        if (row[1] == QLatin1String("Running") && !hasFailures)
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
void TopView::setAgents(const QJsonArray &agents)
{
    const bool isFirst = m_agents.isEmpty();
    m_previous = std::exchange(m_agents, agents);
    const bool isThere = std::any_of(m_agents.begin(), m_agents.end(), [this](const auto &each) {
        return agentName(each) == m_selected;
    });
    if (isFirst)
        keepSelection();
    else if (!isThere)
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

QJsonArray TopView::shownAgents() const
{
    QJsonArray shown;
    for (const auto &each : m_agents) {
        if (agentName(each).contains(m_filter, Qt::CaseInsensitive))
            shown.append(each);
    }
    return shown;
}

void TopView::keepSelection() { move(0); }

void TopView::move(qsizetype rows)
{
    const QJsonArray shown = shownAgents();
    if (shown.isEmpty()) {
        m_selected.clear();
        return;
    }
    qsizetype row = rows > 0 ? -1 : 0;
    for (qsizetype i = 0; i < shown.size(); ++i) {
        if (agentName(shown[i]) == m_selected)
            row = i;
    }
    m_selected = agentName(shown[std::clamp<qsizetype>(row + rows, 0, shown.size() - 1)]);
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
        move(-m_agents.size());
        break;
    case Key::Kind::End:
        move(m_agents.size());
        break;
    case Key::Kind::Escape:
        if (m_paneTitle.isEmpty()) {
            m_filter.clear();
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
        m_filter.clear();
        m_isFiltering = false;
        break;
    case Key::Kind::Enter:
        m_isFiltering = false;
        break;
    default:
        break;
    }
    keepSelection();
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
    QMap<QString, int> counts;
    for (const auto &each : m_agents)
        ++counts[textIn(each.toObject(), "state")];
    QStringList parts;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        parts.append(QStringLiteral("%1 %2").arg(it.value()).arg(it.key()));
    const QString count = counted(static_cast<int>(m_agents.size()), "agent", "agents");
    QString text = m_title + QLatin1String(": ") + count
        + (parts.isEmpty() ? QString() : QLatin1String(": ") + parts.join(QLatin1String(", ")))
        + groupsText(m_groups);
    const QList<QStringList> breakers = sharedBreakerRows(m_sharedBreakers);
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
    const QJsonArray shown = shownAgents();
    const QStringList texts = columnsOf(statusRows(shown, m_previous));
    QByteArrayList lines{
        styled(cut(QLatin1String("  ") + texts.front(), columns), bold, hasColors)};
    m_pageSize = std::max(1, rows - 1);
    qsizetype selectedRow = -1;
    for (qsizetype i = 0; i < shown.size(); ++i) {
        if (agentName(shown[i]) == m_selected)
            selectedRow = i;
    }
    if (selectedRow >= 0)
        m_firstRow = std::clamp(m_firstRow, selectedRow - m_pageSize + 1, selectedRow);
    m_firstRow =
        std::clamp<qsizetype>(m_firstRow, 0, std::max<qsizetype>(0, shown.size() - m_pageSize));
    const qsizetype end = std::min(shown.size(), m_firstRow + m_pageSize);
    for (qsizetype i = m_firstRow; i < end; ++i) {
        const QJsonObject agent = shown[i].toObject();
        const bool isSelected = i == selectedRow;
        const QString marker = isSelected ? QStringLiteral("> ") : QStringLiteral("  ");
        const QString text = cut(marker + texts[i + 1], columns);
        const char *const style =
            isSelected ? reverse : stateColor(textIn(agent, "state"), isUnhealthy(agent));
        lines.append(styled(isSelected ? text.leftJustified(columns) : text, style, hasColors));
    }
    if (shown.isEmpty())
        lines.append(m_agents.isEmpty() ? "  no agents" : "  no agent matches the filter");
    return lines;
}

QByteArrayList TopView::paneLines(int rows, int columns, bool hasColors) const
{
    QByteArrayList lines{
        styled(cut(m_paneTitle + QLatin1String("  (Escape: close)"), columns), bold, hasColors)};
    const qsizetype first = std::max<qsizetype>(0, m_paneLines.size() - (rows - 1));
    for (qsizetype i = first; i < m_paneLines.size(); ++i)
        lines.append(styled(cut(m_paneLines[i], columns), "", false));
    return lines;
}

QByteArray TopView::frame(const Terminal::Size &size, bool hasColors)
{
    // The first and the last line are those of the host and of the keys.
    const int most = std::max(2, size.rows - 2);
    const int paneRows = m_paneTitle.isEmpty() ? 0 : std::min(most / 2, most - 2);
    QByteArrayList lines{styled(cut(summary(), size.columns), bold, hasColors)};
    lines += listLines(most - paneRows, size.columns, hasColors);
    while (lines.size() < 1 + most - paneRows)
        lines.append(QByteArray());
    if (paneRows > 0)
        lines += paneLines(paneRows, size.columns, hasColors);
    while (lines.size() < 1 + most)
        lines.append(QByteArray());
    lines.append(styled(cut(lastLine(), size.columns), "", false));
    // A synchronized update, if the terminal supports it. Each line is cleared before its text:
    // after a full line, the cursor stays on its last character.
    return "\x1b[?2026h\x1b[H" + (clearLine + lines.join("\r\n" + QByteArray(clearLine)))
        + "\x1b[J\x1b[?2026l";
}

} // namespace Rekindle
