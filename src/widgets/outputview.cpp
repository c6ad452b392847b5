// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/text/terminaltext_p.h"

#include "scrolledtoend_p.h"

#include <rekindle/widgets/outputview.h>

#include <QFontDatabase>
#include <QTextBlock>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// An agent can write many lines; a text is laid out each time it changes.
constexpr std::chrono::milliseconds layoutInterval{50};

} // namespace

OutputView::OutputView(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    setMaximumBlockCount(defaultLines);
    setWrapping(false);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setPlaceholderText(tr("No output"));
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &OutputView::updateText);
    setAccessibleName(tr("Output"));
}

void OutputView::setSource(AgentSource *source)
{
    if (source == m_source)
        return;
    if (m_source)
        disconnect(m_source, nullptr, this, nullptr);
    m_source = source;
    if (m_source)
        connectSource();
    read(); // the source begins to store lines
}

void OutputView::connectSource()
{
    connect(m_source, &AgentSource::lineReceived, this,
            [this](const QUuid &id, const OutputLine &line) {
                if (id == m_agent)
                    receive(line);
            });
    connect(m_source, &AgentSource::agentAdded, this, [this](const QUuid &id) {
        if (id == m_agent)
            read();
    });
    connect(m_source, &AgentSource::agentRemoved, this, [this](const QUuid &id) {
        if (id == m_agent)
            remark(tr("the agent was removed"));
    });
    connect(m_source, &AgentSource::reset, this, [this] {
        if (m_source->agent(m_agent))
            read();
    });
    connect(m_source, &AgentSource::availabilityChanged, this, [this] {
        if (!m_source->isAvailable() && !m_agent.isNull())
            remark(m_source->fault());
    });
}

// Replaces the text by what is known of the agent.
void OutputView::read()
{
    clear();
    m_pending.clear();
    const QList<OutputLine> known =
        m_source ? m_source->followOutput(m_agent) : QList<OutputLine>();
    for (const OutputLine &each : known)
        receive(each);
    const auto status = m_source ? m_source->agent(m_agent) : std::nullopt;
    setAccessibleName(status ? tr("Output of %1").arg(status->agent) : tr("Output"));
}

void OutputView::receive(const OutputLine &line)
{
    if (line.stream.isEmpty()) {
        remark(line.text);
        return;
    }
    const bool isError = line.stream == QLatin1String("stderr");
    if (!m_streams.testFlag(isError ? Stream::Error : Stream::Output))
        return;
    const QString text = QString::fromUtf8(textOnTerminal(line.text.toUtf8(), Colors::Removed));
    add({isError ? QStringLiteral("stderr \u2502 ") + text : text, isError});
}

void OutputView::remark(const QString &text)
{
    add({QStringLiteral("\u2014 %1 \u2014").arg(foreignText(text))});
}

void OutputView::add(Line line)
{
    m_pending.push_back(std::move(line));
    if (m_pending.size() > static_cast<std::size_t>(lines()))
        m_pending.pop_front();
    if (!m_timer.isActive())
        m_timer.start(layoutInterval);
}

void OutputView::updateText()
{
    const bool wasAtEnd = isScrolledToEnd(*this);
    // The lines that the user reads must not move when the oldest ones are removed.
    const QTextCursor first(firstVisibleBlock());
    insertPending();
    QScrollBar *const bar = verticalScrollBar();
    bar->setValue(wasAtEnd ? bar->maximum() : first.block().firstLineNumber());
}

void OutputView::insertPending()
{
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    for (const Line &each : m_pending) {
        if (!document()->isEmpty())
            cursor.insertBlock();
        QTextCharFormat format;
        format.setFontWeight(each.isBold ? QFont::Bold : QFont::Normal);
        cursor.insertText(each.text, format);
    }
    cursor.endEditBlock();
    m_pending.clear();
}

void OutputView::setAgent(const QUuid &agent)
{
    if (std::exchange(m_agent, agent) != agent)
        read();
}

void OutputView::setStreams(Streams streams)
{
    if (std::exchange(m_streams, streams) != streams)
        read();
}

void OutputView::setLines(int lines) { setMaximumBlockCount(std::max(lines, 1)); }

void OutputView::setWrapping(bool wrap) { setLineWrapMode(wrap ? WidgetWidth : NoWrap); }

void OutputView::resizeEvent(QResizeEvent *event)
{
    const bool wasAtEnd = isScrolledToEnd(*this);
    QPlainTextEdit::resizeEvent(event);
    if (wasAtEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

} // namespace Rekindle
