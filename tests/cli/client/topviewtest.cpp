// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include "cli/client/topview_p.h"

using namespace Rekindle;

namespace {

AgentStatus agentNamed(const QString &name)
{
    return {.agent = name, .state = QStringLiteral("Running")};
}

QList<AgentStatus> agents(int count)
{
    QList<AgentStatus> all;
    for (int i = 0; i < count; ++i)
        all.append(agentNamed(QStringLiteral("agent-%1").arg(i)));
    return all;
}

Key character(char c) { return {Key::Kind::Character, QLatin1Char(c)}; }

} // namespace

/// Keys, snapshots and frames of `rekindle top`.
class TopViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void selectsAgents();
    void keepsSelectionWhileRowsMove();
    void returnsRequests();
    void stopsAfterConfirmation();
    void doesNotStopWithoutConfirmation();
    void requestsNothingWithoutAgent();
    void filtersByName();
    void selectsAgainAfterFilter_data();
    void selectsAgainAfterFilter();
    void scrollsToSelection();
    void fillsTheScreen_data();
    void fillsTheScreen();
    void showsSharedBreakersThatAreNotClosed();
    void showsGroupsThatHaveFailures();
    void showsPane();
    void removesControlCharacters();
    void hasNoColorsIfNotPermitted();

private:
    void press(TopView &view, const QByteArray &keys)
    {
        for (const char each : keys)
            QCOMPARE(view.press(character(each)), TopView::Request::None);
    }
    [[nodiscard]] static QByteArrayList lines(TopView &view, int columns = 80, int rows = 24)
    {
        QByteArray frame = view.frame({columns, rows}, false);
        for (const char *each : {"\x1b[?2026h", "\x1b[?2026l", "\x1b[H", "\x1b[J", "\x1b[K"})
            frame.replace(each, "");
        frame.replace("\r", "");
        return frame.split('\n');
    }
};

void TopViewTest::selectsAgents()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(30)});
    QCOMPARE(view.selected(), QStringLiteral("agent-0"));
    const auto pressed = [&view](Key::Kind kind) {
        static_cast<void>(view.press({kind}));
        return view.selected();
    };
    QCOMPARE(pressed(Key::Kind::Up), QStringLiteral("agent-0"));
    QCOMPARE(pressed(Key::Kind::Down), QStringLiteral("agent-1"));
    QCOMPARE(pressed(Key::Kind::End), QStringLiteral("agent-29"));
    QCOMPARE(pressed(Key::Kind::Down), QStringLiteral("agent-29"));
    QCOMPARE(pressed(Key::Kind::PageUp), QStringLiteral("agent-19"));
    QCOMPARE(pressed(Key::Kind::Home), QStringLiteral("agent-0"));
}

void TopViewTest::keepsSelectionWhileRowsMove()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(3)});
    static_cast<void>(view.press({Key::Kind::Down}));
    view.setHost(
        {.agents = {agentNamed(QStringLiteral("new")), agentNamed(QStringLiteral("agent-0")),
                    agentNamed(QStringLiteral("agent-1"))}});
    QCOMPARE(view.selected(), QStringLiteral("agent-1"));
    view.setHost({.agents = {agentNamed(QStringLiteral("new"))}});
    // A key on its way must not operate another agent.
    QCOMPARE(view.selected(), QString());
    QCOMPARE(view.press(character('s')), TopView::Request::None);
    static_cast<void>(view.press({Key::Kind::Down}));
    QCOMPARE(view.selected(), QStringLiteral("new"));
    view.setHost({});
    QCOMPARE(view.selected(), QString());
}

void TopViewTest::returnsRequests()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(1)});
    QCOMPARE(view.press(character('r')), TopView::Request::Restart);
    QCOMPARE(view.press(character('t')), TopView::Request::Start);
    QCOMPARE(view.press(character('b')), TopView::Request::ResetBreaker);
    QCOMPARE(view.press(character('l')), TopView::Request::ShowLogs);
    QCOMPARE(view.press(character('e')), TopView::Request::ShowExplanation);
    QCOMPARE(view.press({Key::Kind::Enter}), TopView::Request::ShowExplanation);
    QCOMPARE(view.press(character('q')), TopView::Request::Quit);
    QCOMPARE(view.press(character('x')), TopView::Request::None);
    QCOMPARE(lines(view).constLast(), QByteArray("x: unknown key"));
}

void TopViewTest::stopsAfterConfirmation()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(2)});
    for (const char yes : {'y', 'Y'}) {
        press(view, "s");
        view.setHost({.agents = agents(2)});
        view.setMessage(QStringLiteral("agent-1: restart requested"));
        QCOMPARE(lines(view).constLast(), QByteArray("stop agent-0? y/n"));
        QCOMPARE(view.press(character(yes)), TopView::Request::Stop);
        QVERIFY(lines(view).constLast().startsWith("r restart"));
    }
    press(view, "y");
    QCOMPARE(lines(view).constLast(), QByteArray("y: unknown key"));
}

void TopViewTest::doesNotStopWithoutConfirmation()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(2)});
    for (const Key &no : {character('n'), character('q'), character('s'), Key{Key::Kind::Escape},
                          Key{Key::Kind::Enter}, Key{Key::Kind::Down}}) {
        press(view, "s");
        QCOMPARE(view.press(no), TopView::Request::None);
        QCOMPARE(view.selected(), QStringLiteral("agent-0"));
        QCOMPARE(lines(view).constLast(), QByteArray("agent-0: not stopped"));
    }
    // The agent of the question was removed.
    press(view, "s");
    view.setHost({.agents = {agentNamed(QStringLiteral("agent-1"))}});
    press(view, "y");
    QCOMPARE(lines(view).constLast().left(9), QByteArray("r restart"));
}

void TopViewTest::requestsNothingWithoutAgent()
{
    TopView view(QStringLiteral("shop"));
    for (const char each : QByteArray("rstle"))
        QCOMPARE(view.press(character(each)), TopView::Request::None);
    QCOMPARE(view.press(character('q')), TopView::Request::Quit);
}

void TopViewTest::filtersByName()
{
    TopView view(QStringLiteral("shop"));
    view.setHost(
        {.agents = {agentNamed(QStringLiteral("web")), agentNamed(QStringLiteral("Worker-1")),
                    agentNamed(QStringLiteral("worker-2"))}});
    press(view, "/WORK");
    QCOMPARE(view.selected(), QStringLiteral("Worker-1"));
    QVERIFY(lines(view)[2].startsWith("> Worker-1"));
    press(view, "x");
    QCOMPARE(view.selected(), QString());
    QCOMPARE(lines(view)[2], QByteArray("  no agent matches the filter"));
    static_cast<void>(view.press({Key::Kind::Backspace}));
    static_cast<void>(view.press({Key::Kind::Enter}));
    QCOMPARE(view.press(character('r')), TopView::Request::Restart); // no longer part of the filter
    static_cast<void>(view.press({Key::Kind::Escape}));
    QVERIFY(lines(view)[2].startsWith("  web"));
    QVERIFY(lines(view)[3].startsWith("> Worker-1"));
}

void TopViewTest::selectsAgainAfterFilter_data()
{
    const Rows<QByteArray, QString, QString> row("keys", "filtered",
                                                 "selected"); // E, N: Escape, Enter
    row("no match", "/zz", {}, QStringLiteral("agent-2"));
    row("no match, kept", "/zzN", {}, QStringLiteral("agent-2"));
    row("no match, entered again", "/zzN/y", {}, QStringLiteral("agent-2"));
    row("match", "/2", QStringLiteral("agent-2"), QStringLiteral("agent-2"));
    row("another match", "/0", QStringLiteral("agent-0"), QStringLiteral("agent-2"));
    row("another match, kept", "/0N", QStringLiteral("agent-0"), QStringLiteral("agent-0"));
    row("kept, then no match", "/0N/z", {}, QStringLiteral("agent-0"));
    row("second filter", "/zzE/0", QStringLiteral("agent-0"), QStringLiteral("agent-2"));
}

void TopViewTest::selectsAgainAfterFilter()
{
    QFETCH(const QByteArray, keys);
    QFETCH(const QString, filtered);
    QFETCH(const QString, selected);
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(3)});
    press(view, "jj");
    for (const char each : keys) {
        const Key key = each == 'E' ? Key{Key::Kind::Escape}
            : each == 'N'           ? Key{Key::Kind::Enter}
                                    : character(each);
        QCOMPARE(view.press(key), TopView::Request::None);
        view.setHost({.agents = agents(3)});
    }
    QCOMPARE(view.selected(), filtered);
    static_cast<void>(view.press({Key::Kind::Escape}));
    QCOMPARE(view.selected(), selected);
    view.setHost({.agents = agents(1)});
    static_cast<void>(view.press({Key::Kind::Escape}));
    QCOMPARE(view.selected(), selected == QLatin1String("agent-0") ? selected : QString());
}

void TopViewTest::scrollsToSelection()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(100)});
    static_cast<void>(view.press({Key::Kind::End}));
    const QByteArrayList shown = lines(view, 80, 10);
    QCOMPARE(shown.size(), 10);
    QVERIFY(shown[2].startsWith("  agent-93"));
    QVERIFY(shown[8].startsWith("> agent-99"));
}

void TopViewTest::fillsTheScreen_data()
{
    const Rows<int, int> row("columns", "rows");
    row("usual", 80, 24);
    row("wide", 300, 80);
    row("narrow", 10, 24);
    row("low", 80, 4);
}

void TopViewTest::fillsTheScreen()
{
    QFETCH(const int, columns);
    QFETCH(const int, rows);
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(50)});
    for (const bool hasPane : {false, true}) {
        if (hasPane)
            view.setPane(QStringLiteral("agent-0: output"), QStringList(100, QString(400, u'x')));
        const QByteArrayList shown = lines(view, columns, rows);
        QCOMPARE(shown.size(), rows);
        for (const QByteArray &line : shown)
            QVERIFY2(QString::fromUtf8(line).size() <= columns, line.constData());
    }
}

void TopViewTest::showsSharedBreakersThatAreNotClosed()
{
    TopView view(QStringLiteral("shop"));
    view.setHost(
        {.agents = agents(2),
         .sharedBreakers = {{.name = QStringLiteral("db"), .state = QStringLiteral("Closed")},
                            {.name = QStringLiteral("api"),
                             .state = QStringLiteral("Open"),
                             .resetIn = std::chrono::seconds(5)}}});
    QCOMPARE(lines(view).front(),
             QByteArray("shop: 2 agents: 2 Running; shared breaker api: Open, trial in 5s"));
}

void TopViewTest::showsGroupsThatHaveFailures()
{
    TopView view(QStringLiteral("shop"));
    HostStatus host{.agents = agents(2)};
    view.setHost(host);
    host.groups.append({.name = QStringLiteral("db"),
                        .state = QStringLiteral("Running"),
                        .maxRestarts = 3,
                        .period = std::chrono::minutes(1),
                        .members = {{.agent = QStringLiteral("agent-0")}}});
    const QString usual = QString::fromUtf8(lines(view).front());
    view.setHost(host);
    QCOMPARE(QString::fromUtf8(lines(view).front()), usual);
    host.groups[0].failures = 1;
    view.setHost(host);
    QCOMPARE(QString::fromUtf8(lines(view, 200).front()),
             usual + QLatin1String("; group db: Running, failures 1/3 in 1m (agent-0)"));
    host.groups[0].state = QStringLiteral("Exhausted");
    host.groups[0].failures = 0;
    host.groups[0].startIn = std::chrono::seconds(5);
    view.setHost(host);
    QCOMPARE(
        QString::fromUtf8(lines(view, 200).front()),
        usual + QLatin1String("; group db: Exhausted, failures 0/3 in 1m, start in 5s (agent-0)"));
}

void TopViewTest::showsPane()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(1)});
    view.setPane(QStringLiteral("agent-0: output"), {QStringLiteral("one"), QStringLiteral("two")});
    const QByteArrayList shown = lines(view, 80, 10);
    QCOMPARE(shown[5], QByteArray("agent-0: output  (Escape: close)"));
    QCOMPARE(shown[7], QByteArray("two"));
    QCOMPARE(view.press({Key::Kind::Escape}), TopView::Request::ClosePane);
    QVERIFY(!lines(view).contains("two"));
}

void TopViewTest::removesControlCharacters()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(1)});
    view.setPane(QStringLiteral("agent-0"), {QStringLiteral("a\x1b[2Jb")});
    QVERIFY(!view.frame({80, 24}, true).contains("\x1b[2J"));
}

void TopViewTest::hasNoColorsIfNotPermitted()
{
    TopView view(QStringLiteral("shop"));
    view.setHost({.agents = agents(2)});
    QVERIFY(view.frame({80, 24}, true).contains("\x1b[32m"));
    QVERIFY(!view.frame({80, 24}, false).contains("\x1b[32m"));
    QVERIFY(!view.frame({80, 24}, false).contains("\x1b[7m"));
}

REKINDLE_TEST(TopViewTest)
#include "topviewtest.moc"
