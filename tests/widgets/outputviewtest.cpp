// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/models/localagents.h>
#include <rekindle/models/remoteagents.h>
#include <rekindle/widgets/outputview.h>

#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextBlock>

using namespace Rekindle;
using Stream = AgentOutput::Stream;

namespace {

constexpr int longestWait = 30'000;

/// Writes a line as an agent of the supervisor.
void write(const AgentSupervisor &supervisor, const QUuid &id, const QByteArray &line,
           Stream stream = Stream::Output)
{
    Q_EMIT supervisor.agent(id)->output(stream, line);
}

} // namespace

class OutputViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsLinesWithoutEscapeSequences();
    void showsLinesFromBeforeSetAgent();
    void selectsStreams();
    void limitsLines();
    void followsUnlessScrolledUp();
    void isOperatedByKeyboard();
    void remarksThatAgentWasRemoved();
    void outlivesSupervisorAndSource();
    void showsLinesOfAnotherHost();
};

void OutputViewTest::showsLinesWithoutEscapeSequences()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    const QUuid other = stage.add(QStringLiteral("db"), {});
    view.setAgent(id);
    QCOMPARE(view.agent(), id);
    QVERIFY(view.accessibleName().contains(QLatin1String("web")));
    write(stage.supervisor, id, "\x1b[31mred\x1b[0m");
    write(stage.supervisor, other, "other");
    write(stage.supervisor, id, "");
    write(stage.supervisor, id, "oops", Stream::Error);
    QTRY_COMPARE_WITH_TIMEOUT(view.toPlainText(), QString::fromUtf8("red\n\nstderr \u2502 oops"),
                              longestWait);
}

void OutputViewTest::showsLinesFromBeforeSetAgent()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    OutputView second;
    second.setSource(&source);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    write(stage.supervisor, id, "before");
    view.setAgent(id);
    second.setAgent(id);
    write(stage.supervisor, id, "after");
    for (const OutputView *each : {&view, &second})
        QTRY_COMPARE_WITH_TIMEOUT(each->toPlainText(), QStringLiteral("before\nafter"),
                                  longestWait);
    view.setAgent({});
    QCOMPARE(view.toPlainText(), QString());
}

void OutputViewTest::selectsStreams()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    view.setAgent(id);
    view.setStreams(OutputView::Stream::Error);
    write(stage.supervisor, id, "out");
    write(stage.supervisor, id, "err", Stream::Error);
    QTRY_COMPARE_WITH_TIMEOUT(view.toPlainText(), QString::fromUtf8("stderr \u2502 err"),
                              longestWait);
    view.setStreams(OutputView::Stream::Output);
    QTRY_COMPARE_WITH_TIMEOUT(view.toPlainText(), QStringLiteral("out"), longestWait);
}

void OutputViewTest::limitsLines()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    view.setAgent(id);
    view.setLines(3);
    for (int i = 0; i < 100; ++i)
        write(stage.supervisor, id, QByteArray::number(i));
    QTRY_COMPARE_WITH_TIMEOUT(view.toPlainText(), QStringLiteral("97\n98\n99"), longestWait);
    view.setLines(0);
    QCOMPARE(view.lines(), 1);
    QCOMPARE(view.toPlainText(), QStringLiteral("99"));
}

void OutputViewTest::followsUnlessScrolledUp()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    view.resize(400, 200);
    view.show();
    view.setLines(200);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    view.setAgent(id);
    int written = 0;
    const auto writeMore = [&](int count) {
        for (int i = 0; i < count; ++i)
            write(stage.supervisor, id, QByteArray::number(++written));
        const QString last = QString::number(written);
        return QTest::qWaitFor([&] { return view.toPlainText().endsWith(last); }, longestWait);
    };
    QVERIFY(writeMore(200));
    QScrollBar *const bar = view.verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    QCOMPARE(bar->value(), bar->maximum());
    bar->setValue(100);
    const auto firstVisible = [&] { return view.cursorForPosition({2, 6}).block().text(); };
    const QString visible = firstVisible();
    QVERIFY(writeMore(20));
    QCOMPARE(firstVisible(), visible);
    bar->setValue(bar->maximum());
    QVERIFY(writeMore(20));
    QCOMPARE(bar->value(), bar->maximum());
    view.setWrapping(true);
    QVERIFY(view.isWrapping());
}

void OutputViewTest::isOperatedByKeyboard()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    view.setAgent(id);
    write(stage.supervisor, id, "line");
    QTRY_COMPARE_WITH_TIMEOUT(view.toPlainText(), QStringLiteral("line"), longestWait);
    QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(view.textCursor().selectedText(), QStringLiteral("line"));
    QTest::keyClick(&view, Qt::Key_X);
    QCOMPARE(view.toPlainText(), QStringLiteral("line")); // read-only
}

void OutputViewTest::remarksThatAgentWasRemoved()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    OutputView view;
    view.setSource(&source);
    const QUuid id = stage.add(QStringLiteral("web"), {});
    view.setAgent(id);
    write(stage.supervisor, id, "line");
    stage.play(QStringLiteral("remove"));
    QTRY_VERIFY_WITH_TIMEOUT(view.toPlainText().startsWith(QLatin1String("line\n")), longestWait);
    QVERIFY(view.toPlainText().contains(QLatin1String("removed")));
}

void OutputViewTest::outlivesSupervisorAndSource()
{
    auto stage = std::make_unique<Stage>();
    auto source = std::make_unique<LocalAgents>(stage->supervisor);
    OutputView view;
    view.setSource(source.get());
    const QUuid id = stage->add(QStringLiteral("web"), {});
    view.setAgent(id);
    write(stage->supervisor, id, "line");
    stage.reset();
    QTRY_VERIFY_WITH_TIMEOUT(view.toPlainText().startsWith(QLatin1String("line\n")), longestWait);
    source.reset();
    QVERIFY(view.source() == nullptr);
    view.setStreams(OutputView::Stream::Error);
    view.setAgent(QUuid::createUuid());
    QCOMPARE(view.toPlainText(), QString());
}

void OutputViewTest::showsLinesOfAnotherHost()
{
    const QTemporaryDir folder;
    TimerScheduler scheduler;
    auto supervisor = std::make_unique<AgentSupervisor>(scheduler);
    auto server = std::make_unique<ControlServer>(
        *supervisor,
        ControlServerOptions{.socketName = QStringLiteral("far"), .folder = folder.path()});
    QCOMPARE(server->listen(), QString());
    const QUuid id =
        supervisor
            ->add(QStringLiteral("web"), std::make_unique<ScriptedAgent>(scheduler, AgentScript()))
            .id;
    write(*supervisor, id, "\x1b[1mbefore\x1b[0m");
    RemoteAgents source(QStringLiteral("far"), folder.path());
    OutputView view;
    view.setSource(&source);
    view.setAgent(id); // is not known yet
    QTRY_COMPARE_WITH_TIMEOUT(view.toPlainText(), QStringLiteral("before"), longestWait);
    OutputView second;
    second.setSource(&source);
    second.setAgent(id);
    write(*supervisor, id, "after", Stream::Error);
    for (const OutputView *each : {&view, &second})
        QTRY_COMPARE_WITH_TIMEOUT(each->toPlainText(),
                                  QString::fromUtf8("before\nstderr \u2502 after"), longestWait);
    server.reset();
    QTRY_VERIFY_WITH_TIMEOUT(view.document()->blockCount() > 2, longestWait); // why it ended
    QVERIFY(view.toPlainText().startsWith(QLatin1String("before\n")));
}

REKINDLE_TEST(OutputViewTest)
#include "outputviewtest.moc"
