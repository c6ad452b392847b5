// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/shellblocks.h"
#include "testprogram.h"

#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

/// `rekindle up` and its state file.
class StateCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void besideTheStoreUnlessTold();
    void offKeepsNothing();
    void folderMustBeThere();
    void secondHostGoesOnWithout();
    void damagedIsKeptAside();
    void nameOfAnotherFileIsRefused_data();
    void nameOfAnotherFileIsRefused();
    void killedHostIsGoneOnFrom();
    void givenUpUntilAnOrderlyEnd();
    void nothingLeftEnds();
    void thePageSaysWhatIsTrue();

private:
    [[nodiscard]] QString write(const QList<QStringList> &agents, const QJsonObject &policy) const;
    [[nodiscard]] QStringList files(const QString &folder) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_state;
};

namespace {

QJsonObject fast(int maxRetries)
{
    return {{QStringLiteral("initialDelay"), QStringLiteral("20ms")},
            {QStringLiteral("multiplier"), 1},
            {QStringLiteral("maxRetries"), maxRetries},
            {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
}

} // namespace

void StateCommandTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_state = m_folder->filePath(QStringLiteral("a.state"));
}

QString StateCommandTest::write(const QList<QStringList> &agents, const QJsonObject &policy) const
{
    return writeFile(m_folder->path(), QStringLiteral("agents.json"),
                     configuration(agents, policy));
}

QStringList StateCommandTest::files(const QString &folder) const
{
    return QDir(m_folder->filePath(folder)).entryList(QDir::Files, QDir::Name);
}

void StateCommandTest::besideTheStoreUnlessTold()
{
    CommandRun run(words("up", write({words("exit", "1")}, fast(3))));
    QProcessEnvironment environment = run.processEnvironment();
    environment.insert(QStringLiteral("XDG_STATE_HOME"), m_folder->path());
    run.setProcessEnvironment(environment);
    QCOMPARE(run.complete(), 1);
    const QStringList found = files(QStringLiteral("rekindle"));
    const QRegularExpression name(QStringLiteral("^agents-[0-9a-f]{8}\\.state$"));
    QCOMPARE(found.filter(name).size(), 1);
    QVERIFY(found.contains(
        found.filter(name).front().replace(QLatin1String(".state"), QLatin1String(".sqlite"))));
}

void StateCommandTest::offKeepsNothing()
{
    CommandRun run(words("up", write({words("exit", "1")}, fast(1)), "--state", "off"));
    QCOMPARE(run.complete(), 1);
    QVERIFY(!QFile::exists(QStringLiteral("off")));
    QVERIFY(!run.error().contains("state"));
}

void StateCommandTest::folderMustBeThere()
{
    CommandRun run(words("up", write({words("exit", "1")}, fast(1)), "--state",
                         m_folder->filePath(QStringLiteral("typo/a.state"))));
    QCOMPARE(run.complete(), 64);
    QVERIFY2(run.error().startsWith("rekindle: --state: found "), run.error().constData());
}

void StateCommandTest::secondHostGoesOnWithout()
{
    const QString config = write({words("hang")}, fast(1));
    CommandRun first(words("up", config, "--state", m_state, "--store", "off"));
    QVERIFY(first.begin());
    QVERIFY(first.waitForOutput("agent.ready"));
    CommandRun second(words("up", config, "--state", m_state, "--store", "off", "--for", "100ms"));
    QCOMPARE(second.complete(), 0);
    QVERIFY(second.output().contains("agent.ready"));
    QCOMPARE(second.error(),
             QStringLiteral("rekindle: state: %1: used by another host (process %2); going on "
                            "without it: nothing of this host is kept for the next\n")
                 .arg(m_state)
                 .arg(first.processId())
                 .toUtf8());
    first.signal(SIGTERM);
    QCOMPARE(first.end(), 0);
}

void StateCommandTest::damagedIsKeptAside()
{
    const QString config = write({words("exit", "1")}, fast(2));
    static_cast<void>(writeFile(m_folder->path(), QStringLiteral("a.state"), "half of"));
    CommandRun run(words("up", config, "--state", m_state, "--store", "off"));
    QCOMPARE(run.complete(), 1);
    QVERIFY2(
        run.error().startsWith(QStringLiteral("rekindle: state: %1: not a state file; it is "
                                              "now %1.bad-1, and a new one is begun\n")
                                   .arg(m_state)
                                   .toUtf8()),
        run.error().constData());
    QCOMPARE(readFile(m_state + QStringLiteral(".bad-1")), QByteArray("half of"));
    QVERIFY(readFile(m_state).startsWith("{\"format\":\"rekindle-state\""));
}

void StateCommandTest::nameOfAnotherFileIsRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("what");
    QTest::newRow("configuration") << words("--state", "agents.json")
                                   << QStringLiteral("agents.json, which is the configuration");
    QTest::newRow("through a link")
        << words("--state", "link") << QStringLiteral("link, which is the configuration");
    QTest::newRow("store") << words("--state", "./a.sqlite", "--store", "a.sqlite")
                           << QStringLiteral("./a.sqlite, which is the telemetry store");
    QTest::newRow("events") << words("--state", "e", "--events", "e")
                            << QStringLiteral("e, which is the file of --events");
}

void StateCommandTest::nameOfAnotherFileIsRefused()
{
    QFETCH(QStringList, options);
    QFETCH(QString, what);
    const QString config = write({words("exit", "1")}, fast(1));
    QVERIFY(QFile::link(config, m_folder->filePath(QStringLiteral("link"))));
    const QStringList before = files(QString());
    CommandRun run(words("up", "agents.json") + options);
    run.setWorkingDirectory(m_folder->path());
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.error(),
             QStringLiteral("rekindle: --state: found %1; allowed a file of its own\n")
                 .arg(what)
                 .toUtf8());
    QCOMPARE(files(QString()), before);
}

void StateCommandTest::killedHostIsGoneOnFrom()
{
    const QStringList arguments =
        words("up", write({words("exit", "3")}, fast(1000)), "--state", m_state, "--store", "off");
    {
        CommandRun killed(arguments);
        QVERIFY(killed.begin());
        QVERIFY(QTest::qWaitFor([&] { return readFile(m_state).contains("\"Waiting\""); }, 30'000));
        killed.signal(SIGKILL);
        killed.end();
    }
    CommandRun next(arguments);
    QVERIFY(next.begin());
    QVERIFY(next.waitForOutput("restart.started"));
    next.signal(SIGTERM);
    QCOMPARE(next.end(), 0);
    QVERIFY2(
        next.error().startsWith("rekindle: state: the last host ended without saying so; 1 agent "
                                "goes on as it has left it\n"),
        next.error().constData());
}

void StateCommandTest::givenUpUntilAnOrderlyEnd()
{
    const QString config = write({words("exit", "3"), words("hang")}, fast(2));
    const QStringList arguments = words("up", config, "--state", m_state, "--store", "off");
    {
        CommandRun killed(arguments);
        QVERIFY(killed.begin());
        QVERIFY(killed.waitForOutput("restart.exhausted"));
        QVERIFY(
            QTest::qWaitFor([&] { return readFile(m_state).contains("\"Exhausted\""); }, 30'000));
        killed.signal(SIGKILL);
        killed.end();
    }
    CommandRun next(arguments);
    QVERIFY(next.begin());
    QVERIFY(next.waitForOutput("agent.ready"));
    const QRegularExpression told(
        QStringLiteral("^rekindle: state: a stays given up, since it failed at 20[0-9:.TZ-]+ "
                       "\\(ProcessCrash: exit code 3, before the host was restarted\\); "
                       "to start it now, end this host \\(Ctrl-C\\) and run `rekindle up` again$"),
        QRegularExpression::MultilineOption);
    QVERIFY2(QString::fromUtf8(next.error()).contains(told), next.error().constData());
    QVERIFY2(!next.error().contains("ended without saying so"), next.error().constData());
    next.signal(SIGTERM);
    QCOMPARE(next.end(), 0);
    QVERIFY(eventTypes(next.output(), QStringLiteral("a")).isEmpty());

    CommandRun afresh(arguments);
    QVERIFY(afresh.begin());
    QVERIFY(afresh.waitForOutput("restart.exhausted"));
    QCOMPARE(
        eventTypes(afresh.output(), QStringLiteral("a")).count(QLatin1String("restart.started")),
        2);
    afresh.signal(SIGTERM);
    QCOMPARE(afresh.end(), 0);
}

// All that there is was given up: the next host has nothing to do and says so, and ends; that is an
// end in order.
void StateCommandTest::nothingLeftEnds()
{
    const QStringList arguments =
        words("up", write({words("exit", "3")}, fast(0)), "--state", m_state, "--store", "off");
    {
        CommandRun both(
            words("up",
                  writeFile(m_folder->path(), QStringLiteral("both.json"),
                            configuration({words("exit", "3"), words("hang")}, fast(0))),
                  "--state", m_state, "--store", "off"));
        QVERIFY(both.begin());
        QVERIFY(both.waitForOutput("restart.exhausted"));
        QVERIFY(
            QTest::qWaitFor([&] { return readFile(m_state).contains("\"Exhausted\""); }, 30'000));
        both.signal(SIGKILL);
        both.end();
    }
    CommandRun next(arguments);
    QCOMPARE(next.complete(), 1);
    QCOMPARE(next.output(), QByteArray());
    QVERIFY2(next.error().contains("1 of 1 agent was given up"), next.error().constData());
    CommandRun afresh(arguments);
    QCOMPARE(afresh.complete(), 1);
    QVERIFY(afresh.output().contains("agent.failed"));
}

// Each command of the page runs, on an agent `worker` that crashes at once.
void StateCommandTest::thePageSaysWhatIsTrue()
{
    QJsonObject policy = fast(1000);
    policy[QLatin1String("initialDelay")] = QStringLiteral("300ms");
    QByteArray config = configuration({words("exit", "1")}, policy);
    config.replace("\"name\": \"a\"", "\"name\": \"worker\"");
    static_cast<void>(writeFile(m_folder->path(), QStringLiteral("agents.json"), config));
    const ShellBlocks blocks = runShellBlocks(QStringLiteral("state.md"), m_folder->path());
    QVERIFY2(blocks.fault.isEmpty(), qPrintable(blocks.fault));
    const QByteArrayList &outputs = blocks.outputs;
    const QStringList &errors = blocks.errors;
    QCOMPARE(outputs.size(), 9);
    QVERIFY2(outputs[0].contains("\"agent\":\"worker\""), outputs[0].constData());
    const QRegularExpression attempt(QStringLiteral("\"attempt\":([0-9]+)"));
    const int made = attempt.match(QString::fromUtf8(outputs[0])).captured(1).toInt();
    QVERIFY(made > 0);
    const QJsonObject next = jsonLines(outputs[1]).value(0);
    QCOMPARE(next[QLatin1String("data")][QLatin1String("attemptNumber")].toInt(), made + 1);
    const QJsonObject afresh = jsonLines(outputs[2]).value(0);
    QCOMPARE(afresh[QLatin1String("data")][QLatin1String("attemptNumber")].toInt(), 1);
    const QRegularExpression second(
        QStringLiteral("^rekindle: state: agents.state: used by another host \\(process [0-9]+\\); "
                       "going on without it: nothing of this host is kept for the next$"),
        QRegularExpression::MultilineOption);
    QVERIFY2(errors[6].contains(second), qPrintable(errors[6]));
    QVERIFY2(errors[5].contains(QLatin1String("torn.state.bad-1, and a new one is begun")),
             qPrintable(errors[5]));
}

REKINDLE_TEST(StateCommandTest)
#include "statecommandtest.moc"
