// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "observer/observerhosts_p.h"
#include "observer/observeroptions_p.h"
#include "observer/observerwindow_p.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QAction>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>

using namespace Rekindle;

namespace {

constexpr int limit = 30'000;

/// A host in real time with a control socket: "web" runs, "job" fails and waits.
class ObservedHost
{
public:
    explicit ObservedHost(const QString &folder, const QString &name = QStringLiteral("shop"))
        : server(supervisor, {.socketName = name, .folder = folder})
    {
        grantAll(supervisor);
        add(QStringLiteral("web"), QStringLiteral("started ready"));
        add(QStringLiteral("job"), QStringLiteral("started fail"));
        if (const QString fault = server.listen(); !fault.isEmpty())
            qFatal("%s", qPrintable(fault));
        supervisor.startAll();
    }

    void add(const QString &name, const QString &runs)
    {
        (void)supervisor.add(name,
                             std::make_unique<ScriptedAgent>(scheduler, AgentScript{.runs = runs}),
                             policyOf(QStringLiteral("'initialDelay':'1h','maxDelay':'1h'")));
    }

    TimerScheduler scheduler;
    AgentSupervisor supervisor{scheduler};
    ControlServer server;
};

QString textOf(const QModelIndex &index, int column = ObserverTreeModel::Name)
{
    return index.siblingAtColumn(column).data().toString();
}

QString currentText(ObserverWindow &window) { return textOf(window.tree().currentIndex()); }

} // namespace

class ObserverTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_settings.isValid());
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("Rekindle"));
    }

    void showsHostsAndAgents();
    void showsGroups();
    void isOperatedByKeyboard();
    void selectsByTimelineAndEvents();
    void findsAHostThatReturns();
    void removesTheFirstHostsThatExited();
    void showsSeveralHosts();
    void storesTheLayout();
    void takesAPicture();
    void rejectsWrongArguments();
    void acceptsCommandsOfThePage();

private:
    QTemporaryDir m_settings;
};

void ObserverTest::showsHostsAndAgents()
{
    const QTemporaryDir folder;
    const ObservedHost host(folder.path());
    const ObserverHosts hosts({}, folder.path());
    QCOMPARE(hosts.sources().size(), 1);
    ObserverTreeModel model(hosts);
    const QAbstractItemModelTester tester(&model);
    const QModelIndex shop = model.index(0, 0);
    QCOMPARE(textOf(shop), QStringLiteral("shop"));
    QVERIFY(!shop.data(AgentTableModel::AgentStateRole).isValid());
    QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(shop), 2, limit);
    QVERIFY(hosts.hasAllResponses());
    QCOMPARE(textOf(model.index(0, 0, shop)), QStringLiteral("web"));
    QTRY_COMPARE_WITH_TIMEOUT(textOf(shop, ObserverTreeModel::State),
                              QStringLiteral("Waiting: 1 of 2"), limit);
    QCOMPARE(shop.data(AgentTableModel::AgentStateRole).toInt(),
             static_cast<int>(InstanceState::Waiting));
    QCOMPARE(shop.data(Qt::AccessibleTextRole).toString(), QStringLiteral("shop, Waiting: 1 of 2"));
}

void ObserverTest::showsGroups()
{
    const QTemporaryDir folder;
    ObservedHost host(folder.path());
    AgentDependencies dependencies(host.supervisor);
    AgentGroups groups(dependencies);
    GroupDefinition definition;
    definition.name = QStringLiteral("front");
    definition.members = {GroupMember{.name = QStringLiteral("web")}};
    QCOMPARE(groups.setGroups({definition}), QStringList());
    host.server.setGroups(&groups);
    const ObserverHosts hosts({QStringLiteral("shop")}, folder.path());
    ObserverTreeModel model(hosts);
    const QAbstractItemModelTester tester(&model);
    const QModelIndex shop = model.index(0, 0);
    QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(shop), 2, limit);
    const QModelIndex front = model.index(0, 0, shop);
    QCOMPARE(textOf(front), QStringLiteral("front"));
    QVERIFY(ObserverTreeModel::agent(front).isNull());
    QCOMPARE(model.rowCount(front), 1);
    QCOMPARE(textOf(model.index(0, 0, front)), QStringLiteral("web"));
    QTRY_COMPARE_WITH_TIMEOUT(textOf(front, ObserverTreeModel::State),
                              QStringLiteral("Running: 1 of 1"), limit);
}

void ObserverTest::isOperatedByKeyboard()
{
    const QTemporaryDir folder;
    ObservedHost host(folder.path());
    const ObserverHosts hosts({}, folder.path());
    ObserverWindow window(hosts);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QCOMPARE(window.windowTitle(), QStringLiteral("shop - Rekindle Observer"));
    QVERIFY(window.tree().hasFocus());
    QTRY_VERIFY_WITH_TIMEOUT(window.tree().isExpanded(window.tree().model()->index(0, 0)), limit);
    QTest::keyClick(&window.tree(), Qt::Key_Down);
    QCOMPARE(currentText(window), QStringLiteral("web"));
    QTest::keyClick(&window.tree(), Qt::Key_Down);
    QCOMPARE(currentText(window), QStringLiteral("job"));
    const QUuid job = host.supervisor.idOf(QStringLiteral("job"));
    QCOMPARE(window.decision().agent(), job);
    QCOMPARE(window.output().agent(), job);
    QCOMPARE(window.timeline()->currentAgent(), job);
    QCOMPARE(window.agentActions().current(), job);
    QTRY_VERIFY_WITH_TIMEOUT(window.agentActions().action(ControlOperation::Retry)->isEnabled(),
                             limit);
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(window.timeline()->hasFocus());
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(window.events()->hasFocus());
    QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
    QVERIFY(window.output().hasFocus());
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QVERIFY(window.decision().isAncestorOf(window.focusWidget()));
    QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
    QVERIFY(window.tree().hasFocus());
}

void ObserverTest::selectsByTimelineAndEvents()
{
    const QTemporaryDir folder;
    ObservedHost host(folder.path());
    const ObserverHosts hosts({}, folder.path());
    ObserverWindow window(hosts);
    window.show();
    TimelineView *const timeline = window.timeline();
    QTRY_COMPARE_WITH_TIMEOUT(timeline->model().rowCount(), 2, limit);
    const QUuid web = timeline->model().row(1).instanceId();
    timeline->setCurrentAgent(web);
    QCOMPARE(currentText(window), QStringLiteral("web"));
    const QUuid job = timeline->model().row(0).instanceId();
    const UtcTime time{std::chrono::milliseconds(1'000'000)};
    Q_EMIT window.events()->decisionRequested(job, {.instanceId = job, .time = time});
    QCOMPARE(currentText(window), QStringLiteral("job"));
    QCOMPARE(window.decision().decision().toMSecsSinceEpoch(), 1'000'000);
    Q_EMIT timeline->markActivated(web, time, 1);
    QCOMPARE(currentText(window), QStringLiteral("web"));
    QCOMPARE(window.decision().decision().toMSecsSinceEpoch(), 1'000'000);
    Q_EMIT window.agentActions().whyRequested(web);
    QVERIFY(!window.decision().decision().isValid());
}

void ObserverTest::findsAHostThatReturns()
{
    const QTemporaryDir folder;
    auto host = std::make_unique<ObservedHost>(folder.path());
    const ObserverHosts hosts({}, folder.path());
    ObserverWindow window(hosts);
    window.show();
    const QModelIndex shop = window.tree().model()->index(0, 0);
    QTRY_COMPARE_WITH_TIMEOUT(window.tree().model()->rowCount(shop), 2, limit);
    window.tree().setCurrentIndex(window.tree().model()->index(1, 0, shop));
    QCOMPARE(currentText(window), QStringLiteral("job"));
    host.reset();
    QTRY_COMPARE_WITH_TIMEOUT(window.tree().model()->rowCount(shop), 0, limit);
    QVERIFY(textOf(shop, ObserverTreeModel::State).startsWith(QLatin1String("unavailable: ")));
    QCOMPARE(currentText(window), QStringLiteral("shop"));
    QVERIFY(window.agentActions().current().isNull());
    host = std::make_unique<ObservedHost>(folder.path());
    QTRY_COMPARE_WITH_TIMEOUT(currentText(window), QStringLiteral("job"), limit);
    QCOMPARE(window.tree().model()->rowCount(), 1);
    QCOMPARE(window.timeline()->currentAgent(), window.agentActions().current());
}

void ObserverTest::removesTheFirstHostsThatExited()
{
    const QTemporaryDir folder;
    std::vector<std::unique_ptr<ObservedHost>> running;
    for (int i = 0; i < 12; ++i)
        running.push_back(
            std::make_unique<ObservedHost>(folder.path(), QStringLiteral("host%1").arg(i, 2)));
    const ObserverHosts hosts({}, folder.path());
    ObserverWindow window(hosts);
    window.show();
    const QAbstractItemModelTester tester(window.tree().model());
    const QAbstractItemModel &model = *window.tree().model();
    QCOMPARE(model.rowCount(), 12);
    const auto isAvailable = [](const RemoteAgents *each) { return each->isAvailable(); };
    const auto available = [&] {
        return std::count_if(hosts.sources().begin(), hosts.sources().end(), isAvailable);
    };
    QTRY_COMPARE_WITH_TIMEOUT(available(), 12, limit);
    window.tree().setCurrentIndex(model.index(11, 0));
    for (int i = 11; i >= 0; --i) {
        running[std::size_t(i)].reset();
        QTRY_COMPARE_WITH_TIMEOUT(available(), i, limit);
    }
    QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), 10, limit);
    QCOMPARE(hosts.sources().size(), 10);
    QCOMPARE(textOf(model.index(9, 0)), QStringLiteral("host 9"));
    const int row = window.tree().currentIndex().row(); // another host is selected
    QCOMPARE(window.timeline()->source(), hosts.sources().value(row));
    QCOMPARE(window.decision().source(), hosts.sources().value(row));
    QTRY_COMPARE_WITH_TIMEOUT(window.findChildren<TimelineView *>().size(), 10, limit);
    const ObservedHost again(folder.path(), QStringLiteral("host11"));
    QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), 11, limit);
    QTRY_COMPARE_WITH_TIMEOUT(available(), 1, limit);
    window.tree().setCurrentIndex(model.index(10, 0));
    QCOMPARE(window.windowTitle(), QStringLiteral("host11 - Rekindle Observer"));
}

void ObserverTest::showsSeveralHosts()
{
    const QTemporaryDir folder;
    const ObservedHost east(folder.path(), QStringLiteral("east"));
    const ObserverHosts hosts({}, folder.path());
    ObserverWindow window(hosts);
    window.show();
    const TimelineView *const timeline = window.timeline();
    const ObservedHost west(folder.path(), QStringLiteral("west"));
    QTRY_COMPARE_WITH_TIMEOUT(window.tree().model()->rowCount(), 2, limit);
    window.tree().setCurrentIndex(window.tree().model()->index(1, 0));
    QCOMPARE(window.windowTitle(), QStringLiteral("west - Rekindle Observer"));
    QCOMPARE(window.decision().source()->name(), QStringLiteral("west"));
    QCOMPARE(window.timeline()->source(), window.decision().source());
    QCOMPARE(window.events()->source(), window.decision().source());
    window.tree().setCurrentIndex(window.tree().model()->index(0, 0));
    QCOMPARE(window.timeline(), timeline);
}

void ObserverTest::storesTheLayout()
{
    const QTemporaryDir folder;
    const ObserverHosts hosts({}, folder.path());
    {
        ObserverWindow window(hosts);
        window.show();
        window.resize(777, 555);
        QVERIFY(window.close());
    }
    ObserverWindow window(hosts);
    window.restoreLayout();
    QCOMPARE(window.size(), QSize(777, 555));
}

void ObserverTest::takesAPicture()
{
    const QTemporaryDir folder;
    const ObservedHost host(folder.path());
    const QString file = folder.filePath(QStringLiteral("window.png"));
    QProcess program;
    program.start(QStringLiteral(REKINDLE_OBSERVER),
                  {QStringLiteral("--shoot"), file,
                   ControlClient::socketPath(QStringLiteral("shop"), folder.path())});
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), QProcess::NotRunning, limit);
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(QImage(file).width() > 1000);
    program.start(QStringLiteral(REKINDLE_OBSERVER),
                  {QStringLiteral("--shoot"), folder.filePath(QStringLiteral("no/folder.png")),
                   QStringLiteral("/nohost.sock")});
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), QProcess::NotRunning, limit);
    QCOMPARE(program.exitCode(), 73);
}

void ObserverTest::rejectsWrongArguments()
{
    const QList<QStringList> wrong{{QStringLiteral("--unknown")},
                                   {QStringLiteral("--shoot")},
                                   {QStringLiteral("--shoot=")},
                                   {QString()},
                                   {QStringLiteral("ssh://")}};
    for (const QStringList &arguments : wrong) {
        QProcess program;
        program.start(QStringLiteral(REKINDLE_OBSERVER), arguments);
        QVERIFY(program.waitForFinished(limit));
        QCOMPARE(program.exitCode(), 64);
        QVERIFY(program.readAllStandardError().startsWith("rekindle-observer: "));
    }
    for (const char *const option : {"--help", "--version"}) {
        QProcess program;
        program.start(QStringLiteral(REKINDLE_OBSERVER), {QString::fromLatin1(option)});
        QVERIFY(program.waitForFinished(limit));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.readAllStandardOutput().contains("rekindle-observer"));
    }
}

void ObserverTest::acceptsCommandsOfThePage()
{
    QFile page(QStringLiteral(REKINDLE_DOCS "/observer.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    int commands = 0;
    while (!page.atEnd()) {
        const QString line = QString::fromUtf8(page.readLine()).trimmed();
        if (!line.startsWith(QLatin1String("rekindle-observer")))
            continue;
        ++commands;
        ObserverOptions options;
        QVERIFY2(!options.parse(QProcess::splitCommand(line)), qPrintable(line));
    }
    QCOMPARE(commands, 3);
}

REKINDLE_TEST(ObserverTest)
#include "observertest.moc"
