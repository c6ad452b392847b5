// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

class GracefulQuitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stopsAgentsBeforeExecReturns_data();
    void stopsAgentsBeforeExecReturns();
    void secondSignalKills();
    void startsNothingWhileItStops();
    void endsIfTheSupervisorIsDeleted();
    void returnsAtOnceWithoutAgents();
};

namespace {

const QString stubborn = QStringLiteral("");

void act(const QString &word)
{
    if (word == QLatin1String("quit"))
        QCoreApplication::quit();
    else if (word == QLatin1String("exit"))
        QCoreApplication::exit(3);
    else
        std::raise(word == QLatin1String("SIGINT") ? SIGINT : SIGTERM);
}

// Runs the event loop of the application, in which each pass takes 100 ms of virtual time.
int run(Stage &stage, const QString &word)
{
    QTimer pass;
    pass.callOnTimeout(&pass, [&] {
        if (stage.isAlive())
            stage.scheduler.advance(100ms);
    });
    pass.start(0);
    QMetaObject::invokeMethod(&pass, [word] { act(word); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

// Without the times, which depend on the number of passes.
QString words(const Stage &stage)
{
    QStringList all = stage.log.text().split(u' ');
    all.removeIf([](const QString &word) { return word.front().isDigit(); });
    return all.join(u' ');
}

} // namespace

void GracefulQuitTest::stopsAgentsBeforeExecReturns_data()
{
    const Rows<QString, QString, QString, int, QString> row("word", "onStop", "onKill", "code",
                                                            "log");
    const QString slow = QStringLiteral("+2s stopped");
    const QString stopped = QStringLiteral("START started ready STOP stopped ALLSTOPPED");
    row("quit()", "quit", slow, stubborn, 0, stopped);
    row("exit() keeps its code", "exit", slow, stubborn, 3, stopped);
    row("SIGTERM", "SIGTERM", slow, stubborn, 0, stopped);
    row("SIGINT", "SIGINT", slow, stubborn, 0, stopped);
    row("kills after the limit", "quit", stubborn, "stopped", 0,
        "START started ready STOP KILL stopped ALLSTOPPED");
    row("returns after the second limit", "quit", stubborn, stubborn, 0,
        "START started ready STOP KILL");
}

void GracefulQuitTest::stopsAgentsBeforeExecReturns()
{
    QFETCH(const QString, word);
    QFETCH(const QString, onStop);
    QFETCH(const QString, onKill);
    QFETCH(const int, code);
    Stage stage;
    stage.add(QStringLiteral("a"), {.onStop = onStop, .onKill = onKill});
    stage.supervisor.quitGracefully(*qApp, 3s);
    stage.play(QStringLiteral("start"));
    QCOMPARE(run(stage, word), code);
    QTEST(words(stage), "log");
}

void GracefulQuitTest::secondSignalKills()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {.onStop = stubborn});
    stage.supervisor.quitGracefully(*qApp, 24h);
    stage.play(QStringLiteral("start"));
    connect(&stage.supervisor, &AgentSupervisor::stateChanged, qApp,
            [](const QUuid &, InstanceState state) {
                if (state == InstanceState::Stopping)
                    std::raise(SIGINT);
            });
    QCOMPARE(run(stage, QStringLiteral("SIGTERM")), 0);
    QCOMPARE(words(stage), QStringLiteral("START started ready STOP KILL stopped ALLSTOPPED"));
}

void GracefulQuitTest::startsNothingWhileItStops()
{
    Stage stage;
    const QUuid a = stage.add(QStringLiteral("a"), {.onStop = stubborn});
    const QUuid b = stage.add(QStringLiteral("b"), {});
    stage.supervisor.quitGracefully(*qApp, 3s);
    stage.supervisor.start(a);
    stage.scheduler.advance(1s);
    QCOMPARE(stage.supervisor.snapshot(a)->state, InstanceState::Running);
    for (const char *call : {"start", "restart"})
        QTest::ignoreMessage(QtWarningMsg,
                             QRegularExpression(QLatin1String(call)
                                                + QStringLiteral("\\(\\) does not start agent b: "
                                                                 "the application quits")));
    connect(&stage.supervisor, &AgentSupervisor::stateChanged, qApp,
            [&](const QUuid &id, InstanceState state) {
                if (id != a || state != InstanceState::Stopping)
                    return;
                stage.supervisor.start(b);
                stage.supervisor.restart(b);
            });
    QCOMPARE(run(stage, QStringLiteral("quit")), 0);
    QVERIFY2(!stage.log.text().contains(QLatin1String(" b ")), qPrintable(stage.log.text()));
    QCOMPARE(stage.supervisor.snapshot(b)->state, InstanceState::Stopped);
}

void GracefulQuitTest::endsIfTheSupervisorIsDeleted()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {.onStop = stubborn});
    stage.supervisor.quitGracefully(*qApp);
    stage.play(QStringLiteral("start"));
    const QPointer<AgentSupervisor> supervisor = stage.giveAway();
    connect(supervisor, &AgentSupervisor::stateChanged, supervisor, &QObject::deleteLater);
    QCOMPARE(run(stage, QStringLiteral("quit")), 0);
    QVERIFY(supervisor.isNull());
}

void GracefulQuitTest::returnsAtOnceWithoutAgents()
{
    Stage stage;
    stage.supervisor.quitGracefully(*qApp);
    QCOMPARE(run(stage, QStringLiteral("quit")), 0);
    QCOMPARE(stage.log.text(), QString());
}

REKINDLE_TEST(GracefulQuitTest)
#include "gracefulquittest.moc"
